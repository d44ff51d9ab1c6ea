//! Connections: at most so many, none that is silent for long, and an end when it is asked for.

use super::{Desk, routes};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::{net::TcpListener, runtime, sync::Semaphore, time};
use wayfare_core::CancelFlag;

/// Connections at once; browsers use six.
const MAX_CONNECTIONS: usize = 256;
/// How long a connection may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it looks whether it shall end.
const TICK: Duration = Duration::from_millis(50);

/// A port that is listened on; [`Listening::serve`] answers.
pub struct Listening {
    runtime: runtime::Runtime,
    listener: TcpListener,
    address: SocketAddr,
}

/// Listens on a port of 127.0.0.1, any free one for 0.
pub fn listen(port: u16) -> io::Result<Listening> {
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
    let address = listener.local_addr()?;
    Ok(Listening { runtime, listener, address })
}

impl Listening {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers until the flag is raised.
    pub fn serve(self, desk: Arc<dyn Desk>, stop: &CancelFlag) {
        let Self { runtime, listener, address } = self;
        let router = routes::router(address, desk);
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        runtime.block_on(async {
            while !stop.is_cancelled() {
                let Ok(accepted) = time::timeout(TICK, listener.accept()).await else { continue };
                let Ok((stream, _)) = accepted else {
                    // Out of file handles, say: others will close some.
                    time::sleep(TICK).await;
                    continue;
                };
                // Where all places are taken, this one is closed again at once.
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
                let service = TowerToHyperService::new(router.clone());
                let connection = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .serve_connection(TokioIo::new(stream), service)
                    .with_upgrades();
                tokio::spawn(async move {
                    let _place = place;
                    // Whatever went wrong with one connection is nobody else's business.
                    let _ = connection.await;
                });
            }
        });
        runtime.shutdown_timeout(Duration::from_secs(1));
    }
}
