//! What every long work takes along: progress to report to and a flag that stops it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Where progress goes; the command line draws bars with it.
pub trait Progress: Send + Sync {
    /// A stage begins; `steps` is the number of steps it will report, 0 if unknown.
    fn begin(&self, stage: &str, steps: u64);
    /// `steps` more steps of the current stage are done.
    fn advance(&self, steps: u64);
    /// The current stage ended.
    fn end(&self);
}

/// A flag that another thread raises to stop a work.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks every work that holds this flag to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The work was stopped through its [`CancelFlag`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Progress and cancel flag of one work. `Context::default()` reports nowhere and is never cancelled.
#[derive(Clone, Default)]
pub struct Context {
    progress: Option<Arc<dyn Progress>>,
    cancel: CancelFlag,
}

impl Context {
    /// A context that reports to `progress` and stops when `cancel` is raised.
    pub fn new(progress: Option<Arc<dyn Progress>>, cancel: CancelFlag) -> Self {
        Self { progress, cancel }
    }
    /// Announces a stage; it ends when the guard is dropped.
    pub fn stage(&self, name: &str, steps: u64) -> Stage<'_> {
        if let Some(progress) = &self.progress {
            progress.begin(name, steps);
        }
        Stage { context: self }
    }
    /// Fails when the work was cancelled; to be asked every few milliseconds of work.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.cancel.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// A running stage of a [`Context`].
pub struct Stage<'a> {
    context: &'a Context,
}

impl Stage<'_> {
    /// Reports `steps` more steps done.
    pub fn advance(&self, steps: u64) {
        if let Some(progress) = &self.context.progress {
            progress.advance(steps);
        }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if let Some(progress) = &self.context.progress {
            progress.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);
    impl Progress for Log {
        fn begin(&self, stage: &str, steps: u64) {
            self.0.lock().unwrap().push(format!("{stage}/{steps}"));
        }
        fn advance(&self, steps: u64) {
            self.0.lock().unwrap().push(format!("+{steps}"));
        }
        fn end(&self) {
            self.0.lock().unwrap().push("end".into());
        }
    }

    #[test]
    fn a_stage_reports_its_begin_its_steps_and_its_end() {
        let log = Arc::new(Log::default());
        let context = Context::new(Some(log.clone()), CancelFlag::default());
        context.stage("read", 3).advance(2);
        assert_eq!(*log.0.lock().unwrap(), ["read/3", "+2", "end"]);
    }

    #[test]
    fn a_raised_flag_stops_every_clone_of_the_context() {
        let flag = CancelFlag::default();
        let context = Context::new(None, flag.clone()).clone();
        assert_eq!(context.check(), Ok(()));
        flag.cancel();
        assert_eq!(context.check(), Err(Cancelled));
    }
}
