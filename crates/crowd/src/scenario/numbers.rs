//! Numbers as TOML has them, so that what is wrong with one is told in words.

use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// A whole number, which may be negative: that is told with the range.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Whole;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }
            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Whole, E> {
                Ok(Whole(n))
            }
        }
        from.deserialize_any(Visitor)
    }
}

/// So many numbers in a list, and no more: serde's own arrays take no notice of what is left.
#[derive(Clone, Copy)]
pub(super) struct Numbers<const N: usize>(pub [f64; N]);

impl<'de, const N: usize> Deserialize<'de> for Numbers<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visitor<const N: usize>;
        impl<'de, const N: usize> de::Visitor<'de> for Visitor<N> {
            type Value = Numbers<N>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of {N} numbers")
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Numbers<N>, A::Error> {
                let mut numbers = [0.0; N];
                for (k, number) in numbers.iter_mut().enumerate() {
                    *number = list.next_element()?.ok_or_else(|| de::Error::invalid_length(k, &self))?;
                }
                let mut all = N;
                while list.next_element::<de::IgnoredAny>()?.is_some() {
                    all += 1;
                }
                if all == N { Ok(Numbers(numbers)) } else { Err(de::Error::invalid_length(all, &self)) }
            }
        }
        from.deserialize_seq(Visitor)
    }
}
