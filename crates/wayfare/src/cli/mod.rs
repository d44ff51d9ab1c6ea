//! The command line: one file per verb, and what the verbs share.
//!
//! Exit codes: 0 done; 1 done, but the answer is no; 2 failed, with one clear line on standard error; 130 stopped by Ctrl-C.
//! With `--json` standard output holds one JSON object and nothing else.

mod answer;
mod bake;
mod check;
mod crowd;
mod crowd_file;
mod crowd_picture;
mod demo;
mod draw;
mod explain;
mod export;
mod gaps;
mod geodesic;
mod info;
mod input;
mod ledge_args;
mod limit_args;
mod link;
mod link_path;
mod locate;
mod make;
mod missing;
mod no_ground;
mod output;
mod path;
mod path_pieces;
mod prefer_args;
mod progress;
mod queries;
mod random;
mod raycast;
mod reach_hint;
mod read_args;
mod scale_hint;
mod scene_summary;
mod segment;
mod settings;
mod stages;
mod summary;
mod surface_show;
mod surface_summary;
mod up_hint;
mod usage;
mod values;
mod view;
mod volume;
mod volume_locate;
mod volume_path;
mod volume_show;
mod volume_summary;

use answer::{Answer, one_line, sentence};
use clap::{CommandFactory as _, Parser, Subcommand};
use std::process::ExitCode;

/// Turns 3D scenes and floor plans into navigation meshes with few convex cells, and finds true shortest paths on them.
///
/// Exit codes: 0 done; 1 done, but the answer is no (no path, check failed, nothing walkable); 2 failed; 130 stopped.
#[derive(Debug, Parser)]
#[command(name = "wayfare", version, propagate_version = true, max_term_width = 100)]
struct Command {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    common: Common,
}

/// What every verb understands.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Common {
    /// Print one JSON object on standard output and nothing else there
    #[arg(long, global = true, display_order = 900)]
    json: bool,
    /// No progress bars and no remarks on standard error
    #[arg(long, short, global = true, display_order = 901)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Bake(bake::Bake),
    Info(info::Info),
    Check(check::Check),
    Export(export::Export),
    Locate(locate::Locate),
    Path(path::Path),
    Explain(explain::Explain),
    Gaps(gaps::Gaps),
    Raycast(raycast::Raycast),
    Random(random::Random),
    Geodesic(geodesic::Geodesic),
    Segment(segment::Segment),
    Crowd(crowd::Crowd),
    Draw(draw::Draw),
    Volume(volume::Volume),
    Link(link::Link),
    View(view::View),
    Demo(demo::Demo),
}

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    report_panics_in_one_line();
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(error) => return usage::answer(&error, verb_asked_for().as_deref()),
    };
    let Command { verb, common } = command;
    let outcome = match verb {
        Verb::Bake(verb) => verb.run(common),
        Verb::Info(verb) => verb.run(common),
        Verb::Check(verb) => verb.run(common),
        Verb::Export(verb) => verb.run(common),
        Verb::Locate(verb) => verb.run(common),
        Verb::Path(verb) => verb.run(common),
        Verb::Explain(verb) => verb.run(common),
        Verb::Gaps(verb) => verb.run(common),
        Verb::Raycast(verb) => verb.run(common),
        Verb::Random(verb) => verb.run(common),
        Verb::Geodesic(verb) => verb.run(common),
        Verb::Segment(verb) => verb.run(common),
        Verb::Crowd(verb) => verb.run(common),
        Verb::Draw(verb) => verb.run(common),
        Verb::Volume(verb) => verb.run(common),
        Verb::Link(verb) => verb.run(common),
        Verb::View(verb) => verb.run(common),
        Verb::Demo(verb) => verb.run(common),
    };
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(_) if progress::is_cancelled() => {
            output::remark(false, "stopped; no file was left half written");
            ExitCode::from(progress::CANCELLED)
        }
        Err(error) => no_ground::answer(&error, common).unwrap_or_else(|| output::fail(&sentence(&error))),
    }
}

/// The first argument that is the name of a verb.
fn verb_asked_for() -> Option<String> {
    let command = Command::command();
    let is_verb = |argument: &String| command.find_subcommand(argument).is_some();
    std::env::args_os().skip(1).filter_map(|argument| argument.into_string().ok()).find(is_verb)
}

/// A panic is a bug, but it must not reach the user as a wall of text, whatever thread it happens on.
fn report_panics_in_one_line() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        let message = panic.payload_as_str().unwrap_or("unknown");
        eprintln!(
            "error: a mistake in wayfare, not in the input: {}{}; please report it",
            one_line(message),
            place.unwrap_or_default()
        );
        std::process::exit(2);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::scene::generated::scenes::SCENE_NAMES;

    #[test]
    fn the_page_about_the_command_line_names_every_verb_option_and_generated_scene() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cli.md");
        let page = std::fs::read_to_string(page).unwrap();
        let is_named = |option: &str| {
            page.match_indices(option).any(|(at, _)| {
                let next = page[at + option.len()..].chars().next();
                next.is_none_or(|letter| !letter.is_alphanumeric() && letter != '-')
            })
        };
        let mut missing = Vec::new();
        for verb in Command::command().get_subcommands() {
            let name = verb.get_name();
            if !page.contains(&format!("\n## {name}\n")) || !page.contains(&format!("[`{name}`](#{name})")) {
                missing.push(name.to_owned());
            }
            let options = verb.get_arguments().filter_map(clap::Arg::get_long);
            missing.extend(options.map(|option| format!("--{option}")).filter(|option| !is_named(option)));
        }
        let scenes = SCENE_NAMES.iter().map(|name| name.split(' ').next().unwrap_or(name));
        missing.extend(scenes.filter(|name| !page.contains(&format!("`{name}`"))).map(str::to_owned));
        assert!(missing.is_empty(), "not in docs/cli.md: {missing:?}");
    }
}
