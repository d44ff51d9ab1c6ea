//! A priority queue of search nodes, smallest key first.
//!
//! A 4-ary heap: half the depth of a binary one, and four 24-byte nodes share two cache lines. Keys are the bits of
//! non-negative doubles, which order like the doubles. One node may wait outside: a search that goes straight on adds
//! the node that it takes next, which then never moves through the heap. Its memory is kept from query to query.

/// A node waiting to be expanded: a cone, or a vertex if `edge` is [`super::faces::NONE`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Bits of the lower bound for the whole path [m].
    pub key: u64,
    /// See [`super::cone::Cone`].
    pub root: u32,
    pub left: u32,
    pub right: u32,
    pub edge: u32,
}

impl Node {
    /// The lower bound [m].
    pub fn bound(&self) -> f64 {
        f64::from_bits(self.key)
    }
}

/// The key of a lower bound. Rounding may take one below zero by a hair; NaN would be a defect and goes first.
#[inline]
pub(crate) fn key(bound: f64) -> u64 {
    bound.max(0.0).to_bits()
}

/// The queue.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    nodes: Vec<Node>,
    /// The node outside; [`NOBODY`] if there is none.
    front: Node,
}

/// A key that no bound has.
const NO_KEY: u64 = u64::MAX;
const NOBODY: Node = Node { key: NO_KEY, root: 0, left: 0, right: 0, edge: 0 };

impl Default for Heap {
    fn default() -> Self {
        Self { nodes: Vec::new(), front: NOBODY }
    }
}

const ARITY: usize = 4;

impl Heap {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.front = NOBODY;
    }

    /// Adds a node that may well be the next one.
    #[inline]
    pub fn push_ahead(&mut self, node: Node) {
        if self.front.key <= node.key {
            return self.push(node);
        }
        let behind = std::mem::replace(&mut self.front, node);
        if behind.key != NO_KEY {
            self.push(behind);
        }
    }

    #[inline]
    pub fn push(&mut self, node: Node) {
        let mut hole = self.nodes.len();
        self.nodes.push(node);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.nodes[parent].key <= node.key {
                break;
            }
            self.nodes[hole] = self.nodes[parent];
            hole = parent;
        }
        self.nodes[hole] = node;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Node> {
        // None of the heap's keys is that of nobody, so an empty front is not before its top.
        if self.nodes.first().map_or(NO_KEY, |top| top.key) < self.front.key {
            return self.pop_top();
        }
        let front = std::mem::replace(&mut self.front, NOBODY);
        (front.key != NO_KEY).then_some(front)
    }

    #[inline]
    fn pop_top(&mut self) -> Option<Node> {
        let last = self.nodes.pop()?;
        let Some(&top) = self.nodes.first() else { return Some(last) };
        let len = self.nodes.len();
        let mut hole = 0;
        loop {
            let first = hole * ARITY + 1;
            if first >= len {
                break;
            }
            let mut least = first;
            for child in first + 1..(first + ARITY).min(len) {
                if self.nodes[child].key < self.nodes[least].key {
                    least = child;
                }
            }
            if self.nodes[least].key >= last.key {
                break;
            }
            self.nodes[hole] = self.nodes[least];
            hole = least;
        }
        self.nodes[hole] = last;
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nodes_leave_in_order(bounds in prop::collection::vec(0.0..1e9f64, 0..200)) {
            let mut heap = Heap::default();
            for (k, &bound) in bounds.iter().enumerate() {
                let node = Node { key: key(bound), root: 0, left: 0, right: 0, edge: 0 };
                if k % 3 == 0 { heap.push(node) } else { heap.push_ahead(node) }
            }
            let mut sorted = bounds;
            sorted.sort_by(f64::total_cmp);
            for bound in sorted {
                prop_assert_eq!(heap.pop().map(|node| node.bound()), Some(bound));
            }
            prop_assert!(heap.pop().is_none());
        }
    }
}
