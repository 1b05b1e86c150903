//! Minimal receivers of webhooks.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    /// Time.
    pub(crate) at: Instant,
    /// The path, which identifies the endpoint.
    pub(crate) path: String,
    /// The headers, by lower-case name.
    pub(crate) headers: BTreeMap<String, String>,
    /// The body.
    pub(crate) body: Vec<u8>,
}

impl Arrival {
    /// The number of its thread.
    pub(crate) fn event(&self) -> Option<u64> {
        let body: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        let id = body["data"]["commentAnnotation"]["annotationId"].as_str()?;
        id.strip_prefix('t')?.parse().ok()
    }
}

/// A server that accepts everything.
pub(crate) struct Sink {
    arrivals: Arc<Mutex<Vec<Arrival>>>,
    port: u16,
}

impl Sink {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let arrivals: Arc<Mutex<Vec<Arrival>>> = Arc::default();
        let kept = Arc::clone(&arrivals);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let kept = Arc::clone(&kept);
                tokio::spawn(async move { serve(stream, &kept).await });
            }
        });
        Self { arrivals, port }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn arrivals(&self) -> Vec<Arrival> {
        self.arrivals.lock().clone()
    }

    pub(crate) fn forget(&self) {
        self.arrivals.lock().clear();
    }

    fn count(&self) -> usize {
        self.arrivals.lock().len()
    }

    /// Waits for this number of requests; false when they did not arrive in time.
    pub(crate) async fn wait(&self, count: usize, at_most: Duration) -> bool {
        let started = Instant::now();
        while self.count() < count {
            if started.elapsed() > at_most {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        true
    }
}

async fn serve(stream: TcpStream, arrivals: &Mutex<Vec<Arrival>>) -> Option<()> {
    let _ = stream.set_nodelay(true);
    let mut stream = BufReader::new(stream);
    loop {
        let arrival = read(&mut stream).await?;
        arrivals.lock().push(arrival);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.ok()?;
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Arrival> {
    let mut line = String::new();
    if stream.read_line(&mut line).await.ok()? == 0 {
        return None;
    }
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok())?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Arrival { at: Instant::now(), path, headers, body })
}
