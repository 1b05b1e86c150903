//! Documents some of whose updates came before those they need.

use crdt::{Kind, State};
use yrs::{Doc, ReadTxn, Transact};

use crate::{
    concurrent::edit,
    cursors::{peer, receive},
    samples::{self, Dice, SERVER, get, put},
};

/// Updates of three peers in turn, each of which has received some of the others' updates.
fn written(dice: &mut Dice, kind: Kind) -> Vec<Vec<u8>> {
    let mut server = samples::empty();
    put(&mut server, kind, &samples::content(dice, kind));
    let start = server.encode();
    let peers: Vec<Doc> = (11..14).map(|client| peer(client, &start)).collect();
    let mut log = vec![start];
    for step in 0..12 {
        let doc = &peers[dice.below(peers.len())];
        let seen = doc.transact().state_vector();
        edit(dice, doc, kind, &format!("⟦{step}⟧"));
        // Without what the peer itself cannot merge yet: the library, unlike Yjs, writes it under
        // wrong clocks.
        let update = doc.transact().encode_diff_v1(&seen);
        if dice.below(2) == 0 {
            receive(&peers[dice.below(peers.len())], &update);
        }
        log.push(update);
    }
    log
}

fn round(kind: Kind, seed: u64) -> bool {
    let dice = &mut Dice::new(seed);
    let log = written(dice, kind);
    let whole = State::load(SERVER, None, log.iter().map(Vec::as_slice)).expect("whole");
    let mut order: Vec<usize> = (0..log.len()).collect();
    dice.shuffle(&mut order);
    // Generated a snapshot again and again, whatever it lacks.
    let (mut snapshot, mut aside, mut has_waited) = (None, Vec::<&[u8]>::new(), false);
    for part in order.chunks(3) {
        aside.extend(part.iter().map(|at| log[*at].as_slice()));
        let state = State::load(SERVER, snapshot.as_deref(), aside.iter().copied());
        let state = state.expect("a part");
        has_waited |= state.has_pending();
        aside = state.waiting().keys().map(|at| aside[*at]).collect();
        snapshot = Some(state.encode());
    }
    assert!(aside.is_empty(), "{kind:?} still waits, seed {seed}");
    let last = State::load(SERVER, snapshot.as_deref(), []).expect("the last");
    let shuffled = State::load(SERVER, None, order.iter().map(|at| log[*at].as_slice()));
    for state in [last, shuffled.expect("shuffled")] {
        assert_eq!(get(&state, kind), get(&whole, kind), "{kind:?} differs, seed {seed}");
        assert_eq!(state.state_vector().len(), whole.state_vector().len());
    }
    has_waited
}

#[test]
fn snapshots_of_documents_that_lack_updates_lose_nothing() {
    for kind in [Kind::Text, Kind::Map, Kind::Array, Kind::Xml] {
        let waited = (0..300).filter(|seed| round(kind, *seed)).count();
        assert!(waited > 200, "{waited}");
    }
}
