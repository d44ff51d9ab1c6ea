//! Colours: a calm set for cells, quiet lines, one loud colour for the path.

use crate::COLOURS;
use std::fmt::Write as _;

/// Which colours a picture has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light, or dark where the viewer prefers that (programs that do not know preferences show light).
    #[default]
    Auto,
    /// Dark lines on a light ground.
    Light,
    /// Light lines on a dark ground.
    Dark,
}

struct Palette {
    page: &'static str,
    ground: &'static str,
    obstacle: &'static str,
    wall: &'static str,
    portal: &'static str,
    drop: &'static str,
    seam: &'static str,
    border: &'static str,
    text: &'static str,
    notch: &'static str,
    path: &'static str,
    /// Under the path and its ends, so that they stand out from any cell.
    casing: &'static str,
    cells: [&'static str; COLOURS],
}

/// Six hues at one lightness (OKLCH 0.88, chroma 0.05): told apart easily, none in front of another.
const LIGHT: Palette = Palette {
    page: "#ffffff",
    ground: "#eef1f4",
    obstacle: "#ccd2d9",
    wall: "#27313d",
    portal: "#66788a",
    drop: "#0b74c4",
    seam: "#8a4fc7",
    border: "#3f8f4f",
    text: "#3c4855",
    notch: "#b4530a",
    path: "#c2183c",
    casing: "#ffffff",
    cells: ["#bfdaf2", "#c9e4c5", "#f2deb4", "#f1cdd0", "#d8d0f0", "#b9e3df"],
};

/// The same hues at OKLCH lightness 0.40.
const DARK: Palette = Palette {
    page: "#12161b",
    ground: "#39434e",
    obstacle: "#20272e",
    wall: "#d7dee6",
    portal: "#8fa3b5",
    drop: "#5cb3f5",
    seam: "#c79bf2",
    border: "#7fca8d",
    text: "#c4cdd6",
    notch: "#ffb066",
    path: "#ff7a6b",
    casing: "#12161b",
    cells: ["#2a4a66", "#31523a", "#57491f", "#5a3a41", "#473f66", "#1f5450"],
};

impl Theme {
    /// The rules of the picture's `<style>`.
    pub(super) fn style(self) -> String {
        match self {
            Self::Light => LIGHT.rules(),
            Self::Dark => DARK.rules(),
            Self::Auto => format!("{}@media(prefers-color-scheme:dark){{{}}}", LIGHT.rules(), DARK.rules()),
        }
    }
}

impl Palette {
    fn rules(&self) -> String {
        let mut out = format!(
            ".page{{fill:{}}}.ground{{fill:{}}}.obstacle{{fill:{}}}.wall{{stroke:{}}}.portal{{stroke:{}}}\
             .drop{{stroke:{}}}.seam{{stroke:{}}}.border{{stroke:{}}}text{{fill:{}}}.bar{{stroke:{}}}.notch{{fill:{}}}.path{{stroke:{}}}.casing{{stroke:{}}}\
             .start{{fill:{};stroke:{}}}.goal{{fill:{};stroke:{}}}",
            self.page,
            self.ground,
            self.obstacle,
            self.wall,
            self.portal,
            self.drop,
            self.seam,
            self.border,
            self.text,
            self.text,
            self.notch,
            self.path,
            self.casing,
            self.casing,
            self.path,
            self.path,
            self.casing,
        );
        for (k, colour) in self.cells.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(out, ".c{k}{{fill:{colour}}}");
        }
        out
    }
}
