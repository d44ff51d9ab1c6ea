//! A queue in buckets of equal width: what is in one bucket comes out in the order in which it went in.

/// Not in the queue.
const OUT: u32 = u32::MAX;
/// The last bucket takes all that lies beyond.
const LAST: usize = 1 << 22;

/// Items by a key that grows, by and large.
#[derive(Default)]
pub struct Buckets {
    width: f64,
    /// From `first` on.
    buckets: Vec<Vec<u32>>,
    spare: Vec<Vec<u32>>,
    /// The bucket of each item.
    place: Vec<u32>,
    now: usize,
    /// How far the present bucket has been read.
    read: usize,
    count: usize,
}

impl Buckets {
    /// Empties it, for so many items.
    pub fn reset(&mut self, items: usize, width: f64) {
        self.width = width;
        for mut bucket in self.buckets.drain(..) {
            bucket.clear();
            // Buckets that were read have given their memory away already.
            if bucket.capacity() > 0 {
                self.spare.push(bucket);
            }
        }
        self.place.clear();
        self.place.resize(items, OUT);
        (self.now, self.read, self.count) = (0, 0, 0);
    }
    /// Puts an item in, or forward.
    #[inline]
    pub fn push(&mut self, item: usize, key: f64) {
        // A key of the past belongs to the present.
        let bucket = ((key / self.width) as usize).min(LAST).max(self.now);
        let place = self.place[item];
        if place as usize <= bucket {
            return;
        }
        if place == OUT {
            self.count += 1;
        }
        self.place[item] = bucket as u32;
        while self.buckets.len() <= bucket {
            self.buckets.push(self.spare.pop().unwrap_or_default());
        }
        self.buckets[bucket].push(item as u32);
    }
    /// The next item.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        if self.count == 0 {
            return None;
        }
        loop {
            let bucket = self.buckets.get_mut(self.now)?;
            if let Some(&item) = bucket.get(self.read) {
                self.read += 1;
                if self.place[item as usize] as usize == self.now {
                    self.place[item as usize] = OUT;
                    self.count -= 1;
                    return Some(item as usize);
                }
                continue;
            }
            let mut done = std::mem::take(bucket);
            done.clear();
            self.spare.push(done);
            self.now += 1;
            self.read = 0;
        }
    }
    /// No key in the queue is below this, but for items that were put in too late.
    pub fn bound(&self) -> f64 {
        self.now as f64 * self.width
    }
    /// Memory [bytes].
    pub fn bytes(&self) -> usize {
        let items: usize = self.buckets.iter().chain(&self.spare).map(Vec::capacity).sum();
        4 * (items + self.place.capacity())
            + (self.buckets.capacity() + self.spare.capacity()) * size_of::<Vec<u32>>()
    }
}
