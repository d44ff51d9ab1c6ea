//! glTF 2.0, as text (`.gltf`) and binary (`.glb`): the triangles of the default scene, node by node.
//!
//! Source: Khronos glTF 2.0 specification, sections 3.5 (scenes), 3.6 (buffers and accessors), 3.7 (meshes), 4 (GLB).
//! Read by our own checked readers: every index and every length comes from outside.
//!
//! - Nodes are walked without recursion and each at most once, as the specification asks: no cycles, no bound on depth.
//! - Each node that names a mesh appends its vertices, placed; a node that mirrors turns its triangles round.
//! - Memory: instances can make much of a small file; what they make is bounded by `max_bytes`.

mod accessor;
mod affine;
mod buffers;
mod document;

pub(crate) use buffers::Beside;

use self::{
    affine::Affine,
    buffers::Buffers,
    document::{Document, Node, Primitive},
};
use super::raw::{NO_VERTEX, RawMesh};
use crate::error::Fault;
use std::collections::BTreeSet;
use wayfare_core::DVec3;

/// First bytes of a binary file.
pub(crate) const MAGIC: &[u8] = b"glTF";

/// Extensions that change nothing about where triangles are.
const HARMLESS: [&str; 12] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "KHR_animation_pointer",
    "KHR_xmp",
    "KHR_node_",
    "EXT_texture_",
    "EXT_lights_",
    "EXT_materials_",
    "MSFT_texture_",
    "ADOBE_materials_",
];

/// Reads a file; other files that it names are asked for at `beside`.
pub(crate) fn read(bytes: &[u8], beside: &Beside, max_bytes: u64) -> Result<RawMesh, Fault> {
    let (json, chunk) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (bytes, None) };
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    let document: Document = serde_json::from_slice(json)
        .map_err(|error| Fault::whole(format!("the JSON of the glTF file cannot be used: {error}")))?;
    check_version(&document)?;
    let buffers = Buffers::load(&document, chunk, beside, max_bytes)?;
    let mut reader = Reader {
        document: &document,
        mesh: RawMesh::new(),
        budget: most_of_instances(bytes.len() as u64 + buffers.owned_bytes()).min(max_bytes),
        buffers,
        left_out: BTreeSet::new(),
        count: 0,
    };
    reader.walk()?;
    let Reader { mut mesh, left_out, count, .. } = reader;
    if count > 0 {
        mesh.notes.push(format!("{count} primitives of points or lines were left out"));
    }
    mesh.notes.extend(left_out.into_iter().map(String::from));
    Ok(mesh)
}

/// So many times its own size, and so much besides, may a file grow by meshes that stand in many places [bytes]: as for gzipped files, but with
/// room for a forest of seven million triangles that are few in the file.
const INSTANCES: u64 = 200;
const HARMLESS_INSTANCES: u64 = 256 << 20;

fn most_of_instances(bytes: u64) -> u64 {
    bytes.saturating_mul(INSTANCES).saturating_add(HARMLESS_INSTANCES)
}

/// The JSON and the binary chunk of a GLB file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    let short = || Fault::whole("the GLB file ends early");
    match word(4).ok_or_else(short)? {
        2 => {}
        version => return Err(Fault::whole(format!("GLB version {version} is not read, only 2"))),
    }
    let length = word(8).ok_or_else(short)? as usize;
    if length > bytes.len() {
        return Err(Fault::whole(format!("the GLB file promises {length} bytes and has {}", bytes.len())));
    }
    let (mut json, mut binary, mut at) = (None, None, 12);
    while let (Some(size), Some(kind)) = (word(at), word(at + 4)) {
        let end = (at + 8).saturating_add(size as usize);
        let chunk = bytes[..length].get(at + 8..end).ok_or_else(short)?;
        match (&kind.to_le_bytes(), json, binary) {
            (b"JSON", None, _) => json = Some(chunk),
            (b"BIN\0", _, None) => binary = Some(chunk),
            _ => {}
        }
        at = end;
    }
    Ok((json.ok_or_else(|| Fault::whole("the GLB file has no JSON"))?, binary))
}

fn check_version(document: &Document) -> Result<(), Fault> {
    let version = &document.asset.version;
    if !version.starts_with("2.") {
        return Err(Fault::whole(format!(
            "glTF version '{}' is not read, only 2.x",
            version.escape_default()
        )));
    }
    let is_harmless = |name: &&String| HARMLESS.iter().any(|start| name.starts_with(start));
    match document.extensions_required.iter().find(|name| !is_harmless(name)) {
        None => Ok(()),
        Some(name) => {
            let what = match name.as_str() {
                "KHR_draco_mesh_compression" | "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
                    "its meshes are compressed; export it without compression"
                }
                _ => "export it without",
            };
            Err(Fault::whole(format!(
                "the glTF file requires {}, which is not read: {what}",
                name.escape_default()
            )))
        }
    }
}

struct Reader<'a> {
    document: &'a Document,
    buffers: Buffers<'a>,
    mesh: RawMesh,
    /// Bytes that the mesh may still grow by.
    budget: u64,
    /// Notes, each once.
    left_out: BTreeSet<&'static str>,
    /// Primitives of points or lines.
    count: usize,
}

impl Reader<'_> {
    /// Appends the meshes of all nodes that the scene shows.
    fn walk(&mut self) -> Result<(), Fault> {
        let document = self.document;
        if document.extensions_used.iter().any(|name| name == "EXT_mesh_gpu_instancing") {
            self.left_out.insert("instances by EXT_mesh_gpu_instancing are left out: each mesh stands once");
        }
        if document.nodes.is_empty() {
            for mesh in 0..document.meshes.len() {
                self.append(mesh as u32, &Affine::IDENTITY)?;
            }
            return Ok(());
        }
        let mut stack: Vec<(u32, Affine)> =
            self.roots()?.into_iter().rev().map(|root| (root, Affine::IDENTITY)).collect();
        let mut is_visited = vec![false; document.nodes.len()];
        while let Some((number, parent)) = stack.pop() {
            let Some(node) = document.nodes.get(number as usize) else {
                return Err(Fault::of(
                    format!("node {number}"),
                    format!("there are {} nodes", document.nodes.len()),
                ));
            };
            if std::mem::replace(&mut is_visited[number as usize], true) {
                return Err(Fault::of(format!("node {number}"), "is reached twice: nodes must form trees"));
            }
            let place = parent * place_of(node);
            if let Some(mesh) = node.mesh {
                if node.skin.is_some() {
                    self.left_out.insert("skinned meshes are taken as they stand, without their skeleton");
                }
                self.append(mesh, &place).map_err(|fault| fault.in_element(|| format!("node {number}")))?;
            }
            // The first child comes first.
            stack.extend(node.children.iter().rev().map(|&child| (child, place)));
        }
        Ok(())
    }

    /// The nodes to start from: those of the default scene, else of the first, else those that are nobody's child.
    fn roots(&self) -> Result<Vec<u32>, Fault> {
        let document = self.document;
        if !document.scenes.is_empty() || document.scene.is_some() {
            let number = document.scene.unwrap_or(0);
            return match document.scenes.get(number as usize) {
                Some(scene) => Ok(scene.nodes.clone()),
                None => Err(Fault::of(format!("scene {number}"), "is not in the file")),
            };
        }
        let mut is_root = vec![true; document.nodes.len()];
        for &child in document.nodes.iter().flat_map(|node| &node.children) {
            if let Some(is_root) = is_root.get_mut(child as usize) {
                *is_root = false;
            }
        }
        Ok((0..document.nodes.len() as u32).filter(|&node| is_root[node as usize]).collect())
    }

    /// Appends a mesh at a place.
    fn append(&mut self, number: u32, place: &Affine) -> Result<(), Fault> {
        let Some(mesh) = self.document.meshes.get(number as usize) else {
            return Err(Fault::of(format!("mesh {number}"), "is not in the file"));
        };
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            self.append_primitive(primitive, place)
                .map_err(|fault| fault.in_element(|| format!("mesh {number}, primitive {k}")))?;
        }
        Ok(())
    }

    fn append_primitive(&mut self, primitive: &Primitive, place: &Affine) -> Result<(), Fault> {
        let mode = primitive.mode.unwrap_or(4);
        match mode {
            0..=3 => {
                self.count += 1;
                return Ok(());
            }
            4..=6 => {}
            _ => return Err(Fault::whole(format!("mode {mode} is not known"))),
        }
        let Some(positions) = primitive.attributes.position else {
            self.left_out.insert("primitives without positions are left out");
            return Ok(());
        };
        if primitive.targets.is_some() {
            self.left_out.insert("morph targets are left out");
        }
        let count = self.buffers.count(self.document, positions)?;
        let corners = match primitive.indices {
            Some(indices) => self.buffers.count(self.document, indices)?,
            None => count,
        };
        let triangles = if mode == 4 { corners / 3 } else { corners.saturating_sub(2) };
        let needed = count
            .saturating_mul(size_of::<DVec3>() as u64)
            .saturating_add(triangles.saturating_mul(size_of::<[u32; 3]>() as u64));
        let Some(budget) = self.budget.checked_sub(needed) else {
            return Err(Fault::whole(
                "the instances of the glTF file make a mesh that is too large for its size: bake fewer of them, or write them out as triangles",
            ));
        };
        self.budget = budget;

        self.append_material(primitive.material)?;
        let base = self.mesh.vertices.len();
        let vertices = self.buffers.points(self.document, positions)?;
        self.mesh.vertices.extend(vertices.into_iter().map(|p| place.apply(p)));
        let corners = match primitive.indices {
            Some(indices) => self.buffers.indices(self.document, indices)?,
            None => (0..count as u32).collect(),
        };
        // A vertex of another primitive is none of this one.
        let vertex = |k: u32| match base as u64 + u64::from(k) {
            v if u64::from(k) < count && v < u64::from(NO_VERTEX) => v as u32,
            _ => NO_VERTEX,
        };
        let is_mirrored = place.mirrors();
        let mut face = |[a, b, c]: [u32; 3]| {
            let corners = [a, b, c].map(vertex);
            let [a, b, c] = corners;
            self.mesh.face(&if is_mirrored { [a, c, b] } else { [a, b, c] });
        };
        match mode {
            4 => corners.as_chunks().0.iter().for_each(|&triangle| face(triangle)),
            5 => {
                for (k, strip) in corners.windows(3).enumerate() {
                    let [a, b, c] = [strip[0], strip[1], strip[2]];
                    face(if k % 2 == 0 { [a, b, c] } else { [a, c, b] });
                }
            }
            _ => {
                if let [hub, rim @ ..] = &corners[..] {
                    rim.windows(2).for_each(|pair| face([pair[0], pair[1], *hub]));
                }
            }
        }
        Ok(())
    }

    fn append_material(&mut self, material: Option<u32>) -> Result<(), Fault> {
        let name = match material {
            None => "",
            Some(number) => match self.document.materials.get(number as usize) {
                Some(material) => material.name.as_deref().unwrap_or_default(),
                None => return Err(Fault::of(format!("material {number}"), "is not in the file")),
            },
        };
        self.mesh.material(name);
        Ok(())
    }
}

/// Where a node puts its meshes and children.
fn place_of(node: &Node) -> Affine {
    match &node.matrix {
        Some(matrix) => Affine::from_columns(matrix),
        None => {
            Affine::from_parts(node.translation.as_deref(), node.rotation.as_deref(), node.scale.as_deref())
        }
    }
}
