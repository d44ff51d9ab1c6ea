//! The five addresses, and who may ask for them: pages of this very server, nobody else.
//!
//! A browser tells by `Host` under which name it came and by `Origin` whose page asks. Another site that points its own name at
//! 127.0.0.1 is known by the first, one that asks across by the second.

use super::{Desk, socket};
use crate::show::{Page, page};
use axum::{
    Router,
    body::Body,
    extract::{Request, State, ws::WebSocketUpgrade},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use std::{
    net::SocketAddr,
    sync::{Arc, atomic::AtomicU64},
};
use tokio::sync::Semaphore;

/// Sockets at once.
const MAX_SOCKETS: usize = 16;

/// What every request may need.
#[derive(Clone)]
struct Shared {
    desk: Arc<dyn Desk>,
    /// `127.0.0.1:port` and `localhost:port`.
    names: [String; 2],
    places: Arc<Semaphore>,
    numbers: Arc<AtomicU64>,
}

pub fn router(address: SocketAddr, desk: Arc<dyn Desk>) -> Router {
    let shared = Shared {
        desk,
        names: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", address.port())),
        places: Arc::new(Semaphore::new(MAX_SOCKETS)),
        numbers: Arc::default(),
    };
    let text = |kind: &'static str, choose: fn(Page) -> &'static str| {
        get(move || async move {
            match page() {
                Some(page) => ([(header::CONTENT_TYPE, kind)], choose(page)).into_response(),
                None => (StatusCode::NOT_FOUND, crate::show::NO_PAGE).into_response(),
            }
        })
    };
    Router::new()
        .route("/", text("text/html; charset=utf-8", |page| page.html))
        .route("/page.js", text("text/javascript; charset=utf-8", |page| page.script))
        .route("/page.css", text("text/css; charset=utf-8", |page| page.style))
        .route("/show.bin", get(show))
        .route("/socket", get(open_socket))
        .layer(middleware::from_fn_with_state(shared.clone(), only_us))
        .with_state(shared)
}

async fn show(State(shared): State<Shared>) -> Response {
    let bytes = axum::body::Bytes::from_owner(shared.desk.show());
    ([(header::CONTENT_TYPE, "application/octet-stream")], Body::from(bytes)).into_response()
}

async fn open_socket(
    State(shared): State<Shared>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Pages always say where they come from; what does not is no page.
    if !headers.contains_key(header::ORIGIN) {
        return refuse("a socket needs an Origin");
    }
    let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open").into_response();
    };
    let number = shared.numbers.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    socket::limits(upgrade).on_upgrade(move |socket| async move {
        socket::answer(socket, number, shared.desk).await;
        drop(place);
    })
}

/// Lets through what comes from this server's own pages, and says what browsers may do with the answer.
async fn only_us(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let is_ours = |value: &HeaderValue| shared.names.iter().any(|name| value.as_bytes() == name.as_bytes());
    if !headers.get(header::HOST).is_some_and(is_ours) {
        return refuse("this server answers to 127.0.0.1 and localhost only");
    }
    let is_our_page = |origin: &HeaderValue| {
        shared.names.iter().any(|name| origin.as_bytes().strip_prefix(b"http://") == Some(name.as_bytes()))
    };
    if !headers.get(header::ORIGIN).is_none_or(is_our_page) {
        return refuse("this server answers to its own page only");
    }
    let mut response = next.run(request).await;
    let rules = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
             connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
    ];
    for (name, value) in rules {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}
