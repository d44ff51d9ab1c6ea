//! One bake at a time, whose progress the page sees and that can be cancelled.

use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wayfare::core::{CancelFlag, Progress};

/// The bake that runs, if one does.
#[derive(Default)]
pub struct Baking(Mutex<Option<Running>>);

struct Running {
    socket: u64,
    id: u64,
    cancel: CancelFlag,
}

/// Held while a bake runs.
pub struct Turn<'a> {
    baking: &'a Baking,
    pub cancel: CancelFlag,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.baking.lock() = None;
    }
}

impl Baking {
    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a bake for the question of a socket; nothing if one is running.
    pub fn begin(&self, socket: u64, id: u64) -> Option<Turn<'_>> {
        let mut running = self.lock();
        if running.is_some() {
            return None;
        }
        let cancel = CancelFlag::default();
        *running = Some(Running { socket, id, cancel: cancel.clone() });
        Some(Turn { baking: self, cancel })
    }

    /// Stops the bake of a socket, if it is the one that was asked for by that question, or any of its own.
    pub fn cancel(&self, socket: u64, id: Option<u64>) {
        if let Some(running) = self.lock().as_ref()
            && running.socket == socket
            && id.is_none_or(|id| id == running.id)
        {
            running.cancel.cancel();
        }
    }
}

/// Progress that is said to the page: at the beginning of each stage, then at each hundredth of it.
pub struct Told {
    stages: Mutex<Vec<(String, u64, u64)>>,
    say: Box<dyn Fn(Value) + Send + Sync>,
}

impl Told {
    pub fn new(say: impl Fn(Value) + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { stages: Mutex::default(), say: Box::new(say) })
    }

    fn stages(&self) -> MutexGuard<'_, Vec<(String, u64, u64)>> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Told {
    fn begin(&self, stage: &str, steps: u64) {
        self.stages().push((stage.to_owned(), 0, steps));
        (self.say)(json!({"stage": stage, "share": if steps > 0 { Some(0.0) } else { None }}));
    }
    fn advance(&self, steps: u64) {
        let mut stages = self.stages();
        let Some((stage, done, all)) = stages.last_mut() else { return };
        let before = *done * 100 / (*all).max(1);
        *done = done.saturating_add(steps).min(*all);
        if *done * 100 / (*all).max(1) > before {
            (self.say)(json!({"stage": stage, "share": *done as f64 / *all as f64}));
        }
    }
    fn end(&self) {
        if let Some((stage, ..)) = self.stages().pop() {
            (self.say)(json!({"stage": stage, "share": 1.0}));
        }
    }
}
