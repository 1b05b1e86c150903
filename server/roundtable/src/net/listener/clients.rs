//! Connected clients, and how long each connection may wait.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::limits::{ConnectionLimits, REPLY_SECONDS, REPLY_SPEED};
use crate::net::{
    addresses::{Network, networks},
    lifted::is_lifted,
};

/// Of all connections, the part that makes room at once: whoever looks for them looks at all.
const ROOM: usize = 64;

/// The phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The client has sent nothing yet.
    New,
    /// The client has begun a request.
    Head,
    /// The client may send the rest of a request, which has its own deadline.
    Body,
    /// The request waits for the turn of strangers.
    Queue,
    /// The request is being answered.
    Call,
    /// The client may read its reply.
    Reply,
    /// The client may read the last piece of its reply, and may begin the next request.
    Idle,
    /// The connection belongs to the live channel, and has proven no user.
    Unproven,
    /// The connection belongs to the live channel and to a user.
    Live,
}

/// The step that a connection did not take in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// Finish the headers of a request.
    Head,
    /// Read a reply.
    Reply,
    /// Begin one, or prove a user, or there was no room any more.
    Idle,
}

/// One connection.
pub(crate) struct Client {
    limits: ConnectionLimits,
    state: Mutex<State>,
    changed: Notify,
}

struct State {
    phase: Phase,
    since: Instant,
    /// Whether it has sent a whole request.
    is_known: bool,
    /// Whether it has proven who it is.
    is_proven: bool,
    makes_room: bool,
    /// Bytes of the reply that it has taken.
    taken: usize,
}

impl Client {
    fn new(limits: ConnectionLimits) -> Self {
        let (phase, since) = (Phase::New, Instant::now());
        let state =
            State { phase, since, is_known: false, is_proven: false, makes_room: false, taken: 0 };
        Self { limits, state: Mutex::new(state), changed: Notify::new() }
    }

    fn turn(&self, phase: Phase) {
        let mut state = self.state.lock();
        (state.phase, state.since) = (phase, Instant::now());
        state.is_known |= phase == Phase::Call;
        drop(state);
        self.changed.notify_one();
    }

    /// Bytes have arrived.
    pub(super) fn sends(&self) {
        if matches!(self.state.lock().phase, Phase::New | Phase::Idle) {
            self.turn(Phase::Head);
        }
    }

    /// A request begins, of which a body is to come.
    pub(super) fn begins(&self) {
        self.turn(Phase::Body);
    }

    /// A request waits for the turn of strangers.
    pub(crate) fn queues(&self) {
        self.turn(Phase::Queue);
    }

    /// A request is whole, or has its turn.
    pub(crate) fn calls(&self) {
        self.turn(Phase::Call);
    }

    /// A reply begins.
    pub(super) fn replies(&self) {
        self.state.lock().taken = 0;
        self.turn(Phase::Reply);
    }

    /// The client has taken so many bytes of the reply.
    pub(super) fn takes(&self, bytes: usize) {
        self.state.lock().taken += bytes;
    }

    /// A request is answered.
    pub(super) fn waits(&self) {
        self.turn(Phase::Idle);
    }

    /// The connection becomes one of the live channel, which has its own limits for users.
    pub(super) fn switches(&self) {
        let is_proven = self.state.lock().is_proven;
        let stays = is_proven || is_lifted("sockets");
        self.turn(if stays { Phase::Live } else { Phase::Unproven });
    }

    /// Takes note of whether the client has proven who it is. Behind a proxy, each request may be
    /// another one's.
    pub(crate) fn is_judged(&self, is_proven: bool) {
        let mut state = self.state.lock();
        state.is_proven = is_proven;
        if state.phase == Phase::Unproven && is_proven {
            state.phase = Phase::Live;
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Returns when the connection is to be closed.
    pub(crate) async fn overdue(&self) -> Overdue {
        loop {
            match self.due() {
                Some((due, overdue)) if due <= Instant::now() => return overdue,
                Some((due, _)) => tokio::select! {
                    () = sleep_until(due) => {}
                    () = self.changed.notified() => {}
                },
                None => self.changed.notified().await,
            }
        }
    }

    /// When the connection is to be closed, if nothing happens, and why.
    fn due(&self) -> Option<(Instant, Overdue)> {
        let state = self.state.lock();
        if state.makes_room {
            return Some((state.since, Overdue::Idle));
        }
        match state.phase {
            Phase::New | Phase::Unproven => Some((state.since + self.limits.head, Overdue::Idle)),
            Phase::Head => Some((state.since + self.limits.head, Overdue::Head)),
            Phase::Reply => {
                let earned = state.taken as f64 / f64::from(REPLY_SPEED);
                let earned = Duration::from_secs_f64(earned) + Duration::from_secs(REPLY_SECONDS);
                Some((state.since + earned, Overdue::Reply))
            }
            Phase::Idle => Some((state.since + self.limits.idle, Overdue::Idle)),
            Phase::Body | Phase::Queue | Phase::Call | Phase::Live => None,
        }
    }

    /// How willingly it makes room, if it does nothing but wait: who has proven nothing first, of them
    /// who has sent no whole request, and then those that have waited longest.
    fn patience(&self) -> Option<(bool, bool, Instant)> {
        let state = self.state.lock();
        match state.phase {
            Phase::Call | Phase::Live => None,
            Phase::Unproven => Some((false, false, state.since)),
            Phase::New | Phase::Head | Phase::Body | Phase::Queue | Phase::Reply | Phase::Idle => {
                Some((state.is_proven, state.is_known, state.since))
            }
        }
    }
}

/// All connections.
pub(super) struct Clients {
    limits: ConnectionLimits,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    clients: BTreeMap<u64, Arc<Client>>,
    of: HashMap<Network, usize>,
}

/// The place of a connection, which is free when it is dropped.
pub(super) struct ConnectionSlot {
    clients: Arc<Clients>,
    id: u64,
    networks: Vec<Network>,
    client: Arc<Client>,
}

impl Clients {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        Self { limits, open: Mutex::default() }
    }

    /// A place for a connection from `peer`; none if one of its networks has its share, or if all
    /// others are being answered.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionSlot> {
        let networks = networks(peer);
        let mut open = self.open.lock();
        let is_full = |network: &Network| {
            let count = open.of.get(network).copied().unwrap_or_default();
            count >= self.limits.of_address * network.width()
        };
        if networks.iter().any(is_full) {
            return None;
        }
        if open.clients.len() >= self.limits.connections && !open.make_room() {
            return None;
        }
        for network in &networks {
            *open.of.entry(*network).or_default() += 1;
        }
        let (id, client) = (open.next, Arc::new(Client::new(self.limits)));
        open.next += 1;
        open.clients.insert(id, Arc::clone(&client));
        Some(ConnectionSlot { clients: Arc::clone(self), id, networks, client })
    }

    /// Closes some connections that do nothing but wait.
    pub(super) fn make_room(&self) {
        self.open.lock().make_room();
    }
}

impl Open {
    /// Whether there is room now.
    fn make_room(&mut self) -> bool {
        let waiting = self.clients.iter();
        let waiting = waiting.filter_map(|(id, client)| Some((client.patience()?, *id)));
        let mut waiting: Vec<_> = waiting.collect();
        waiting.sort_unstable();
        waiting.truncate(self.clients.len() / ROOM + 1);
        for (_, id) in &waiting {
            if let Some(client) = self.clients.remove(id) {
                client.state.lock().makes_room = true;
                client.changed.notify_one();
            }
        }
        !waiting.is_empty()
    }
}

impl ConnectionSlot {
    pub(super) fn client(&self) -> Arc<Client> {
        Arc::clone(&self.client)
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.clients.open.lock();
        open.clients.remove(&self.id);
        for network in &self.networks {
            if let Some(count) = open.of.get_mut(network) {
                *count -= 1;
                if *count == 0 {
                    open.of.remove(network);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{net::IpAddr, sync::Arc, time::Duration};

    use futures_util::FutureExt;
    use tokio::time::Instant;

    use super::{Clients, ConnectionLimits, Overdue, REPLY_SECONDS, REPLY_SPEED};

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(9, 9, 9, 9));
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(8, 8, 8, 8));
    const OWN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn clients(connections: usize, of_address: usize) -> Arc<Clients> {
        let limits = ConnectionLimits { connections, of_address, ..ConnectionLimits::default() };
        Arc::new(Clients::new(limits))
    }

    #[test]
    fn a_connection_waits_for_so_long() {
        let clients = clients(10, 10);
        let ConnectionLimits { head, idle, .. } = ConnectionLimits::default();
        let start = Instant::now();
        let place = clients.admit(ADDRESS).unwrap();
        let client = place.client();
        let is_due_in = |limit: Duration, why, before: Instant| {
            let (due, overdue) = client.due().expect("a deadline");
            assert_eq!(overdue, why);
            assert!(before + limit <= due && due <= Instant::now() + limit);
            due
        };
        is_due_in(head, Overdue::Idle, start);
        client.sends();
        let due = is_due_in(head, Overdue::Head, start);
        client.sends();
        assert_eq!(client.due().unwrap().0, due, "more bytes win no time");
        client.calls();
        assert_eq!(client.due(), None, "a call has its own deadline");
        let answered = Instant::now();
        client.waits();
        is_due_in(idle, Overdue::Idle, answered);
        let replied = Instant::now();
        client.replies();
        is_due_in(Duration::from_secs(REPLY_SECONDS), Overdue::Reply, replied);
        client.takes(10 * REPLY_SPEED as usize);
        is_due_in(Duration::from_secs(REPLY_SECONDS + 10), Overdue::Reply, replied);
        let opened = Instant::now();
        client.switches();
        is_due_in(head, Overdue::Idle, opened);
        client.is_judged(true);
        assert_eq!(client.due(), None, "a user stays");
    }

    #[test]
    fn a_socket_that_has_proven_nothing_in_time_ends_and_that_of_a_user_stays() {
        let limits = ConnectionLimits { head: Duration::ZERO, ..ConnectionLimits::default() };
        let clients = Arc::new(Clients::new(limits));
        let places = [ADDRESS, OTHER, OWN].map(|peer| clients.admit(peer).unwrap());
        let [silent, refused, user] = places.each_ref().map(super::ConnectionSlot::client);
        for client in [&silent, &refused, &user] {
            client.calls();
            client.switches();
        }
        refused.is_judged(false);
        user.is_judged(true);
        // Bytes prove nothing.
        silent.sends();
        for client in [silent, refused] {
            assert_eq!(client.overdue().now_or_never(), Some(Overdue::Idle));
        }
        assert_eq!(user.overdue().now_or_never(), None);
    }

    #[test]
    fn who_has_proven_no_user_makes_room_for_others_and_who_has_stays() {
        let clients = clients(2, 10);
        let places = [ADDRESS, OTHER].map(|peer| clients.admit(peer).unwrap());
        let [stranger, user] = places.each_ref().map(super::ConnectionSlot::client);
        user.is_judged(true);
        for client in [&stranger, &user] {
            client.calls();
            client.switches();
        }
        let more = clients.admit(OWN).expect("the stranger makes room");
        assert!(stranger.state.lock().makes_room && !user.state.lock().makes_room);
        more.client().calls();
        assert!(clients.admit(OWN).is_none(), "a user makes none");
    }

    #[test]
    fn who_waits_makes_room_and_who_is_answered_stays() {
        let clients = clients(3, 10);
        let places = [ADDRESS, OTHER, OWN].map(|peer| clients.admit(peer).unwrap());
        let [known, called, new] = places.each_ref().map(super::ConnectionSlot::client);
        known.calls();
        known.waits();
        called.calls();
        new.begins();
        let closed = |client: &super::Client| client.state.lock().makes_room;
        let more = clients.admit(ADDRESS).expect("whoever has sent no whole request makes room");
        assert!(closed(&new) && !closed(&known));
        more.client().calls();
        let last = clients.admit(ADDRESS).expect("whoever waits makes room");
        last.client().calls();
        assert!(closed(&known) && !closed(&called));
        assert!(clients.admit(ADDRESS).is_none(), "nobody waits");
        drop(last);
        assert!(clients.admit(ADDRESS).is_some());
    }

    #[test]
    fn an_address_has_a_share_and_the_own_network_has_none() {
        let clients = clients(10, 2);
        let places = [ADDRESS, ADDRESS].map(|peer| clients.admit(peer).expect("a place"));
        assert!(clients.admit(ADDRESS).is_none());
        let others = [OTHER, OWN, OWN, OWN].map(|peer| clients.admit(peer).expect("a place"));
        drop(places);
        assert!(clients.admit(ADDRESS).is_some());
        drop(others);
        assert!(clients.open.lock().of.is_empty() && clients.open.lock().clients.is_empty());
    }
}
