//! `view`: the server starts, answers and stops; a page is written that needs none. In the browser itself the page is tested by
//! `viewer/test`.

use crate::scratch::Scratch;
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
};

/// Whether this command was built with its page.
fn has_page(scratch: &Scratch) -> bool {
    let run = scratch.run(&["view", "room.way", "--export", "probe.html"]);
    if run.code == Some(2) {
        assert!(run.err.contains("cargo xtask page"), "{}", run.err);
        eprintln!("this wayfare was built without its page: `view` is not tested");
    }
    run.code == Some(0)
}

#[test]
fn an_exported_page_stands_alone_and_is_the_same_every_time() {
    let scratch = Scratch::with_room();
    if !has_page(&scratch) {
        return;
    }
    let export = |name: &str| {
        let arguments = [
            "view",
            "room.wkt",
            "--export",
            name,
            "--from",
            "1,3",
            "--to",
            "9,3",
            "--radius",
            "0.4",
            "--json",
            "--convex-distance",
            "0.1",
        ];
        let report = scratch.run(&arguments).is(0).json();
        assert_eq!(report["file"], name);
        String::from_utf8(scratch.read(name)).expect("text")
    };
    let page = export("a.html");
    assert!(page == export("b.html"), "the same input, the same bytes");
    assert!(page.contains("id=\"show\"") && !page.contains("src=\"page.js\""));
    let message = scratch.refused(&["view", "room.way", "--export", "a.txt"]);
    assert!(message.contains(".html"), "{message}");
    let message = scratch.refused(&["view", "room.way", "--export", "c.html", "--convex-distance", "0.1"]);
    assert!(message.contains("--scene"), "{message}");
    let message = scratch.refused(&["view", "room.wkt", "--scene", "room.wkt", "--export", "c.html"]);
    assert!(message.contains("finished mesh"), "{message}");
    scratch.refused(&["view", "nothing.way", "--export", "c.html"]);
}

#[test]
fn free_space_is_shown_with_a_flight_in_one_page() {
    let scratch = Scratch::with_room();
    if !has_page(&scratch) {
        return;
    }
    scratch.write("m.3dmap", "voxel 4 4 4\n1 1 1\n1 1 2\n");
    scratch.run(&["volume", "m.3dmap", "-o", "m.wayvol"]).is(0);
    let ends = ["--from", "0.5,0.5,0.5", "--to", "3.5,3.5,3.5", "--radius", "0.2"];
    let export = |name: &str| {
        scratch.run(&[&["view", "m.wayvol", "--export", name], &ends[..]].concat()).is(0);
        scratch.read(name)
    };
    assert!(export("a.html") == export("b.html"), "the same input, the same bytes");
    scratch.run(&[&["draw", "m.wayvol", "-o", "m.svg"], &ends[..]].concat()).is(0);
    assert!(String::from_utf8_lossy(&scratch.read("m.svg")).contains("class=\"path"), "the flight is drawn");
    let message = scratch.refused(&["view", "m.wayvol", "--export", "c.html", "--stages", "x"]);
    assert!(message.contains("free space"), "{message}");
    let message = scratch.refused(&["view", "m.wayvol", "--export", "c.html", "--scale", "2"]);
    assert!(message.contains("--scene"), "{message}");
}

#[test]
fn the_stages_that_were_saved_are_shown_with_the_mesh() {
    let scratch = Scratch::with_room();
    if !has_page(&scratch) {
        return;
    }
    scratch.run(&["bake", "generated:bridge", "-o", "b.way", "--save-stages", "stages"]).is(0);
    let size = |more: &[&str]| {
        scratch.run(&[&["view", "b.way", "--export", "b.html"], more].concat()).is(0);
        scratch.read("b.html").len()
    };
    assert!(size(&["--stages", "stages"]) > size(&[]) + 1000);
    let refused = |input: &str, folder: &str| {
        scratch.refused(&["view", input, "--stages", folder, "--export", "b.html"])
    };
    assert!(refused("b.way", "nowhere").contains("--save-stages"));
    assert!(refused("generated:bridge", "stages").contains("finished mesh"));
    scratch.write("stages/stages.wayshow", "WAYSHOW1");
    assert!(refused("b.way", "stages").contains("stages.wayshow"));
    scratch.write("stages/plan.wayplan", "nothing");
    assert!(refused("b.way", "stages").contains("plan.wayplan"));
}

/// A viewer that is ended with the test.
struct Viewer(Child);

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg(unix)]
fn the_viewer_serves_its_page_and_stops_with_ctrl_c() {
    let scratch = Scratch::with_room();
    if !has_page(&scratch) {
        return;
    }
    let mut command = scratch.command(&["view", "room.way", "--no-open", "--json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut viewer = Viewer(child);
    let mut line = String::new();
    let out = viewer.0.stdout.take().expect("standard output");
    BufReader::new(out).read_line(&mut line).expect("it says where it listens");
    let address: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let host = format!("127.0.0.1:{}", address["port"]);
    assert_eq!(address["url"], format!("http://{host}/"));
    let get = |path: &str| {
        let mut stream = TcpStream::connect(&host).expect("it listens");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        answer
    };
    assert!(get("/").starts_with(b"HTTP/1.1 200"));
    let show = get("/show.bin");
    assert!(show.windows(8).any(|part| part == b"WAYSHOW1"));
    assert!(get("/room.way").starts_with(b"HTTP/1.1 404"));
    let pressed = Command::new("kill").args(["-INT", &viewer.0.id().to_string()]).status();
    assert!(pressed.expect("kill can be started").success());
    assert_eq!(viewer.0.wait().expect("it ends").code(), Some(0));
}
