//! Functions whose bits do not depend on the target: `std` may call the platform's own.
//!
//! `+ − × ÷ sqrt` are exact to the last bit by IEEE 754 and need no wrapper.

/// Sine of an angle [rad].
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}
/// Cosine of an angle [rad].
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}
/// Angle of the vector (x, y) [rad], −π .. π.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}
/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}
/// Length of the vector (x, y) without overflow.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}
/// A positive number to a power.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}
/// The exponential function.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}
