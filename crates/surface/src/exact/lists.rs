//! Lists of windows, one per half-edge, in one arena: blocks of 2, 4, 8 … windows that are used again.

use super::{trail::Trail, window::Window};

const EMPTY: Window =
    Window { lo: 0.0, hi: 0.0, x: 0.0, depth: 0.0, base: 0.0, root: 0, trail: Trail::START };

/// Where the list of a half-edge lies.
#[derive(Clone, Copy, Default)]
struct Block {
    start: u32,
    len: u32,
    /// Room for `2 << class` windows, if it has any.
    class: u8,
    has_room: bool,
}

/// The lists.
#[derive(Default)]
pub struct Lists {
    blocks: Vec<Block>,
    arena: Vec<Window>,
    free: Vec<Vec<u32>>,
    live: usize,
    peak: usize,
}

impl Lists {
    /// Empties all, for so many half-edges.
    pub fn reset(&mut self, half_edges: usize) {
        self.blocks.clear();
        self.blocks.resize(half_edges, Block::default());
        self.arena.clear();
        self.free.iter_mut().for_each(Vec::clear);
        (self.live, self.peak) = (0, 0);
    }
    /// The list of a half-edge.
    #[inline]
    pub fn get(&self, h: usize) -> &[Window] {
        let block = self.blocks[h];
        let start = block.start as usize;
        &self.arena[start..start + block.len as usize]
    }
    /// Whether the list is empty.
    #[inline]
    pub fn is_empty(&self, h: usize) -> bool {
        self.blocks[h].len == 0
    }
    /// Replaces the list.
    pub fn set(&mut self, h: usize, windows: &[Window]) {
        let block = self.blocks[h];
        self.live = self.live + windows.len() - block.len as usize;
        self.peak = self.peak.max(self.live);
        if !block.has_room || windows.len() > 2 << block.class {
            self.release(h);
            let class = windows.len().max(2).next_power_of_two().trailing_zeros() as usize - 1;
            if self.free.len() <= class {
                self.free.resize(class + 1, Vec::new());
            }
            let start = self.free[class].pop().unwrap_or_else(|| {
                let start = self.arena.len() as u32;
                self.arena.resize(self.arena.len() + (2 << class), EMPTY);
                start
            });
            self.blocks[h] = Block { start, len: 0, class: class as u8, has_room: true };
        }
        let block = &mut self.blocks[h];
        block.len = windows.len() as u32;
        let start = block.start as usize;
        self.arena[start..start + windows.len()].copy_from_slice(windows);
    }
    /// Moves the list out.
    pub fn take(&mut self, h: usize, out: &mut Vec<Window>) {
        out.clear();
        out.extend_from_slice(self.get(h));
        self.live -= out.len();
        self.release(h);
    }
    fn release(&mut self, h: usize) {
        let block = std::mem::take(&mut self.blocks[h]);
        if block.has_room {
            self.free[block.class as usize].push(block.start);
        }
    }
    /// The most windows that were there at once.
    pub fn peak(&self) -> usize {
        self.peak
    }
    /// Memory of all windows and their lists [bytes].
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<Window>() + self.blocks.capacity() * size_of::<Block>()
    }
}
