//! Typed indices: an id of one kind cannot index the array of another.
//!
//! Every element kind has its own `u32` id and lives in flat arrays; see [`crate::id_type`].

use std::{
    marker::PhantomData,
    ops::{Index, IndexMut},
};

/// An index that fits only arrays of its own element kind.
pub trait Id: Copy + Eq + Ord {
    /// The id of the element at `index`.
    ///
    /// # Panics
    /// When `index` does not fit `u32`; readers refuse such sizes at the door.
    fn new(index: usize) -> Self;
    /// The position in the element's array.
    fn index(self) -> usize;
}

/// Declares id types: `id_type!(/** A convex cell. */ CellId);`
#[macro_export]
macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(transparent)]
        pub struct $name(pub u32);
        impl $crate::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 elements"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

/// A vector that is read only with the matching id.
#[derive(Clone, Debug, PartialEq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    kind: PhantomData<fn(I)>,
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), kind: PhantomData }
    }
}

impl<I: Id, T> IdVec<I, T> {
    /// Takes over a plain vector: element `k` gets id `k`.
    pub fn from_vec(items: Vec<T>) -> Self {
        Self { items, kind: PhantomData }
    }
    /// The elements in id order.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
    /// The elements in id order, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }
    /// Gives the plain vector back.
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Appends an element and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::new(self.items.len());
        self.items.push(item);
        id
    }
    /// The element, if the id is in range.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }
    /// All ids in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }
    /// The elements with their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(k, item)| (I::new(k), item))
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Self::from_vec(items.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    id_type!(/** A test element. */ ThingId);

    #[test]
    fn pushing_returns_the_id_that_reads_the_element_back() {
        let mut things = IdVec::<ThingId, &str>::default();
        let a = things.push("a");
        let b = things.push("b");
        assert_eq!((things[a], things[b], things.len()), ("a", "b", 2));
        assert_eq!(things.get(ThingId(2)), None);
    }
}
