//! The viewer's server as others might use it: other hosts and origins, made-up paths, long and broken messages, too many of
//! everything. A desk that only echoes stands behind it.
#![cfg(feature = "server")]

use serde_json::{Value, json};
use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};
use tungstenite::{Message, WebSocket, client::IntoClientRequest as _};
use wayfare_core::CancelFlag;
use wayfare_view::server::{Desk, Question, listen};

#[derive(Default)]
struct Echo {
    hung_up: AtomicUsize,
}

impl Desk for Echo {
    fn show(&self) -> Arc<[u8]> {
        Arc::from(b"WAYSHOW1".as_slice())
    }
    fn answer(&self, question: &Question, say: &(dyn Fn(Value) + Sync)) -> Result<Value, String> {
        match question.ask.as_str() {
            "slow" => {
                say(json!({"stage": "waiting", "share": 0.5}));
                std::thread::sleep(Duration::from_millis(300));
                Ok(json!({}))
            }
            "fail" => Err("as asked".into()),
            _ => Ok(question.body.clone()),
        }
    }
    fn hung_up(&self, _: u64) {
        self.hung_up.fetch_add(1, Ordering::SeqCst);
    }
}

/// A server that ends with the test.
struct Running {
    address: SocketAddr,
    stop: CancelFlag,
    desk: Arc<Echo>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start() -> Self {
        let listening = listen(0).expect("a port is free");
        let (address, stop, desk) = (listening.address(), CancelFlag::default(), Arc::new(Echo::default()));
        let (flag, own): (CancelFlag, Arc<dyn Desk>) = (stop.clone(), desk.clone());
        let thread = std::thread::spawn(move || listening.serve(own, &flag));
        Self { address, stop, desk, thread: Some(thread) }
    }

    fn host(&self) -> String {
        self.address.to_string()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        stream
    }

    /// The status line and everything else that comes back for a request.
    fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str, host: &str, more: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n"))
    }

    fn socket(&self, origin: Option<&str>) -> Result<WebSocket<TcpStream>, String> {
        let mut request = format!("ws://{}/socket", self.address).into_client_request().expect("an address");
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("a header"));
        }
        tungstenite::client(request, self.connect())
            .map(|(socket, _)| socket)
            .map_err(|error| error.to_string())
    }

    fn page(&self) -> WebSocket<TcpStream> {
        self.socket(Some(&format!("http://{}", self.address))).expect("its own page may ask")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("it ends without a panic");
        }
    }
}

fn next(socket: &mut WebSocket<TcpStream>) -> Option<Value> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            _ => return None,
        }
    }
}

#[test]
fn only_its_own_names_are_answered() {
    let server = Running::start();
    let port = server.address.port();
    assert!(server.get("/show.bin", &server.host(), "").starts_with("HTTP/1.1 200"));
    let by_name = server.get("/show.bin", &format!("localhost:{port}"), "");
    assert!(by_name.contains("WAYSHOW1") && by_name.contains("content-security-policy"), "{by_name}");
    for host in
        ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example", &format!("[::1]:{port}")]
    {
        assert!(server.get("/show.bin", host, "").starts_with("HTTP/1.1 403"), "{host}");
    }
    assert!(server.ask("GET /show.bin HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 4"));
    let own = format!("Origin: http://localhost:{port}\r\n");
    assert!(server.get("/show.bin", &server.host(), &own).starts_with("HTTP/1.1 200"));
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"] {
        let answer = server.get("/show.bin", &server.host(), &format!("Origin: {origin}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403") && !answer.contains("WAYSHOW1"), "{origin}");
        assert!(server.socket(Some(origin)).is_err(), "{origin}");
    }
    assert!(server.socket(None).is_err(), "what says no origin is no page");
}

#[test]
fn there_are_no_files() {
    let server = Running::start();
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/etc/passwd",
        "//etc/passwd",
        "/show.bin/../x",
        "/socket/x",
        "/page.js%00",
    ] {
        let answer = server.get(path, &server.host(), "");
        assert!(answer.starts_with("HTTP/1.1 4"), "{path}: {answer}");
    }
    assert!(
        server
            .ask(&format!(
                "POST /show.bin HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
                server.host()
            ))
            .starts_with("HTTP/1.1 405")
    );
    let long = "x".repeat(1 << 20);
    let answer = server.get(&format!("/{long}"), &server.host(), "");
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{}", &answer[..answer.len().min(80)]);
    assert!(server.get("/show.bin", &server.host(), "").starts_with("HTTP/1.1 200"));
}

#[test]
fn questions_are_answered_with_progress_and_errors_in_words() {
    let server = Running::start();
    let mut socket = server.page();
    socket.send(Message::text(r#"{"id": 7, "ask": "echo", "x": [1.5]}"#)).expect("sent");
    assert_eq!(next(&mut socket), Some(json!({"id": 7, "answer": {"id": 7, "ask": "echo", "x": [1.5]}})));
    socket.send(Message::text(r#"{"id": 8, "ask": "fail"}"#)).expect("sent");
    assert_eq!(next(&mut socket), Some(json!({"id": 8, "error": "as asked"})));
    // A slow one does not hold up the next.
    socket.send(Message::text(r#"{"id": 9, "ask": "slow"}"#)).expect("sent");
    assert_eq!(next(&mut socket).expect("progress")["progress"]["share"], 0.5);
    socket.send(Message::text(r#"{"id": 10, "ask": "echo"}"#)).expect("sent");
    assert_eq!(next(&mut socket).expect("an answer")["id"], 10);
    assert_eq!(next(&mut socket), Some(json!({"id": 9, "answer": {}})));
    drop(socket);
    let begin = Instant::now();
    while server.desk.hung_up.load(Ordering::SeqCst) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(5), "the desk is told who is gone");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_is_no_question_is_answered_with_an_error_and_a_closed_socket() {
    let server = Running::start();
    let long = format!("{{\"id\": 1, \"ask\": \"{}\"}}", "x".repeat(100_000));
    let messages = [
        Message::text("no json"),
        Message::text("[]"),
        Message::text(r#"{"ask": "path"}"#),
        Message::text(r#"{"id": -1, "ask": "path"}"#),
        Message::text(r#"{"id": 1}"#),
        Message::text(long),
        Message::binary(vec![0u8; 10]),
    ];
    for message in messages {
        let mut socket = server.page();
        socket.send(message.clone()).expect("sent");
        let answer = next(&mut socket).expect("an answer");
        assert!(answer["error"].is_string(), "{answer}");
        assert_eq!(next(&mut socket), None, "and then it is closed");
    }
    // Far too long: whatever becomes of it, the server stays.
    let mut socket = server.page();
    let _ = socket.send(Message::text("x".repeat(10_000_000)));
    while next(&mut socket).is_some() {}
    // Too fast.
    let mut socket = server.page();
    for id in 0..2000 {
        if socket.send(Message::text(format!("{{\"id\": {id}, \"ask\": \"echo\"}}"))).is_err() {
            break;
        }
    }
    let mut answered = 0;
    while let Some(answer) = next(&mut socket) {
        answered += usize::from(answer["answer"].is_object());
    }
    assert!(answered < 1000, "{answered} answers");
    let mut socket = server.page();
    socket.send(Message::text(r#"{"id": 7, "ask": "echo"}"#)).expect("sent");
    assert!(next(&mut socket).is_some());
}

#[test]
fn a_thousand_connections_do_not_stop_it() {
    let server = Running::start();
    let sockets: Vec<_> = (0..16).map(|_| server.page()).collect();
    assert!(server.socket(Some(&format!("http://{}", server.address))).is_err(), "at most sixteen pages");
    drop(sockets);
    // Half of them say nothing, the others only begin.
    let mut silent = Vec::new();
    for k in 0..1000 {
        if let Ok(mut stream) = TcpStream::connect(server.address) {
            if k % 2 == 0 {
                let _ = stream.write_all(b"GET / HT");
            }
            silent.push(stream);
        }
    }
    let begin = Instant::now();
    loop {
        let answer = server.get("/show.bin", &server.host(), "");
        if answer.starts_with("HTTP/1.1 200") {
            break;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "it answers again once the silent ones are closed"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(silent);
    assert!(server.get("/show.bin", &server.host(), "").starts_with("HTTP/1.1 200"));
}
