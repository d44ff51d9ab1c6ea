//! Progress: bars on standard error when somebody is there to see them, seconds by stage, and Ctrl-C.
//!
//! The first Ctrl-C asks the work to stop, which it does at the next place where that leaves nothing half done. The second ends
//! the process at once, but not in the middle of writing a file.

use super::output;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Serialize, Serializer};
use std::{
    io::{self, IsTerminal as _},
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use wayfare::core::{CancelFlag, Context, Progress};

/// What a shell expects of a program that Ctrl-C ended: 128 and the number of the signal.
pub const CANCELLED: u8 = 130;

/// Raised by Ctrl-C; one for the process, as the signal is.
static CANCEL: LazyLock<CancelFlag> = LazyLock::new(|| {
    // Where the system has no such signal, the process ends as it does without us.
    let _ = ctrlc::set_handler(|| {
        if CANCEL.is_cancelled() {
            let _whole_files_only = output::writing();
            std::process::exit(i32::from(CANCELLED));
        }
        CANCEL.cancel();
    });
    CancelFlag::default()
});

/// The flag that Ctrl-C raises.
pub fn cancel_flag() -> CancelFlag {
    CANCEL.clone()
}

/// Whether Ctrl-C was pressed during a work that can be stopped.
pub fn is_cancelled() -> bool {
    LazyLock::get(&CANCEL).is_some_and(CancelFlag::is_cancelled)
}

/// A context that shows bars on a terminal, and nothing elsewhere or when asked to be quiet; Ctrl-C stops its work.
pub fn context(quiet: bool) -> Context {
    start(quiet).1
}

/// The same with a clock that tells how long the stages took.
pub fn start(quiet: bool) -> (Arc<Clock>, Context) {
    let bars = (!quiet && io::stderr().is_terminal()).then(Bars::default);
    let clock = Arc::new(Clock { bars, stages: Mutex::default(), begin: Instant::now() });
    (clock.clone(), Context::new(Some(clock), CANCEL.clone()))
}

/// Measures stages and hands them on to the bars.
pub struct Clock {
    bars: Option<Bars>,
    stages: Mutex<Stages>,
    begin: Instant,
}

/// Stages within others count for those.
#[derive(Default)]
struct Stages {
    running: Vec<(String, Instant)>,
    done: Vec<(String, f64)>,
}

impl Stages {
    fn end(&mut self) {
        let Some((name, begin)) = self.running.pop() else { return };
        if !self.running.is_empty() {
            return;
        }
        let seconds = begin.elapsed().as_secs_f64();
        match self.done.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += seconds,
            None => self.done.push((name, seconds)),
        }
    }
}

impl Clock {
    /// Measures a work as one stage, whatever stages it has itself.
    pub fn time<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        self.stages().running.push((name.to_owned(), Instant::now()));
        let made = work();
        self.stages().end();
        made
    }

    /// The stages so far and the time since the start.
    pub fn seconds(&self) -> Seconds {
        let mut stages = self.stages().done.clone();
        stages.push(("total".into(), self.begin.elapsed().as_secs_f64()));
        Seconds(stages)
    }

    fn stages(&self) -> MutexGuard<'_, Stages> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Clock {
    fn begin(&self, stage: &str, steps: u64) {
        self.stages().running.push((stage.to_owned(), Instant::now()));
        self.bars.iter().for_each(|bars| bars.begin(stage, steps));
    }
    fn advance(&self, steps: u64) {
        self.bars.iter().for_each(|bars| bars.advance(steps));
    }
    fn end(&self) {
        self.stages().end();
        self.bars.iter().for_each(Bars::end);
    }
}

/// How long each stage took, in their order, and all together [s]; an object in JSON.
pub struct Seconds(Vec<(String, f64)>);

impl Seconds {
    /// Only all of it.
    pub fn total(seconds: f64) -> Self {
        Self(vec![("total".into(), seconds)])
    }

    /// For people: `0.020 s: read 0.001, plan 0.002`.
    pub fn words(&self) -> String {
        let Some(((_, total), stages)) = self.0.split_last() else { return String::new() };
        let stages: Vec<String> =
            stages.iter().map(|(name, seconds)| format!("{name} {seconds:.3}")).collect();
        format!("{total:.3} s: {}", stages.join(", "))
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, seconds)| (name.replace(' ', "_"), seconds)))
    }
}

/// One bar per running stage; stages may lie within each other.
#[derive(Default)]
struct Bars(Mutex<Vec<ProgressBar>>);

impl Bars {
    fn begin(&self, stage: &str, steps: u64) {
        let bar = if steps > 0 { ProgressBar::new(steps) } else { ProgressBar::new_spinner() };
        let style = if steps > 0 { "{msg:24} {wide_bar} {percent:>3} %" } else { "{msg:24} {spinner}" };
        // The templates are fixed; should one be wrong, the bar keeps its plain look.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_message(stage.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        self.bars().push(bar);
    }
    fn advance(&self, steps: u64) {
        if let Some(bar) = self.bars().last() {
            bar.inc(steps);
        }
    }
    fn end(&self) {
        if let Some(bar) = self.bars().pop() {
            bar.finish_and_clear();
        }
    }
    fn bars(&self) -> MutexGuard<'_, Vec<ProgressBar>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_within_a_stage_count_for_it() {
        let (clock, context) = start(true);
        clock.time("decompose", || drop(context.stage("cells", 3)));
        drop(context.stage("search tables", 0));
        drop(context.stage("search tables", 0));
        let json = serde_json::to_value(clock.seconds()).unwrap();
        let keys: Vec<_> = json.as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ["decompose", "search_tables", "total"]);
        assert!(clock.seconds().words().contains(" s: decompose 0.000, search tables 0.000"));
    }
}
