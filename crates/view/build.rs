//! Embeds the viewer's page if it was built (`cargo xtask page`); builds and downloads nothing itself.

use std::{env, fs, path::Path};

fn main() {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../viewer/dist");
    let files = ["index.html", "page.js", "page.css"].map(|name| dist.join(name));
    println!("cargo::rerun-if-changed={}", dist.display());
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    let code = if files.iter().all(|file| file.is_file()) {
        let [html, script, style] =
            files.map(|file| format!("include_str!({:?})", file.display().to_string()));
        format!("Some(Page {{ html: {html}, script: {script}, style: {style} }})")
    } else {
        "None".into()
    };
    let target = Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("page.rs");
    if let Err(error) = fs::write(&target, format!("const PAGE: Option<Page> = {code};\n")) {
        println!("cargo::error=cannot write {}: {error}", target.display());
    }
}
