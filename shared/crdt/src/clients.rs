//! Updates without the structs of some clients, and the clients whose structs a document lacks.

use std::collections::BTreeSet;

use error::{Error, Result};
use yrs::{
    ClientID, ID, IdSet, ReadTxn, StateVector, Transact, Update,
    updates::{decoder::Decode, encoder::Encode},
};

use crate::{State, guard::contain, originals::Originals, wire};

/// A checked update without the structs of some clients.
///
/// # Errors
/// INTERNAL, when it cannot be read.
pub fn without(update: &[u8], clients: &BTreeSet<u64>) -> Result<Vec<u8>> {
    // As if a peer knew all of them, and nothing of others.
    let known: StateVector =
        clients.iter().map(|client| (ClientID::new(*client), u32::MAX)).collect();
    let others = contain(update.len(), || {
        yrs::diff_updates_v1(&wire::readable(update), &known.encode_v1()).map_err(Error::internal)
    })?;
    Ok(Originals::of(update).restore(others))
}

impl State {
    /// The clients of whose structs in a checked update some are missing, both in the document and
    /// in the updates of `waiting`.
    ///
    /// # Errors
    /// INTERNAL, when an update cannot be read.
    pub fn lacking<'a>(
        &self,
        update: &[u8],
        waiting: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<BTreeSet<u64>> {
        let mut lacking = structs(update)?;
        let vector = self.doc.transact().state_vector();
        let mut known = IdSet::new();
        for (client, clock) in vector.iter().filter(|(_, clock)| **clock > 0) {
            known.insert(ID { client: *client, clock: 0 }, *clock);
        }
        lacking.diff_with(&known);
        for update in waiting {
            lacking.diff_with(&structs(update)?);
        }
        let ids = lacking.iter().filter(|(_, ranges)| !ranges.is_empty());
        Ok(ids.map(|(client, _)| client.get()).collect())
    }
}

fn structs(update: &[u8]) -> Result<IdSet> {
    contain(update.len(), || {
        let update = Update::decode_v1(&wire::readable(update)).map_err(Error::internal)?;
        Ok(update.insertions(true))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use yrs::{
        ClientID, Doc, Options, ReadTxn, StateVector, Text, Transact, Update,
        updates::decoder::Decode,
    };

    use super::without;
    use crate::{State, check_update};

    fn doc(client: u64) -> Doc {
        Doc::with_options(Options { client_id: ClientID::new(client), ..Options::default() })
    }

    fn insert(doc: &Doc, at: u32, text: &str) -> Vec<u8> {
        let content = doc.get_or_insert_text("content");
        let mut txn = doc.transact_mut();
        content.insert(&mut txn, at, text);
        txn.encode_update_v1()
    }

    fn all(doc: &Doc) -> Vec<u8> {
        doc.transact().encode_state_as_update_v1(&StateVector::default())
    }

    #[test]
    fn structs_of_some_clients_are_left_out_and_those_of_others_stay() {
        let (ada, bob) = (doc(7), doc(8));
        let first = insert(&ada, 0, "of Ada");
        bob.transact_mut().apply_update(Update::decode_v1(&first).unwrap()).unwrap();
        let second = insert(&bob, 6, ", of Bob");
        let whole = all(&bob);
        assert_eq!(check_update(&whole).unwrap().clients, [(7, true), (8, true)].into());
        assert_eq!(check_update(&insert(&ada, 0, "!")).unwrap().clients, [(7, false)].into());
        let rest = without(&whole, &BTreeSet::from([7])).unwrap();
        check_update(&rest).unwrap();
        assert_eq!(rest, second);
        assert_eq!(without(&whole, &BTreeSet::from([7, 8])).unwrap(), [0, 0]);
        let state = State::load(1, None, [first.as_slice()]).unwrap();
        assert_eq!(state.lacking(&whole, []).unwrap(), BTreeSet::from([8]));
        assert_eq!(state.lacking(&whole, [second.as_slice()]).unwrap(), BTreeSet::new());
        assert_eq!(state.lacking(&first, []).unwrap(), BTreeSet::new());
    }
}
