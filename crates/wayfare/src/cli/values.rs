//! Values of options: points, positive numbers.

use wayfare::core::{DVec3, MAX_COORDINATE};

/// A point as `x,y,z`, or `x,y` on the ground z = 0 [m].
pub fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
    if !(2..=3).contains(&numbers.len()) {
        return Err("a point is written x,y,z or x,y".into());
    }
    let mut point = [0.0; 3];
    for (k, number) in numbers.iter().enumerate() {
        point[k] = coordinate(number)?;
    }
    Ok(DVec3::from_array(point))
}

/// The same as numbers.
pub fn triple(text: &str) -> Result<[f64; 3], String> {
    point(text).map(|point| point.to_array())
}

/// Fails on coordinates that are not finite or over the limit.
pub fn coordinate_triple(point: [f64; 3]) -> Result<(), String> {
    point.into_iter().try_for_each(|value| coordinate(&format!("{value:?}")).map(drop))
}

/// A box as `x,y,z,x,y,z`: its lower and its upper corner [m].
pub fn cuboid(text: &str) -> Result<[DVec3; 2], String> {
    let numbers =
        text.split(',').map(|number| coordinate(number.trim())).collect::<Result<Vec<f64>, String>>()?;
    let &[x, y, z, u, v, w] = numbers.as_slice() else {
        return Err("a box is written x,y,z,x,y,z: its lower and its upper corner".into());
    };
    let [low, high] = [DVec3::new(x, y, z), DVec3::new(u, v, w)];
    if low.cmplt(high).all() {
        Ok([low, high])
    } else {
        Err("the first corner must be below the second along every axis".into())
    }
}

/// One coordinate [m] within the limit.
pub fn coordinate(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    if !value.is_finite() {
        return Err(format!("'{text}' is not a finite number"));
    }
    if value.abs() > MAX_COORDINATE {
        return Err(format!("{text} is outside the limit of ±{MAX_COORDINATE:e} m"));
    }
    Ok(value)
}

/// A distance ≥ 0 [m].
pub fn distance(text: &str) -> Result<f64, String> {
    let value = coordinate(text)?;
    if value < 0.0 { Err(format!("{text} is negative")) } else { Ok(value) }
}

/// A number ≥ 0 that is no length.
pub fn factor(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    match value {
        _ if !value.is_finite() => Err(format!("'{text}' is not a finite number")),
        _ if value < 0.0 => Err(format!("{text} is negative")),
        // Costs are added up; nobody would see a difference beyond this.
        _ if value > MOST_FACTOR => Err(format!("{text} is over the limit of {MOST_FACTOR:e}")),
        _ => Ok(value),
    }
}

/// Largest factor.
const MOST_FACTOR: f64 = 1e7;

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::core::dvec3;

    #[test]
    fn points_have_two_or_three_finite_coordinates() {
        assert_eq!(point("1,2"), Ok(dvec3(1.0, 2.0, 0.0)));
        assert_eq!(point(" -1.5, 2e3 ,0.25"), Ok(dvec3(-1.5, 2000.0, 0.25)));
        for bad in ["", "1", "1,2,3,4", "1,x", "nan,0", "inf,0", "1e8,0", "1,,2"] {
            assert!(point(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn distances_are_not_negative() {
        assert_eq!(distance("0.5"), Ok(0.5));
        assert!(distance("-1").is_err() && distance("nan").is_err());
        for bad in ["-1", "nan", "1e9", "x"] {
            assert!(factor(bad).is_err_and(|error| !error.contains(" m")), "{bad}");
        }
    }
}
