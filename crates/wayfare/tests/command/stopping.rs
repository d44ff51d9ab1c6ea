//! Ctrl-C: the work stops, no file is left half written, and the exit code says so.

#![cfg(unix)]

use crate::scratch::Scratch;
use std::{
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// A bake that takes many seconds.
const LONG: [&str; 6] = ["bake", "generated:terrain-400", "-o", "t.way", "--resolution", "0.02"];

fn start(scratch: &Scratch) -> Child {
    let child = scratch.command(&LONG).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the command can be started");
    sleep(Duration::from_millis(600));
    child
}

fn press(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill can be started").success(), "the work ended too soon for this test");
}

#[test]
fn ctrl_c_stops_a_bake_and_leaves_nothing() {
    let scratch = Scratch::new();
    let child = start(&scratch);
    press(&child);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_eq!((said.lines().count(), output.stdout.len()), (1, 0), "{said}");
    assert!(said.contains("stopped"), "{said}");
    assert_eq!(scratch.names(), [""; 0]);
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let scratch = Scratch::new();
    let mut child = start(&scratch);
    press(&child);
    let begin = Instant::now();
    // Signals that come before the first was taken melt into one with it, so the key is pressed until it works.
    let status = loop {
        sleep(Duration::from_millis(50));
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break status;
        }
        // It may have stopped by itself in between.
        let again =
            Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
        again.expect("kill can be started");
    };
    assert_eq!(status.code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert_eq!(scratch.names(), [""; 0]);
}
