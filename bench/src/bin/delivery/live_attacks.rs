//! Attacks on the live channel by end users of a tenant.

use std::{sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use bench::{
    client::{Client, ORGANIZATION},
    process::Service,
};
use dialects::{Awareness, Dialect, Message, State};
use serde_json::json;
use tokio::task::JoinHandle;
use yrs::{Doc, Text, Transact};

use crate::{
    strokes::room,
    wire::{Place, Shared, frame, rush},
};

/// The limits of a deployment.
const LIMITS: (u64, u64) = (200, 100);
/// The largest editor, in bytes, written in parts that an update may have.
const LARGE: usize = 3_000_000;
const PART: usize = 300_000;
/// Clients of a flood, and of a user who takes all places.
const FEW: u64 = 8;
const MANY: u64 = 1_000;
/// Time between two frames of a client of either.
const FAST: Duration = Duration::from_millis(1);
const SLOW: Duration = Duration::from_millis(200);
/// Members of the room that a flood goes to.
const LISTENERS: u64 = 20;

/// Starts the clients of an attack.
type Start = fn(&Target, &Arc<Shared>) -> Vec<JoinHandle<()>>;

/// An attack: its name, and what starts its clients.
#[derive(Clone, Copy)]
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// Whether its clients are stock providers without an adapter.
    is_stock: bool,
    start: Start,
}

impl Attack {
    const fn new(name: &'static str, start: Start) -> Self {
        Self { name, is_stock: false, start }
    }

    const fn stock(name: &'static str, start: Start) -> Self {
        Self { is_stock: true, ..Self::new(name, start) }
    }

    pub(crate) fn begin(self, target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
        (self.start)(&Target { is_stock: self.is_stock, ..target.clone() }, shared)
    }
}

pub(crate) const ATTACKS: [Attack; 13] = [
    Attack::new("frames of a viewer", frames),
    Attack::new("sockets without tokens", anonymous),
    Attack::new("1,000 sockets of one user", sockets),
    Attack::new("a flood of awareness", awareness),
    Attack::new("a flood of stateless", stateless),
    Attack::new("a flood of presence", presence),
    Attack::new("joins of a large editor", joins),
    Attack::stock("stock: frames of a viewer", frames),
    Attack::stock("stock: no tokens", anonymous),
    Attack::stock("stock: 1,000 sockets", sockets),
    Attack::stock("stock: awareness", awareness),
    Attack::stock("stock: stateless", stateless),
    Attack::stock("stock: large joins", joins),
];

/// The tenant whose users attack, with an editor of several megabytes.
#[derive(Clone)]
pub(crate) struct Target {
    /// Whether clients connect as stock providers do without an adapter.
    is_stock: bool,
    base: String,
    /// A viewer who attacks, and one who listens.
    viewer: String,
    listener: String,
}

impl Target {
    pub(crate) async fn make(service: &Service) -> Self {
        let client = Client::of(service).await;
        let editor = json!({
            "organizationId": ORGANIZATION, "documentId": "d0", "editorId": "large",
            "type": "text", "data": "",
        });
        client.call("/v2/crdt/add", editor).await;
        let (doc, mut length) = (Doc::with_client_id(7), 0);
        let text = doc.get_or_insert_text("content");
        while length < LARGE {
            let update = {
                let mut txn = doc.transact_mut();
                text.insert(&mut txn, 0, &"x".repeat(PART));
                txn.encode_update_v1()
            };
            length += PART;
            let update = STANDARD.encode(update);
            let data = json!({
                "organizationId": ORGANIZATION, "documentId": "d0", "editorId": "large",
                "updates": [update],
            });
            client.call("/v2/crdt/updates/add", data).await;
        }
        let (viewer, listener) =
            (client.token("eve", "viewer").await, client.token("lea", "viewer").await);
        client.limit(LIMITS.0, LIMITS.1).await;
        Self { is_stock: false, base: service.base(), viewer, listener }
    }

    fn hocuspocus(&self) -> Place {
        let path = if self.is_stock { "/live/hocuspocus" } else { "/live?protocol=hocuspocus" };
        Place { path: path.to_owned(), is_stock: self.is_stock }
    }

    fn y(&self, editor: &str, user: &str) -> Place {
        let room = room(editor);
        let path = match self.is_stock {
            true => format!("/live/y/{room}?token={user}"),
            false => format!("/live?protocol=y&room={}&token={user}", room.replace('/', "%2F")),
        };
        Place { path, is_stock: self.is_stock }
    }

    /// Members of the room `e`, who answer nothing.
    fn listeners(&self, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
        let step_1 = frame(Dialect::Y, "", &Message::Step1(vec![0]));
        let place = self.y("e", &self.listener);
        (0..LISTENERS)
            .map(|_| self.client(shared, &place, std::slice::from_ref(&step_1), SLOW, |_| None))
            .collect()
    }

    fn client(
        &self,
        shared: &Arc<Shared>,
        place: &Place,
        hello: &[String],
        pace: Duration,
        next: impl Fn(u64) -> Option<String> + Send + Sync + 'static,
    ) -> JoinHandle<()> {
        let (shared, base) = (Arc::clone(shared), self.base.clone());
        tokio::spawn(rush(shared, base, place.clone(), hello.to_vec(), pace, next))
    }
}

/// The first message of a stock provider of Hocuspocus.
fn token(editor: &str, token: &str) -> String {
    let name = room(editor);
    let (low, high) = (token.len() & 0x7f | 0x80, token.len() >> 7);
    let parts: [&[u8]; 5] = [
        &[name.len() as u8],
        name.as_bytes(),
        &[2, 0, low as u8, high as u8],
        token.as_bytes(),
        b"\x054.8.0",
    ];
    STANDARD.encode(parts.concat())
}

/// Each frame asks 200 times whether deletions are known.
fn frames(target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
    let deletion = Message::Step2(vec![0, 1, 7, 1, 0, 1]);
    let said = frame(Dialect::Hocuspocus, &room("large"), &deletion);
    let said = vec![said; 200].join(" ");
    let (place, hello) = (target.hocuspocus(), [token("large", &target.viewer)]);
    let client = |_| {
        let said = said.clone();
        target.client(shared, &place, &hello, SLOW, move |_| Some(said.clone()))
    };
    (0..FEW).map(client).collect()
}

fn anonymous(target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
    let client = |n: u64| {
        // Half of them are silent.
        let ping = move |_| n.is_multiple_of(2).then(|| "CQ==".to_owned());
        target.client(shared, &target.hocuspocus(), &[], SLOW, ping)
    };
    (0..MANY / 2).map(client).collect()
}

fn sockets(target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
    let step_1 = frame(Dialect::Y, "", &Message::Step1(vec![0]));
    let place = target.y("e", &target.viewer);
    (0..MANY)
        .map(|_| target.client(shared, &place, std::slice::from_ref(&step_1), SLOW, |_| None))
        .collect()
}

fn awareness(target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
    let place = target.y("e", &target.viewer);
    let client = |client| {
        let state = move |n| {
            let state = State { client, clock: n + 1, json: format!("{{\"n\":{n}}}") };
            Some(frame(Dialect::Y, "", &Message::Awareness(Awareness(vec![state]).write())))
        };
        target.client(shared, &place, &[], FAST, state)
    };
    let floods = (0..FEW).map(client);
    floods.chain(target.listeners(shared)).collect()
}

fn stateless(target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
    let (place, hello) = (target.hocuspocus(), [token("e", &target.viewer)]);
    let said = frame(Dialect::Hocuspocus, &room("e"), &Message::Stateless("x".repeat(20_000)));
    let client = |_| {
        let said = said.clone();
        target.client(shared, &place, &hello, FAST, move |_| Some(said.clone()))
    };
    let floods = (0..FEW).map(client);
    floods.chain(target.listeners(shared)).collect()
}

fn presence(target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
    let at =
        |kind: &str| json!({ "type": kind, "organizationId": ORGANIZATION, "documentId": "d0" });
    let subscribe = at("subscribe").to_string();
    let client = |n: u64| {
        let user = if n < FEW { &target.viewer } else { &target.listener };
        let place = Place { path: format!("/live?protocol=events&token={user}"), is_stock: false };
        let said = at("presence").to_string();
        let next = move |_| (n < FEW).then(|| said.clone());
        target.client(shared, &place, std::slice::from_ref(&subscribe), FAST * 5, next)
    };
    (0..FEW + LISTENERS).map(client).collect()
}

fn joins(target: &Target, shared: &Arc<Shared>) -> Vec<JoinHandle<()>> {
    let step_1 = frame(Dialect::Y, "", &Message::Step1(vec![0]));
    let place = target.y("large", &target.viewer);
    let client = |_| {
        let said = step_1.clone();
        target.client(shared, &place, &[], FAST, move |_| Some(said.clone()))
    };
    (0..FEW).map(client).collect()
}
