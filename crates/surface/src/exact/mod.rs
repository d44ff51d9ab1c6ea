//! Exact geodesic distances by windows that cross one face after the other.
//!
//! Idea: a shortest path is straight inside every strip of faces, unfolded, and bends at vertices with a total angle over
//! 2π and at the border only. So bundles of straight lines with one source, windows, are carried from edge to edge; where two
//! reach the same part of an edge the nearer stays. All windows that wait on a half-edge cross its face together: that
//! keeps them sorted, makes the comparison of neighbours a walk along two lists, and leaves one queue entry per half-edge.
//! Source: Surazhsky et al. 2005, "Fast exact and approximate geodesics on meshes" (windows); Xin and Wang 2009, "Improving
//!   Chen and Han's algorithm" (vertices as filter; of the windows at one angle only the nearest splits); Qin et al. 2016,
//!   "Fast and exact discrete geodesic computation based on triangle-oriented wavefront propagation" (faces as the unit of
//!   work). We differ: lists are exact lower envelopes with one crossing per pair (`window.rs` says why), sources are kept
//!   as points in the frame of the edge, which saves roots, and half-edges instead of vertices are what is queued.
//! Steps: 1. windows from the sources  2. take the half-edge, or vertex that bends, with the smallest distance
//!   3. its windows cross the face, the third corner gets its distance  4. what no vertex beats goes to the two other edges and
//!   is merged with what waits there  5. again from 2
//! Invariants: windows waiting on a half-edge are sorted and disjoint; no distance is smaller than the true one.
//! It ends: a window that has crossed as many faces as there are is dropped, since a shortest path meets no face twice. Count the
//!   half-edges whose waiting windows have crossed j faces at least, for each j. A half-edge that is taken leaves its count, and what it
//!   hands over has crossed more; so between two vertices that send, the counts, read from the least j on, fall in the order of
//!   the dictionary, which cannot go on for ever. Vertices send when they have come nearer, and there are finitely many numbers. How long
//!   that takes is bounded by `limit_windows`.
//! Cost: O(n² log n) at worst, about n^1.5 windows on real meshes; a few thousand of them wait at a time.

mod cross;
mod lists;
pub(crate) mod queue;
mod solver;
pub(crate) mod trail;
pub(crate) mod window;

pub use solver::{ExactSolver, exact_distances};
