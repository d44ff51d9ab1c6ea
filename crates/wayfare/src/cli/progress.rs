//! Progress bars on standard error, when somebody is there to see them.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{self, IsTerminal as _},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use wayfare::core::{CancelFlag, Context, Progress};

/// A context that shows bars on a terminal, and nothing elsewhere or when asked to be quiet.
pub fn context(quiet: bool) -> Context {
    let progress: Option<Arc<dyn Progress>> = match quiet || !io::stderr().is_terminal() {
        true => None,
        false => Some(Arc::new(Bars::default())),
    };
    Context::new(progress, CancelFlag::default())
}

/// One bar per running stage; stages may lie within each other.
#[derive(Default)]
struct Bars(Mutex<Vec<ProgressBar>>);

impl Progress for Bars {
    fn begin(&self, stage: &str, steps: u64) {
        let bar = if steps > 0 { ProgressBar::new(steps) } else { ProgressBar::new_spinner() };
        let style = if steps > 0 { "{msg:24} {wide_bar} {percent:>3} %" } else { "{msg:24} {spinner}" };
        // The templates are fixed; should one be wrong, the bar keeps its plain look.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_message(stage.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(bar);
    }
    fn advance(&self, steps: u64) {
        if let Some(bar) = self.0.lock().unwrap_or_else(PoisonError::into_inner).last() {
            bar.inc(steps);
        }
    }
    fn end(&self) {
        if let Some(bar) = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            bar.finish_and_clear();
        }
    }
}
