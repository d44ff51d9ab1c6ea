//! The show: what the viewer's page draws, in one compact file. `docs/viewer.md` specifies it.
//!
//! | file | idea |
//! |---|---|
//! | `scene`, `mesh`, `plan`, `stages` | the arrays of each product |
//! | `crowd` | bodies that move |
//! | `surface`, `regions` | surfaces with numbers on them and convex polyhedra, from plain arrays |
//! | `volume` | free space, as regions |
//! | `saved` | stages that were saved, read back |
//! | `page` | the page itself, and a show in one file with it |

mod crowd;
mod mesh;
mod page;
mod plan;
mod regions;
mod saved;
mod scene;
mod stages;
mod surface;
mod volume;

pub use crowd::ShownCrowd;
pub use page::{NO_PAGE, Page, page, page_with_show};
pub use regions::ShownRegions;
pub use saved::SavedError;
pub use surface::{ShownField, ShownSurface};

use serde_json::{Map, Value, json};
use wayfare_core::DVec3;

/// What the first bytes of a show are.
const MAGIC: &[u8; 8] = b"WAYSHOW1";
/// Arrays begin at multiples of this, so that a page can read them where they lie [bytes].
const ALIGNMENT: usize = 8;

/// Products on their way to the page.
#[derive(Clone, Debug)]
pub struct Show {
    about: Map<String, Value>,
    arrays: Map<String, Value>,
    bytes: Vec<u8>,
    origin: DVec3,
}

impl Show {
    /// A show of what lies in a box; far from the origin of the world it still has its millimetres.
    pub fn new(title: &str, bounds: [DVec3; 2]) -> Self {
        let origin = bounds[0].midpoint(bounds[1]);
        let mut about = Map::new();
        about.insert("title".into(), title.into());
        about.insert("origin".into(), json!(origin.to_array()));
        about.insert("bounds".into(), json!(bounds.map(|corner| corner.to_array())));
        about.insert("live".into(), false.into());
        Self { about, arrays: Map::new(), bytes: Vec::new(), origin }
    }

    /// Says something else about it.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.about.insert(key.into(), value.into());
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut about = self.about.clone();
        about.insert("arrays".into(), self.arrays.clone().into());
        let mut json = Value::from(about).to_string().into_bytes();
        let head = MAGIC.len() + 4;
        json.resize((head + json.len()).next_multiple_of(ALIGNMENT) - head, b' ');
        let mut file = Vec::with_capacity(head + json.len() + self.bytes.len());
        file.extend_from_slice(MAGIC);
        file.extend_from_slice(&(json.len() as u32).to_le_bytes());
        file.extend_from_slice(&json);
        file.extend_from_slice(&self.bytes);
        file
    }

    fn place(&self, p: DVec3) -> [f32; 3] {
        (p - self.origin).to_array().map(|x| x as f32)
    }

    fn add_floats(&mut self, name: &str, values: impl IntoIterator<Item = f32>) {
        self.add(name, "f32", 4, |bytes| bytes.extend(values.into_iter().flat_map(f32::to_le_bytes)));
    }

    fn add_numbers(&mut self, name: &str, values: impl IntoIterator<Item = u32>) {
        self.add(name, "u32", 4, |bytes| bytes.extend(values.into_iter().flat_map(u32::to_le_bytes)));
    }

    fn add_bytes(&mut self, name: &str, values: impl IntoIterator<Item = u8>) {
        self.add(name, "u8", 1, |bytes| bytes.extend(values));
    }

    fn add(&mut self, name: &str, kind: &str, size: usize, write: impl FnOnce(&mut Vec<u8>)) {
        let at = self.bytes.len();
        write(&mut self.bytes);
        let count = (self.bytes.len() - at) / size;
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        self.arrays.insert(name.into(), json!({"type": kind, "at": at, "count": count}));
    }
}
