//! The edges that a sweep line cuts, from below upwards.
//!
//! Idea: a treap (heap order on hashes of the edge numbers) whose nodes are also chained, so that the
//! neighbours of an edge are at hand. The caller knows the place of nearly every edge from another edge
//! that ends where it begins, so the tree is searched only where a ring begins to the right.
//! Source: Aragon and Seidel 1989, "Randomized search trees". Ours is not random: the hash decides the
//! shape, and the shape never shows in a result.
//! Cost: O(log n) expected to insert, remove and search; O(1) to replace and for neighbours.

/// No edge.
pub(crate) const NONE: u32 = u32::MAX;

/// A node per edge of the whole input; only those inserted are in the tree.
pub(crate) struct Status {
    nodes: Vec<Node>,
    root: u32,
    lowest: u32,
}

#[derive(Clone, Copy)]
struct Node {
    left: u32,
    right: u32,
    parent: u32,
    below: u32,
    above: u32,
    priority: u32,
}

impl Status {
    /// An empty status over edges `0..count`.
    pub fn new(count: usize) -> Self {
        let fresh = Node { left: NONE, right: NONE, parent: NONE, below: NONE, above: NONE, priority: 0 };
        Self { nodes: vec![fresh; count], root: NONE, lowest: NONE }
    }
    /// The edge just below `e`.
    pub fn below(&self, e: u32) -> u32 {
        self.nodes[e as usize].below
    }
    /// The edge just above `e`; of nothing, the lowest edge.
    pub fn above(&self, e: u32) -> u32 {
        if e == NONE { self.lowest } else { self.nodes[e as usize].above }
    }
    /// The last edge for which `is_below` holds; it must hold for a lower part of the edges and no other.
    pub fn last_where(&self, is_below: impl Fn(u32) -> bool) -> u32 {
        let (mut at, mut last) = (self.root, NONE);
        while at != NONE {
            if is_below(at) {
                last = at;
                at = self.nodes[at as usize].right;
            } else {
                at = self.nodes[at as usize].left;
            }
        }
        last
    }
    /// Puts `e` just above `under` (lowest of all above nothing).
    pub fn insert_above(&mut self, under: u32, e: u32) {
        let over = self.above(under);
        let hash = u64::from(e).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut node = Node {
            left: NONE,
            right: NONE,
            parent: NONE,
            below: under,
            above: over,
            priority: (hash >> 32) as u32,
        };
        match under {
            NONE => self.lowest = e,
            under => self.nodes[under as usize].above = e,
        }
        if over != NONE {
            self.nodes[over as usize].below = e;
        }
        // One of the two neighbours has room on this side: they are next to each other in the tree's order.
        if under != NONE && self.nodes[under as usize].right == NONE {
            self.nodes[under as usize].right = e;
            node.parent = under;
        } else if over != NONE {
            self.nodes[over as usize].left = e;
            node.parent = over;
        } else {
            self.root = e;
        }
        self.nodes[e as usize] = node;
        while node.parent != NONE && self.nodes[node.parent as usize].priority < node.priority {
            self.rotate_up(e);
            node.parent = self.nodes[e as usize].parent;
        }
    }
    /// Takes `e` out.
    pub fn remove(&mut self, e: u32) {
        // Down to a leaf, the better child coming up each time.
        loop {
            let Node { left, right, .. } = self.nodes[e as usize];
            let priority =
                |child: u32| if child == NONE { None } else { Some(self.nodes[child as usize].priority) };
            let child = if priority(left) > priority(right) { left } else { right };
            if child == NONE {
                break;
            }
            self.rotate_up(child);
        }
        let Node { parent, below, above, .. } = self.nodes[e as usize];
        self.hang(parent, e, NONE);
        match below {
            NONE => self.lowest = above,
            below => self.nodes[below as usize].above = above,
        }
        if above != NONE {
            self.nodes[above as usize].below = below;
        }
    }
    /// Puts `new` in the place of `old`.
    pub fn replace(&mut self, old: u32, new: u32) {
        let node = self.nodes[old as usize];
        self.nodes[new as usize] = node;
        self.hang(node.parent, old, new);
        for child in [node.left, node.right] {
            if child != NONE {
                self.nodes[child as usize].parent = new;
            }
        }
        match node.below {
            NONE => self.lowest = new,
            below => self.nodes[below as usize].above = new,
        }
        if node.above != NONE {
            self.nodes[node.above as usize].below = new;
        }
    }

    /// Hangs `new` where `old` hung.
    fn hang(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
        } else {
            let parent = &mut self.nodes[parent as usize];
            if parent.left == old {
                parent.left = new;
            } else {
                parent.right = new;
            }
        }
    }
    /// Swaps `e` with its parent, keeping the order.
    fn rotate_up(&mut self, e: u32) {
        let parent = self.nodes[e as usize].parent;
        let grand = self.nodes[parent as usize].parent;
        let inner = if self.nodes[parent as usize].left == e {
            let inner = self.nodes[e as usize].right;
            self.nodes[parent as usize].left = inner;
            self.nodes[e as usize].right = parent;
            inner
        } else {
            let inner = self.nodes[e as usize].left;
            self.nodes[parent as usize].right = inner;
            self.nodes[e as usize].left = parent;
            inner
        };
        if inner != NONE {
            self.nodes[inner as usize].parent = parent;
        }
        self.nodes[parent as usize].parent = e;
        self.nodes[e as usize].parent = grand;
        self.hang(grand, parent, e);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_status_keeps_the_order_of_a_plain_list(steps in prop::collection::vec((0u8..4, any::<u16>()), 1..300)) {
            let mut status = Status::new(300);
            let mut list: Vec<u32> = Vec::new();
            let mut unused: Vec<u32> = (0..300).collect();
            for (step, choice) in steps {
                let choice = usize::from(choice);
                match step {
                    0 | 1 => {
                        let e = unused.pop().unwrap();
                        let at = choice % (list.len() + 1);
                        status.insert_above(if at == 0 { NONE } else { list[at - 1] }, e);
                        list.insert(at, e);
                    }
                    2 if !list.is_empty() => {
                        let e = list.remove(choice % list.len());
                        status.remove(e);
                    }
                    3 if !list.is_empty() => {
                        let at = choice % list.len();
                        let new = unused.pop().unwrap();
                        status.replace(list[at], new);
                        list[at] = new;
                    }
                    _ => {}
                }
                let mut walked = Vec::new();
                let mut at = status.above(NONE);
                while at != NONE {
                    walked.push(at);
                    prop_assert_eq!(status.below(at), if walked.len() > 1 { walked[walked.len() - 2] } else { NONE });
                    at = status.above(at);
                }
                prop_assert_eq!(&walked, &list);
                for cut in 0..=list.len() {
                    let lower = &list[..cut];
                    let expected = lower.last().copied().unwrap_or(NONE);
                    prop_assert_eq!(status.last_where(|e| lower.contains(&e)), expected);
                }
            }
        }
    }
}
