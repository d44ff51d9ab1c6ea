//! Questions and answers on one socket.
//!
//! A message that is no question is answered with what is wrong, and the socket is closed: our page sends none.
//! Questions that only come too fast are answered so, too.

use super::{Desk, Question};
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use serde_json::{Value, json};
use std::{sync::Arc, time::Instant};
use tokio::sync::{Semaphore, mpsc};

/// Longest question [bytes]; a bake with all its settings has two thousand.
const MAX_QUESTION: usize = 1 << 16;
/// Longest message that is read at all [bytes].
const MAX_MESSAGE: usize = 1 << 18;
/// Questions that may come at once, and how many more each second: a drag asks at most sixty times a second.
const BURST: f64 = 240.0;
const RATE: f64 = 120.0;
/// Questions that are being answered at once.
const MAX_OPEN: usize = 8;

/// The limits of a socket.
pub fn limits(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).max_write_buffer_size(1 << 26)
}

/// Why a socket is closed.
struct Ending {
    code: u16,
    why: &'static str,
}

/// Answers until either side hangs up.
pub async fn answer(mut socket: WebSocket, number: u64, desk: Arc<dyn Desk>) {
    let (say, mut said) = mpsc::unbounded_channel::<String>();
    let open = Arc::new(Semaphore::new(MAX_OPEN));
    let mut allowance = Allowance { left: BURST, at: Instant::now() };
    let ending = loop {
        tokio::select! {
            Some(text) = said.recv() => {
                if socket.send(Message::text(text)).await.is_err() {
                    break None;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    match question(&text, number, &mut allowance) {
                        Ok(question) => ask(question, &desk, &open, &say),
                        Err(ending) => break Some(ending),
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => {
                    break Some(Ending { code: close_code::UNSUPPORTED, why: "questions are text" });
                }
                Some(Err(_)) => break Some(Ending { code: close_code::SIZE, why: "the message cannot be read" }),
                Some(Ok(Message::Close(_))) | None => break None,
            }
        }
    };
    if let Some(Ending { code, why }) = ending {
        let _ = socket.send(Message::text(json!({"error": why}).to_string())).await;
        let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: why.into() }))).await;
    }
    desk.hung_up(number);
}

/// How many questions may still come.
struct Allowance {
    left: f64,
    at: Instant,
}

impl Allowance {
    fn take(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + RATE * now.duration_since(self.at).as_secs_f64()).min(BURST) - 1.0;
        self.at = now;
        self.left >= 0.0
    }
}

fn question(text: &str, socket: u64, allowance: &mut Allowance) -> Result<Question, Ending> {
    if text.len() > MAX_QUESTION {
        return Err(Ending { code: close_code::SIZE, why: "the question is too long" });
    }
    if !allowance.take() {
        return Err(Ending { code: close_code::POLICY, why: "questions come too fast" });
    }
    let invalid = |why| Ending { code: close_code::INVALID, why };
    let body: Value = serde_json::from_str(text).map_err(|_| invalid("the question is no JSON"))?;
    let id = body["id"].as_u64().ok_or(invalid("the question has no id"))?;
    let ask = body["ask"].as_str().ok_or(invalid("the question does not say what it asks"))?.to_owned();
    Ok(Question { socket, id, ask, body })
}

/// Has a question answered on a thread of its own.
fn ask(question: Question, desk: &Arc<dyn Desk>, open: &Arc<Semaphore>, say: &mpsc::UnboundedSender<String>) {
    let id = question.id;
    let Ok(place) = Arc::clone(open).try_acquire_owned() else {
        let _ = say.send(json!({"id": id, "error": "too many questions at once"}).to_string());
        return;
    };
    let (desk, say) = (Arc::clone(desk), say.clone());
    tokio::task::spawn_blocking(move || {
        let _place = place;
        // Whoever asked may be gone by now.
        let progress = |progress: Value| drop(say.send(json!({"id": id, "progress": progress}).to_string()));
        let message = match desk.answer(&question, &progress) {
            Ok(answer) => json!({"id": id, "answer": answer}),
            Err(error) => json!({"id": id, "error": error}),
        };
        let _ = say.send(message.to_string());
    });
}
