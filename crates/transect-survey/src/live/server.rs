//! Connections: all of them in one thread, each with limits.

use super::access::Access;
use super::answer::{Answer, answer};
use super::control::{Ask, Control, Reply};
use super::state::{Cursor, State};
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::{Body, Frame, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::TcpListener as StdListener;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};

/// Connections at a time. Each takes a file handle, and a mission needs some of those that there are (often 1,024).
const MOST_CONNECTIONS: usize = 400;
/// The head of a request must be there within this time.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// A command must be there within this time.
const BODY_TIME: Duration = Duration::from_secs(5);
/// No request is longer, and no more than this is buffered for a viewer, bytes.
const MOST_BUFFERED: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
const MOST_BODY: usize = 1 << 10;
/// A viewer hears something at least this often, so that both ends know about each other.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// One who takes nothing for this time is let go.
const PATIENCE: Duration = Duration::from_secs(30);
/// At the end viewers have this time to take what is left, and as much again while some of them leave with it, so often at most.
const FAREWELL: Duration = Duration::from_millis(700);
const MOST_FAREWELLS: usize = 8;
/// After a failure to take a connection, such as no file handle: not at once again.
const PAUSE: Duration = Duration::from_millis(100);

const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What is served.
#[derive(Clone)]
pub(super) struct Served {
    pub(super) html: Bytes,
    pub(super) access: Arc<Access>,
    pub(super) control: Option<Control>,
    pub(super) state: Arc<Mutex<State>>,
    /// Counts what is new; closed at the end.
    pub(super) published: watch::Receiver<u64>,
}

impl Served {
    /// What is new to a viewer.
    fn news(&mut self, cursor: &mut Cursor) -> Bytes {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.published.mark_unchanged();
        state.news(cursor)
    }
}

/// Starts the thread that serves. It ends soon after `published` is closed.
pub(super) fn start(listener: StdListener, served: Served) -> io::Result<JoinHandle<()>> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    let work = move || {
        runtime.block_on(async {
            // Converting can only fail outside of a runtime.
            if let Ok(listener) = TcpListener::from_std(listener) {
                serve(listener, served).await;
            }
        });
        runtime.shutdown_background();
    };
    std::thread::Builder::new()
        .name("live-http".into())
        .spawn(work)
}

async fn serve(listener: TcpListener, served: Served) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut over = served.published.clone();
    let accepting = async {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                sleep(PAUSE).await;
                continue;
            };
            // Nobody is kept waiting: one too many is let go at once.
            if let Ok(place) = Arc::clone(&room).try_acquire_owned() {
                let served = served.clone();
                tokio::spawn(async move {
                    connection(stream, served).await;
                    drop(place);
                });
            }
        }
    };
    let ending = async { while over.changed().await.is_ok() {} };
    tokio::select! {
        () = accepting => {}
        () = ending => {}
    }
    // Viewers leave as soon as they have everything; only those that read are waited for.
    let all = u32::try_from(MOST_CONNECTIONS).unwrap_or(u32::MAX);
    let mut free = room.available_permits();
    for _ in 0..MOST_FAREWELLS {
        let all_left = timeout(FAREWELL, room.acquire_many(all)).await.is_ok();
        if all_left || room.available_permits() == free {
            break;
        }
        free = room.available_permits();
    }
}

async fn connection(stream: TcpStream, served: Served) {
    let _ = stream.set_nodelay(true);
    let let_go = Arc::new(Notify::new());
    let stuck = Arc::clone(&let_go);
    let service = service_fn(move |request| {
        let (served, stuck) = (served.clone(), Arc::clone(&stuck));
        async move { Ok::<_, Infallible>(respond(request, served, stuck).await) }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(MOST_HEADERS)
        .max_buf_size(MOST_BUFFERED)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // Whatever is wrong with a connection is its own affair.
        _ = serving => {}
        () = let_go.notified() => {}
    }
}

async fn respond(request: Request<Incoming>, served: Served, stuck: Arc<Notify>) -> Response<Sent> {
    let (head, body) = request.into_parts();
    let control = served.control.clone();
    match (answer(&head, &served.access, control.is_some()), control) {
        (Answer::Page, _) => {
            let mut page = response(
                StatusCode::OK,
                "text/html; charset=utf-8",
                Sent::once(served.html),
            );
            let headers = page.headers_mut();
            headers.insert(
                header::CONTENT_SECURITY_POLICY,
                HeaderValue::from_static(POLICY),
            );
            page
        }
        (Answer::Events, _) => {
            let (send, sent) = mpsc::channel(1);
            tokio::spawn(watch_for(served, send, stuck));
            response(StatusCode::OK, "text/event-stream", Sent::Stream(sent))
        }
        (Answer::Command, Some(control)) => {
            let reply = command(body, &control).await;
            let text = serde_json::to_string(&reply).unwrap_or_default();
            response(StatusCode::OK, "application/json", Sent::once(text))
        }
        (Answer::NoIcon, _) => response(StatusCode::NO_CONTENT, "text/plain", Sent::once("")),
        (Answer::Refused(status, words), _) => {
            response(status, "text/plain; charset=utf-8", Sent::once(words))
        }
        (Answer::Command, None) => response(StatusCode::NOT_FOUND, "text/plain", Sent::once("")),
    }
}

async fn command(body: Incoming, control: &Control) -> Reply {
    let whole = timeout(BODY_TIME, Limited::new(body, MOST_BODY).collect()).await;
    let refused = |words: String| Reply::Refused(words);
    match whole {
        Ok(Ok(bytes)) => match serde_json::from_slice::<Ask>(&bytes.to_bytes()) {
            Ok(ask) => control.ask(ask, Instant::now()),
            Err(error) => refused(format!("this is no command: {error}")),
        },
        Ok(Err(error)) => refused(format!("the command did not arrive: {error}")),
        Err(_) => refused("the command did not arrive in time".into()),
    }
}

fn response(status: StatusCode, kind: &'static str, body: Sent) -> Response<Sent> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Sends a viewer what is new to it, whenever it has taken what came before.
async fn watch_for(mut served: Served, send: mpsc::Sender<Bytes>, stuck: Arc<Notify>) {
    let mut cursor = Cursor::default();
    let mut words = Bytes::from_static(b"retry: 1000\n\n");
    loop {
        if !words.is_empty() {
            match timeout(PATIENCE, send.send(words)).await {
                Ok(Ok(())) => {}
                // It has gone.
                Ok(Err(_)) => return,
                Err(_) => {
                    stuck.notify_one();
                    return;
                }
            }
        }
        let over = served.published.has_changed().is_err();
        words = served.news(&mut cursor);
        if words.is_empty() {
            if over {
                return;
            }
            // The end is told in another round.
            if timeout(HEARTBEAT, served.published.changed())
                .await
                .is_err()
            {
                words = Bytes::from_static(b": still here\n\n");
            }
        }
    }
}

/// What is sent: all at once, or as it comes.
enum Sent {
    Once(Option<Bytes>),
    Stream(mpsc::Receiver<Bytes>),
}

impl Sent {
    fn once(bytes: impl Into<Bytes>) -> Self {
        Self::Once(Some(bytes.into()))
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Self::Once(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Stream(sent) => sent
                .poll_recv(context)
                .map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Self::Once(bytes) => {
                let length = bytes.as_ref().map_or(0, Bytes::len);
                hyper::body::SizeHint::with_exact(length as u64)
            }
            Self::Stream(_) => hyper::body::SizeHint::new(),
        }
    }
}
