//! A large set of pairs that neither cross nor share a notch.
//!
//! Idea: choosing pairs is matching notches, with the extra rule that portals do not cross. As in matching, a
//!   choice is improved along alternating paths: a free notch takes a partner, which costs at most one chosen
//!   pair, whose notches are free now and look on. A path that ends in a partner that costs nothing has gained
//!   one pair; any other path is taken back.
//! Source: local search by small swaps after Andrade, Resende and Werneck 2012, "Fast local search for the
//!   maximum independent set problem". We differ: the graph of conflicts (hundreds per pair on open ground) is
//!   never built; each triangle lists the chosen pairs that run through it, and conflicts are asked there.
//! Steps: 1. greedy, least crowded first  2. rounds of random alternating paths from every free notch.
//! Cost: O(pairs log pairs) and a bounded number of short paths per free notch; deterministic.

use std::cmp::Ordering;
use wayfare_core::DVec2;
use wayfare_geom::predicates::cross_properly;

const NONE: u32 = u32::MAX;

/// How long an alternating path gets before it is given up.
const LONGEST_PATH: usize = 8;

/// A possible portal between two notches, each in the other's area of interest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pair {
    /// The two notches, lower number first.
    pub notches: [u32; 2],
    /// The square of the portal's length.
    pub length_squared: f64,
}

impl Pair {
    /// Shortest first; ties by number.
    pub fn by_length(&self, other: &Self) -> Ordering {
        self.length_squared.total_cmp(&other.length_squared).then(self.notches.cmp(&other.notches))
    }
}

/// Pairs, the triangles they run through, and which of them are chosen.
pub(crate) struct Matching<'a> {
    points: &'a [DVec2],
    pairs: &'a [Pair],
    /// The pairs of each notch, shortest first: offsets and flat list.
    notch_starts: Vec<u32>,
    notch_pairs: Vec<u32>,
    /// The triangles of each pair: offsets and flat list. A position in it is a "slot".
    slot_starts: &'a [u32],
    slots: &'a [u32],
    /// The chosen pairs of each triangle as a doubly linked list of slots.
    first_slot: Vec<u32>,
    next_slot: Vec<u32>,
    last_slot: Vec<u32>,
    slot_pair: Vec<u32>,
    /// The chosen pair of each notch.
    chosen_at: Vec<u32>,
    size: usize,
    length: f64,
    /// Changes since the last good state: pair and whether it was put in.
    log: Vec<(u32, bool)>,
    /// Pairs that a path may go on with, and the pair that each of them costs.
    options: Vec<(u32, u32)>,
    random: u64,
}

impl<'a> Matching<'a> {
    /// Pairs over `points`; pair `k` runs through the triangles `slots[slot_starts[k]..slot_starts[k + 1]]`.
    pub fn new(
        points: &'a [DVec2],
        pairs: &'a [Pair],
        slot_starts: &'a [u32],
        slots: &'a [u32],
        triangle_count: usize,
    ) -> Self {
        let mut notch_starts = vec![0u32; points.len() + 1];
        for pair in pairs {
            for v in pair.notches {
                notch_starts[v as usize + 1] += 1;
            }
        }
        for k in 0..points.len() {
            notch_starts[k + 1] += notch_starts[k];
        }
        let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| pairs[a as usize].by_length(&pairs[b as usize]));
        let mut fill = notch_starts.clone();
        let mut notch_pairs = vec![0; pairs.len() * 2];
        for k in order {
            for v in pairs[k as usize].notches {
                notch_pairs[fill[v as usize] as usize] = k;
                fill[v as usize] += 1;
            }
        }
        let slot_pair = (0..pairs.len() as u32)
            .flat_map(|k| {
                std::iter::repeat_n(k, (slot_starts[k as usize + 1] - slot_starts[k as usize]) as usize)
            })
            .collect();
        Self {
            points,
            pairs,
            notch_starts,
            notch_pairs,
            slot_starts,
            slots,
            first_slot: vec![NONE; triangle_count],
            next_slot: vec![NONE; slots.len()],
            last_slot: vec![NONE; slots.len()],
            slot_pair,
            chosen_at: vec![NONE; points.len()],
            size: 0,
            length: 0.0,
            log: Vec::new(),
            options: Vec::new(),
            // Any fixed odd number will do: the same plan gives the same cells.
            random: 0x9E37_79B9_7F4A_7C15,
        }
    }

    /// Chooses a large set of compatible pairs; `paths` is the number of paths tried from each free notch.
    pub fn solve(mut self, paths: usize) -> Vec<u32> {
        self.greedy();
        self.improve(paths);
        (0..self.pairs.len() as u32).filter(|&k| self.is_chosen(k)).collect()
    }

    fn pairs_of(&self, notch: u32) -> std::ops::Range<usize> {
        self.notch_starts[notch as usize] as usize..self.notch_starts[notch as usize + 1] as usize
    }

    fn slots_of(&self, pair: u32) -> std::ops::Range<usize> {
        self.slot_starts[pair as usize] as usize..self.slot_starts[pair as usize + 1] as usize
    }

    fn is_chosen(&self, pair: u32) -> bool {
        self.chosen_at[self.pairs[pair as usize].notches[0] as usize] == pair
    }

    fn choose(&mut self, pair: u32) {
        for v in self.pairs[pair as usize].notches {
            debug_assert_eq!(self.chosen_at[v as usize], NONE);
            self.chosen_at[v as usize] = pair;
        }
        for slot in self.slots_of(pair) {
            let head = &mut self.first_slot[self.slots[slot] as usize];
            self.next_slot[slot] = *head;
            self.last_slot[slot] = NONE;
            if *head != NONE {
                self.last_slot[*head as usize] = slot as u32;
            }
            *head = slot as u32;
        }
        self.size += 1;
        self.length += self.pairs[pair as usize].length_squared.sqrt();
        self.log.push((pair, true));
    }

    fn drop(&mut self, pair: u32) {
        for v in self.pairs[pair as usize].notches {
            self.chosen_at[v as usize] = NONE;
        }
        for slot in self.slots_of(pair) {
            let (before, after) = (self.last_slot[slot], self.next_slot[slot]);
            if before == NONE {
                self.first_slot[self.slots[slot] as usize] = after;
            } else {
                self.next_slot[before as usize] = after;
            }
            if after != NONE {
                self.last_slot[after as usize] = before;
            }
        }
        self.size -= 1;
        self.length -= self.pairs[pair as usize].length_squared.sqrt();
        self.log.push((pair, false));
    }

    /// The chosen pair that stands in the way of `pair`: `Ok(NONE)` if there is none, `Err` if there are
    /// several.
    fn obstacle(&self, pair: u32) -> Result<u32, ()> {
        let [a, b] = self.pairs[pair as usize].notches;
        let (at_a, at_b) = (self.chosen_at[a as usize], self.chosen_at[b as usize]);
        if at_a != NONE && at_b != NONE && at_a != at_b {
            return Err(());
        }
        let mut found = if at_a != NONE { at_a } else { at_b };
        let (pa, pb) = (self.points[a as usize], self.points[b as usize]);
        for slot in self.slots_of(pair) {
            let mut other = self.first_slot[self.slots[slot] as usize];
            while other != NONE {
                let chosen = self.slot_pair[other as usize];
                other = self.next_slot[other as usize];
                if chosen == found {
                    continue;
                }
                // One that shares a notch was met above; two with a common end do not cross.
                let [c, d] = self.pairs[chosen as usize].notches;
                if cross_properly(pa, pb, self.points[c as usize], self.points[d as usize]) {
                    if found != NONE {
                        return Err(());
                    }
                    found = chosen;
                }
            }
        }
        Ok(found)
    }

    /// Takes pairs that stand in few others' way first.
    fn greedy(&mut self) {
        let mut crowd = vec![0u32; self.first_slot.len()];
        for &triangle in self.slots {
            crowd[triangle as usize] += 1;
        }
        let mut order: Vec<(u32, u64, u32)> = (0..self.pairs.len() as u32)
            .map(|k| {
                let pair = &self.pairs[k as usize];
                let crossing: u32 = self.slots_of(k).map(|slot| crowd[self.slots[slot] as usize] - 1).sum();
                let sharing: usize = pair.notches.iter().map(|&v| self.pairs_of(v).len() - 1).sum();
                (crossing + sharing as u32, pair.length_squared.to_bits(), k)
            })
            .collect();
        order.sort_unstable();
        for (.., pair) in order {
            if self.obstacle(pair) == Ok(NONE) {
                self.choose(pair);
            }
        }
        self.log.clear();
    }

    fn random_below(&mut self, n: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((u128::from(self.random) * n as u128) >> 64) as usize
    }

    /// Alternating paths from every free notch, in rounds, while they gain something.
    fn improve(&mut self, paths: usize) {
        let mut free: Vec<u32> = Vec::new();
        for round in 0..paths {
            free.clear();
            let notches = 0..self.points.len() as u32;
            free.extend(
                notches.filter(|&v| self.chosen_at[v as usize] == NONE && !self.pairs_of(v).is_empty()),
            );
            let keep = round * 4 >= paths * 3;
            for &notch in &free {
                if self.chosen_at[notch as usize] == NONE {
                    self.walk(notch, keep);
                }
            }
        }
    }

    /// One alternating path; afterwards the set is not smaller, and if it is not larger, not longer.
    fn walk(&mut self, start: u32, keep: bool) {
        let (size, length) = (self.size, self.length);
        self.log.clear();
        let mut notch = start;
        let mut options = std::mem::take(&mut self.options);
        let mut last_dropped = NONE;
        for _ in 0..LONGEST_PATH {
            options.clear();
            for k in self.pairs_of(notch) {
                let pair = self.notch_pairs[k];
                match self.obstacle(pair) {
                    Ok(NONE) => {
                        self.choose(pair);
                        options.clear();
                        break;
                    }
                    Ok(obstacle) if pair != last_dropped => options.push((pair, obstacle)),
                    _ => {}
                }
            }
            if self.size > size || options.is_empty() {
                break;
            }
            let (pair, obstacle) = options[self.random_below(options.len())];
            self.drop(obstacle);
            self.choose(pair);
            last_dropped = obstacle;
            // The path goes on from a notch that has just lost its partner.
            let freed =
                self.pairs[obstacle as usize].notches.map(|v| (v, self.chosen_at[v as usize] == NONE));
            notch = match freed {
                [(a, true), (b, true)] => {
                    // Both are free: one may find a partner at once.
                    if self.settle(a) { b } else { a }
                }
                [(a, true), _] => a,
                [_, (b, true)] => b,
                _ => break,
            };
        }
        self.options = options;
        if self.size > size || self.size == size && (!keep || self.length <= length) {
            return;
        }
        while let Some((pair, put_in)) = self.log.pop() {
            if put_in {
                self.drop(pair)
            } else {
                self.choose(pair)
            }
            self.log.pop();
        }
        self.length = length;
    }

    /// Gives a free notch a partner that costs nothing, if there is one.
    fn settle(&mut self, notch: u32) -> bool {
        for k in self.pairs_of(notch) {
            let pair = self.notch_pairs[k];
            if self.obstacle(pair) == Ok(NONE) {
                self.choose(pair);
                return true;
            }
        }
        false
    }
}
