//! From what a file holds to a mesh that can be worked with: bad faces are set aside and counted.
//!
//! Steps: 1. coordinates into space, refused if out of range  2. polygons into triangles  3. faces that name missing or
//! non-finite vertices or have no area  4. (scenes) vertices at the same place become one  5. duplicate faces
//! 6. what is left, in the order of the file
//! Promises what [`Scene`] says. Cost: O(n) but for the sorting of faces that share a vertex.

use super::{
    Scene, SceneOptions, Up,
    polygon::{MAX_CORNERS, Split, Splitter},
    raw::{NO_VERTEX, RawMesh},
    weld::first_at_same_place,
};
use crate::error::Fault;
use wayfare_core::{DVec3, MAX_COORDINATE, RepairReport};
use wayfare_geom::{TriangleMesh, are_collinear};

/// A place in the list of triangles that is left empty, its face being counted elsewhere.
const REMOVED: [u32; 3] = [NO_VERTEX - 1; 3];

/// Whether triangles without area go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ZeroArea {
    SetAside,
    Keep,
}

impl RawMesh {
    /// The scene, turned, scaled and welded.
    pub fn into_scene(mut self, options: &SceneOptions) -> Result<Scene, Fault> {
        let up = options.up.unwrap_or(Up::Y);
        let non_finite = self.place(|p| up.turn(p) * options.scale)?;
        let mut repair = RepairReport::default();
        self.split_polygons(&non_finite, &mut repair);
        let mut keep = self.find_usable(&non_finite, ZeroArea::SetAside, &mut repair);
        self.weld(&keep);
        self.set_duplicates_aside(&mut keep, &mut repair);
        let (tags, tag_names) = self.tags(&keep);
        self.retain(&keep);
        self.drop_unused_vertices();
        if self.triangles.is_empty() {
            self.notes.push("the file has no faces that can be used".into());
        }
        let mesh = TriangleMesh { vertices: self.vertices, triangles: self.triangles };
        Ok(Scene { mesh, tags, tag_names, repair, notes: self.notes })
    }

    /// The mesh with the vertices of the file.
    pub fn into_mesh(mut self) -> Result<(TriangleMesh, RepairReport), Fault> {
        // Whoever works on surfaces names their vertices and faces from 0 on, whatever the file.
        self.first = 0;
        let non_finite = self.place(|p| p)?;
        let mut repair = RepairReport::default();
        self.split_polygons(&non_finite, &mut repair);
        let mut keep = self.find_usable(&non_finite, ZeroArea::Keep, &mut repair);
        self.set_duplicates_aside(&mut keep, &mut repair);
        self.retain(&keep);
        Ok((TriangleMesh { vertices: self.vertices, triangles: self.triangles }, repair))
    }

    /// Step 1: returns which vertices are not finite (and were put to the origin); empty if all are.
    fn place(&mut self, place: impl Fn(DVec3) -> DVec3) -> Result<Vec<bool>, Fault> {
        if self.vertices.len() >= REMOVED[0] as usize || self.triangles.len() >= NO_VERTEX as usize {
            return Err(Fault::whole("the mesh has over 4 billion vertices or triangles"));
        }
        let mut non_finite = Vec::new();
        let (first, count) = (self.first, self.vertices.len());
        for (k, vertex) in self.vertices.iter_mut().enumerate() {
            // Adding zero makes one zero of both.
            let p = place(*vertex) + 0.0;
            // Written so that NaN fails.
            if p.abs().max_element() <= MAX_COORDINATE && p.is_finite() {
                *vertex = p;
            } else if vertex.is_finite() {
                // As it lies in space; what overflows on the way there, as it stands in the file.
                let place = in_words(if p.is_finite() { p } else { *vertex });
                return Err(Fault::of(
                    format!("vertex {}", first + k),
                    format!("coordinate {place} is over {MAX_COORDINATE:e} m"),
                ));
            } else {
                non_finite.resize(count, false);
                non_finite[k] = true;
                *vertex = DVec3::ZERO;
            }
        }
        Ok(non_finite)
    }

    /// Step 2.
    fn split_polygons(&mut self, non_finite: &[bool], repair: &mut RepairReport) {
        let mut splitter = Splitter::default();
        let (mut corners, mut points) = (Vec::new(), Vec::new());
        let polygons = std::mem::take(&mut self.polygons);
        for &(first, count) in &polygons {
            let fan = &self.triangles[first..first + count - 2];
            corners.clear();
            corners.extend([fan[0][0], fan[0][1]]);
            corners.extend(fan.iter().map(|triangle| triangle[2]));
            let is_bad = |&v: &u32| v as usize >= self.vertices.len() || is_set(non_finite, v);
            if let Some(bad) = corners.iter().copied().find(is_bad) {
                // One triangle stands for the face in step 3.
                self.triangles[first..first + count - 2].fill(REMOVED);
                self.triangles[first] = [bad; 3];
                continue;
            }
            points.clear();
            points.extend(corners.iter().map(|&v| self.vertices[v as usize]));
            let split = splitter.split(&points);
            let fan = &mut self.triangles[first..first + count - 2];
            fan.fill(REMOVED);
            for (place, triangle) in fan.iter_mut().zip(&splitter.triangles) {
                *place = triangle.map(|k| corners[k as usize]);
            }
            let face = || format!("face {}", self.first + face_number(&polygons, first));
            match split {
                Split::Whole => {}
                Split::Crossing => repair.note("crossing-polygon", face),
                Split::Flat => self.triangles[first] = [corners[0]; 3],
                Split::TooLarge => repair.note("unsplit-polygon", || {
                    format!("{}, not convex with {count} corners, over {MAX_CORNERS}", face())
                }),
            }
        }
        self.polygons = polygons;
    }

    /// Step 3: which triangles can be used.
    fn find_usable(&self, non_finite: &[bool], zero_area: ZeroArea, repair: &mut RepairReport) -> Vec<bool> {
        let (first, count) = (self.first, self.vertices.len());
        let mut keep = vec![true; self.triangles.len()];
        for (t, &triangle) in self.triangles.iter().enumerate() {
            if triangle == REMOVED {
                keep[t] = false;
                continue;
            }
            let [a, b, c] = triangle;
            let face = || format!("face {}", first + self.face_of(t));
            if let Some(v) = triangle.into_iter().find(|&v| v as usize >= count) {
                repair.note("out-of-range-face", || match v {
                    NO_VERTEX => format!("{}: names a vertex that cannot be", face()),
                    _ => format!("{}: names vertex {} of {count}", face(), first + v as usize),
                });
            } else if let Some(v) = triangle.into_iter().find(|&v| is_set(non_finite, v)) {
                repair.note("non-finite-face", || {
                    format!("{}: vertex {} is not finite", face(), first + v as usize)
                });
            } else if a == b && b == c {
                let at = self.vertices[a as usize];
                repair.note("degenerate-face", || format!("{}: has no area, at {}", face(), in_words(at)));
            } else if a == b || b == c || c == a {
                repair.note("degenerate-face", || {
                    format!("{}: repeats vertex {}", face(), first + if a == b { a } else { c } as usize)
                });
            } else {
                let [a, b, c] = triangle.map(|v| self.vertices[v as usize]);
                if !are_collinear(a, b, c) {
                    continue;
                }
                let what = || format!("{}: has no area, at {}", face(), in_words(a));
                if zero_area == ZeroArea::Keep {
                    repair.note("zero-area-face", what);
                    continue;
                }
                repair.note("degenerate-face", what);
            }
            keep[t] = false;
        }
        keep
    }

    /// Step 4: corners of usable triangles name the first vertex at their place.
    fn weld(&mut self, keep: &[bool]) {
        let first = first_at_same_place(&self.vertices);
        for (triangle, _) in self.triangles.iter_mut().zip(keep).filter(|(_, keep)| **keep) {
            *triangle = triangle.map(|v| first[v as usize]);
        }
    }

    /// Step 5: of triangles with the same corners in the same turn the first stays.
    fn set_duplicates_aside(&self, keep: &mut [bool], repair: &mut RepairReport) {
        // Triangles in the order of their smallest vertex, which comes first in `turned`.
        let turned = |t: u32| {
            let [a, b, c] = self.triangles[t as usize];
            if a <= b && a <= c {
                [a, b, c]
            } else if b <= c {
                [b, c, a]
            } else {
                [c, a, b]
            }
        };
        let mut starts = vec![0u32; self.vertices.len() + 1];
        let usable = (0..self.triangles.len() as u32).filter(|&t| keep[t as usize]);
        for t in usable.clone() {
            starts[turned(t)[0] as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut order = vec![0u32; sum as usize];
        for t in usable.rev() {
            let start = &mut starts[turned(t)[0] as usize];
            *start -= 1;
            order[*start as usize] = t;
        }
        let mut duplicates: Vec<[u32; 2]> = Vec::new();
        for range in starts.windows(2) {
            let bucket = &mut order[range[0] as usize..range[1] as usize];
            if bucket.len() < 2 {
                continue;
            }
            bucket.sort_unstable_by_key(|&t| (turned(t), t));
            let mut kept = bucket[0];
            for &t in &bucket[1..] {
                if turned(t) == turned(kept) {
                    duplicates.push([t, kept]);
                } else {
                    kept = t;
                }
            }
        }
        let first = duplicates.iter().min();
        for _ in &duplicates {
            repair.note("duplicate-face", || match first {
                Some(&[t, kept]) => {
                    let [face, of] = [t, kept].map(|t| self.first + self.face_of(t as usize));
                    let at = self.vertices[self.triangles[t as usize][0] as usize];
                    format!("face {face}: has the corners of face {of}, at {}", in_words(at))
                }
                None => String::new(),
            });
        }
        for [t, _] in duplicates {
            keep[t as usize] = false;
        }
    }

    /// Tags of the triangles that are kept, and their names, sorted.
    fn tags(&mut self, keep: &[bool]) -> (Vec<u8>, Vec<String>) {
        let ends = self.runs.iter().skip(1).map(|run| run.0).chain([self.triangles.len()]);
        let runs: Vec<_> =
            self.runs.iter().zip(ends).map(|(&(start, material), end)| (start..end, material)).collect();
        let mut used = vec![false; self.materials.len()];
        for (range, material) in &runs {
            used[*material as usize] |= keep[range.clone()].contains(&true);
        }
        let mut names: Vec<(&str, usize)> = Vec::new();
        names.extend(
            self.materials.iter().map(String::as_str).zip(0..).filter(|&(_, material)| used[material]),
        );
        names.sort_unstable();
        if names.len() > Scene::MAX_TAGS {
            // The empty name, sorted first, takes what is too many.
            if !names[0].0.is_empty() {
                names.insert(0, ("", 0));
            }
            self.notes.push(format!(
                "of {} materials, those after '{}' in the order of the alphabet have no area tag: a map has at most {} tags",
                names.len() - 1,
                names[Scene::MAX_TAGS - 1].0,
                Scene::MAX_TAGS
            ));
            names.truncate(Scene::MAX_TAGS);
        }
        let mut tag_of = vec![0u8; self.materials.len()];
        for (tag, &(_, material)) in names.iter().enumerate() {
            tag_of[material] = tag as u8;
        }
        let mut tag_names: Vec<String> = names.into_iter().map(|(name, _)| name.into()).collect();
        if tag_names.is_empty() {
            tag_names.push(String::new());
        }
        let mut tags = Vec::with_capacity(keep.len());
        for (range, material) in runs {
            let count = keep[range].iter().filter(|keep| **keep).count();
            tags.extend(std::iter::repeat_n(tag_of[material as usize], count));
        }
        (tags, tag_names)
    }

    /// Step 6.
    fn retain(&mut self, keep: &[bool]) {
        let mut keep = keep.iter();
        self.triangles.retain(|_| keep.next().is_some_and(|keep| *keep));
    }

    /// Step 6 of scenes.
    fn drop_unused_vertices(&mut self) {
        let mut new_number = vec![NO_VERTEX; self.vertices.len()];
        for &v in self.triangles.iter().flatten() {
            new_number[v as usize] = 0;
        }
        let mut count = 0;
        for (k, number) in new_number.iter_mut().enumerate() {
            if *number == 0 {
                self.vertices[count as usize] = self.vertices[k];
                *number = count;
                count += 1;
            }
        }
        self.vertices.truncate(count as usize);
        for triangle in &mut self.triangles {
            *triangle = triangle.map(|v| new_number[v as usize]);
        }
    }

    /// The file's number of the face that a triangle is part of.
    fn face_of(&self, triangle: usize) -> usize {
        face_number(&self.polygons, triangle)
    }
}

/// The number of the face that a triangle is part of, where `polygons` lists the first triangle and the corners of each
/// face of more than three.
fn face_number(polygons: &[(usize, usize)], triangle: usize) -> usize {
    let before = polygons.iter().take_while(|(first, _)| *first <= triangle);
    let extra: usize = before.map(|&(first, corners)| (triangle - first).min(corners - 3)).sum();
    triangle - extra
}

fn is_set(flags: &[bool], vertex: u32) -> bool {
    flags.get(vertex as usize).copied().unwrap_or(false)
}

/// Short for any size: `{:?}` writes powers of ten where `{}` writes three hundred zeros.
fn in_words(p: DVec3) -> String {
    format!("({:?}, {:?}, {:?})", p.x, p.y, p.z)
}
