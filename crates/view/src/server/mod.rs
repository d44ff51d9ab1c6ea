//! The viewer's server: the page, the show and a socket for questions, on 127.0.0.1 only.
//!
//! | file | idea |
//! |---|---|
//! | `listen` | connections: how many, how long they may be silent, when it ends |
//! | `routes` | the five addresses, and who may ask for them |
//! | `socket` | questions and answers, their size and rate |
//!
//! `docs/viewer.md` specifies what is said. What a question means, the [`Desk`] knows.

mod listen;
mod routes;
mod socket;

pub use listen::{Listening, listen};

use serde_json::Value;
use std::sync::Arc;

/// Who answers the page's questions.
pub trait Desk: Send + Sync + 'static {
    /// The show as it is now.
    fn show(&self) -> Arc<[u8]>;

    /// Answers a question, on a thread where it may take its time; `say` tells the page about progress. The error is one
    /// clear sentence.
    fn answer(&self, question: &Question, say: &(dyn Fn(Value) + Sync)) -> Result<Value, String>;

    /// The one who asked is gone: what still works for it may stop.
    fn hung_up(&self, socket: u64) {
        let _ = socket;
    }
}

/// A question of the page.
#[derive(Clone, Debug)]
pub struct Question {
    /// Whose it is: sockets are numbered.
    pub socket: u64,
    /// Its number on the socket.
    pub id: u64,
    /// What is asked for.
    pub ask: String,
    /// The whole message.
    pub body: Value,
}
