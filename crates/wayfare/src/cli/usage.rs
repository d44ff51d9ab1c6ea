//! Wrong options in one line, help and version in full.

use super::{answer::one_line, output};
use clap::error::ErrorKind;
use std::process::ExitCode;

/// Prints what clap has to say and returns the exit code: 0 for help and version, 2 for wrong options.
///
/// `verb` is the verb that was asked for, if there is one.
pub fn answer(error: &clap::Error, verb: Option<&str>) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Coloured on a terminal only; a closed pipe is no failure.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => output::fail(
            "no verb given; `wayfare demo` shows what there is, `wayfare --help` lists the verbs",
        ),
        _ => output::fail(&shortened(&error.render().to_string(), verb)),
    }
}

/// Keeps the sentence and the tip, leaves out the usage.
fn shortened(rendered: &str, verb: Option<&str>) -> String {
    let (what, usage) = rendered.split_once("Usage:").unwrap_or((rendered, ""));
    let what = what.split("For more information").next().unwrap_or(what);
    // What comes behind `--` is no option here, so that tip leads nowhere.
    let tips = |what: &str| {
        let mut parts = what.split("\n\n  tip: ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.filter(|tip| !tip.contains("use '-- ")).fold(first, |all, tip| all + "; " + tip)
    };
    let what = one_line(&tips(what.trim().trim_start_matches("error:")));
    // The usage begins with the command and the verb.
    let command: Vec<&str> = usage
        .split_whitespace()
        .take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    // A wrong value comes without usage.
    let command = match verb {
        _ if !command.is_empty() => command.join(" "),
        Some(verb) => format!("wayfare {verb}"),
        None => "wayfare".to_owned(),
    };
    format!("{what}; see `{command} --help`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_option_is_one_line_with_the_tip_and_the_help_to_ask_for() {
        let text = "error: unexpected argument '--rad' found\n\n  tip: a similar argument exists: '--radius'\n\n\
             Usage: wayfare path <MESH> --from <X,Y,Z>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            shortened(text, Some("path")),
            "unexpected argument '--rad' found; a similar argument exists: '--radius'; see `wayfare path --help`"
        );
        let text = "error: unexpected argument '-1' found\n\n  tip: to pass '-1' as a value, use '-- -1'\n\n\
             Usage: wayfare draw <FILE>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            shortened(text, Some("draw")),
            "unexpected argument '-1' found; see `wayfare draw --help`"
        );
        let text = "error: invalid value 'x' for '--snap <M>': 'x' is not a number\n\n\
             For more information, try '--help'.\n";
        let said = "invalid value 'x' for '--snap <M>': 'x' is not a number; see `wayfare path --help`";
        assert_eq!(shortened(text, Some("path")), said);
    }
}
