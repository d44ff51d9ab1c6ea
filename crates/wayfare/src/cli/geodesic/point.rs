//! Points of a surface as options.

use anyhow::Result;
use std::fmt;
use wayfare::{
    core::Id as _,
    surface::{FaceId, SurfaceMesh, SurfacePoint},
};

/// A vertex, or a point of a face, by the numbers of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum PointArg {
    Vertex(usize),
    Face(usize, [f64; 3]),
}

/// `1234`, or `12:0.2,0.3,0.5`.
pub fn parse(text: &str) -> Result<PointArg, String> {
    let number = |text: &str, what: &str| {
        text.trim().parse::<usize>().map_err(|_| format!("'{text}' is not the number of a {what}"))
    };
    let Some((face, weights)) = text.split_once(':') else {
        return number(text, "vertex").map(PointArg::Vertex);
    };
    let face = number(face, "face")?;
    let weights: Vec<f64> = weights
        .split(',')
        .map(|weight| weight.trim().parse().map_err(|_| format!("'{weight}' is not a number")))
        .collect::<Result<_, String>>()?;
    let weights: [f64; 3] =
        weights.try_into().map_err(|_| "a point of a face is written FACE:A,B,C".to_owned())?;
    if !(weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite())
        && weights.iter().sum::<f64>() > 0.0)
    {
        return Err("weights are not negative, and one is positive".into());
    }
    Ok(PointArg::Face(face, weights))
}

impl fmt::Display for PointArg {
    /// As it is given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex(vertex) => write!(f, "{vertex}"),
            Self::Face(face, [a, b, c]) => write!(f, "{face}:{a},{b},{c}"),
        }
    }
}

impl PointArg {
    /// The points that it is: one for each copy of a vertex that was cut.
    pub fn on(&self, surface: &SurfaceMesh) -> Result<Vec<SurfacePoint>> {
        match *self {
            Self::Vertex(vertex) => Ok(SurfacePoint::at_input_vertex(surface, vertex)?),
            Self::Face(number, weights) => {
                // Faces keep their order, so that a number is found by halving.
                let (mut low, mut high) = (0, surface.face_count());
                while low < high {
                    let middle = (low + high) / 2;
                    if surface.input_face(FaceId::new(middle)) < number {
                        low = middle + 1
                    } else {
                        high = middle
                    }
                }
                if low == surface.face_count() || surface.input_face(FaceId::new(low)) != number {
                    anyhow::bail!(
                        "there is no face {number}, or it was set aside; the surface has {}",
                        surface.face_count()
                    );
                }
                Ok(vec![SurfacePoint::new(surface, FaceId::new(low), weights)?])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_vertices_or_weights_in_a_face() {
        assert_eq!(parse("1234"), Ok(PointArg::Vertex(1234)));
        assert_eq!(parse("7:1,0.5,0"), Ok(PointArg::Face(7, [1.0, 0.5, 0.0])));
        for bad in ["", "-1", "x", "7:1,2", "7:1,2,3,4", "7:nan,1,1", "7:-1,1,1", "7:0,0,0", ":1,1,1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
