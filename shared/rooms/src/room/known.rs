//! The rows of a place, as this process knows them: what it changes itself, it need not read again.

use std::{collections::BTreeSet, sync::Arc};

use parking_lot::Mutex;

use super::{AllMembers, Member};

/// Rows that were read, with the changes of this process since. Whoever begins a change does so
/// before it is sent to the store, which raises the version of the place for each change. So the
/// rows are current as long as their version is that of the place: then nobody else has changed
/// any, and each change is in them.
pub(super) struct KnownRows(Mutex<Rows>);

struct Rows {
    all: Arc<AllMembers>,
    version: u64,
    /// Connections whose rows are being changed.
    changing: BTreeSet<String>,
    /// Whether a row was changed twice at a time, in an order that nobody knows.
    is_lost: bool,
}

impl KnownRows {
    /// Rows that were read after the version.
    pub(super) fn new(all: Arc<AllMembers>, version: u64) -> Self {
        Self(Mutex::new(Rows { all, version, changing: BTreeSet::new(), is_lost: false }))
    }

    /// The rows, if they are those of a version of the place.
    pub(super) fn at(&self, version: u64) -> Option<Arc<AllMembers>> {
        let rows = self.0.lock();
        (rows.version == version && !rows.is_lost).then(|| Arc::clone(&rows.all))
    }

    /// Begins to change the row of a connection.
    pub(super) fn begin(&self, connection: &str) {
        let mut rows = self.0.lock();
        rows.is_lost |= !rows.changing.insert(connection.to_owned());
    }

    /// Ends a change that was begun, with the member it made; none if it has failed, or nobody knows.
    pub(super) fn end(&self, connection: &str, changed: Option<Member>) {
        let rows = &mut *self.0.lock();
        rows.changing.remove(connection);
        let Some(changed) = changed else { return };
        let all = Arc::make_mut(&mut rows.all);
        let mut members = all.members.iter_mut();
        match members.find(|member| member.connection_id == connection) {
            Some(member) => {
                *member = changed;
                rows.version += 1;
            }
            None => rows.is_lost = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{
        Millis,
        live::{LivePart, LivePlace},
    };

    use super::{AllMembers, KnownRows, Member};
    use crate::member::protocol::Protocol;

    fn member(connection: &str, seen: Millis) -> Member {
        let part = LivePart::Events { document_id: "d".to_owned().try_into().unwrap() };
        let place = LivePlace { organization_id: "o".to_owned().try_into().unwrap(), part };
        let ann = "ann".to_owned().try_into().unwrap();
        Member { seen, ..Member::new(&place, connection, Protocol::Y, ann, 7) }
    }

    fn known() -> KnownRows {
        let members = vec![member("a", 7), member("b", 7)];
        KnownRows::new(Arc::new(AllMembers { members, departed: vec![] }), 5)
    }

    fn seen(known: &KnownRows, version: u64) -> Option<Vec<Millis>> {
        Some(known.at(version)?.members.iter().map(|member| member.seen).collect())
    }

    #[test]
    fn rows_are_current_with_all_changes_of_this_process_and_no_other() {
        let known = known();
        assert_eq!((seen(&known, 5), seen(&known, 6)), (Some(vec![7, 7]), None));
        // Two at a time, and the second is done first.
        known.begin("a");
        known.begin("b");
        known.end("b", Some(member("b", 9)));
        assert_eq!(seen(&known, 7), None, "one is on its way");
        known.end("a", Some(member("a", 8)));
        assert_eq!(seen(&known, 7), Some(vec![8, 9]));
        // The version of a place that somebody else has changed stays ahead.
        known.begin("a");
        known.end("a", Some(member("a", 10)));
        assert_eq!(seen(&known, 9), None);
    }

    #[test]
    fn rows_are_read_again_after_a_failed_change_and_after_two_of_one_row_at_a_time() {
        let known_then = |change: fn(&KnownRows)| {
            let known = known();
            change(&known);
            (5..9).find(|version| known.at(*version).is_some())
        };
        let failed = |known: &KnownRows| {
            known.begin("a");
            known.end("a", None);
        };
        // The store has raised it to 6.
        assert_eq!(known_then(failed), Some(5));
        let twice = |known: &KnownRows| {
            known.begin("a");
            known.begin("a");
            known.end("a", Some(member("a", 8)));
            known.end("a", Some(member("a", 9)));
        };
        assert_eq!(known_then(twice), None);
        let given_up_and_again = |known: &KnownRows| {
            known.begin("a");
            known.begin("a");
            known.end("a", Some(member("a", 8)));
        };
        assert_eq!(known_then(given_up_and_again), None);
        let newcomer = |known: &KnownRows| {
            known.begin("c");
            known.end("c", Some(member("c", 8)));
        };
        assert_eq!(known_then(newcomer), None);
    }
}
