//! Crowds as a user has them: one program, so that it is linked once.

mod doors;
mod live;
mod same_bits;
mod soak;
mod support;
