//! How often connections may do things, as this process sees it: what is too much is refused without
//! a call of the store.

use std::{collections::HashMap, fmt::Display};

use model::{Millis, UserId, live::LivePlace};
use parking_lot::Mutex;
use tenancy::scopes::TenantStore;

use super::Live;
use crate::member::next_epoch;

/// Messages of a connection: so many at once, and one more in so many milliseconds.
const MAX_MESSAGES: u64 = 300;
const MESSAGE_INTERVAL: Millis = 10;

/// Messages of a connection before its token: so many at once, and one more in so many milliseconds.
const MAX_INTRODUCTIONS: u64 = 100;
const INTRODUCTION_INTERVAL: Millis = 100;
/// Connections of a user that join a place: so many at once, and one more in so many milliseconds.
const MAX_JOINS: u64 = 40;
const JOIN_INTERVAL: Millis = 500;
/// Minimum time between two comparisons of a reader's update with its editor, in milliseconds.
const COMPARISON_INTERVAL: Millis = 10_000;
/// Maximum number of buckets.
const MAX_BUCKETS: usize = 4096;

/// How often connections may do things, by name: the time at which a token bucket is full, or the end
/// of the epoch of a client.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<String, Millis>>);

impl Rates {
    /// Takes a token of a bucket that refills one in `step` milliseconds and is full after
    /// `capacity`; false when there is none.
    fn admits(&self, name: String, step: Millis, capacity: Millis, now: Millis) -> bool {
        let mut buckets = self.0.lock();
        make_room(&mut buckets, &name, now);
        let full_at = buckets.entry(name).or_default();
        let next = (*full_at).max(now) + step;
        let is_admitted = next <= now + capacity;
        if is_admitted {
            *full_at = next;
        }
        is_admitted
    }

    /// The first time from `start` on that is in a later epoch than the last one of the same name.
    fn begins(&self, name: String, start: Millis, now: Millis) -> Millis {
        let mut buckets = self.0.lock();
        make_room(&mut buckets, &name, now);
        let free_at = buckets.entry(name).or_default();
        let start = start.max(*free_at);
        *free_at = next_epoch(start);
        start
    }
}

/// Keeps the map in its bounds before a name is added; the one that ends next gives away the least.
fn make_room(buckets: &mut HashMap<String, Millis>, name: &str, now: Millis) {
    if buckets.len() < MAX_BUCKETS || buckets.contains_key(name) {
        return;
    }
    buckets.retain(|_, full_at| *full_at > now);
    if buckets.len() >= MAX_BUCKETS {
        let next = buckets.iter().min_by_key(|(_, full_at)| **full_at);
        if let Some(name) = next.map(|(name, _)| name.clone()) {
            buckets.remove(&name);
        }
    }
}

impl Live {
    /// Whether a connection may send another message now: a hundred in a second, more at once.
    pub fn may_send(&self, id: &str) -> bool {
        self.rates.admits(
            id.to_owned(),
            MESSAGE_INTERVAL,
            MESSAGE_INTERVAL * MAX_MESSAGES,
            self.now(),
        )
    }

    /// Whether a connection may send another message before its token.
    pub fn may_send_before_token(&self, id: &str) -> bool {
        let capacity = INTRODUCTION_INTERVAL * MAX_INTRODUCTIONS;
        self.rates.admits(format!("{id} anonymous"), INTRODUCTION_INTERVAL, capacity, self.now())
    }

    /// Whether a user may join a place once more now; honest clients wait before they come back.
    pub fn may_join(&self, tenant: &TenantStore, user: &UserId, place: &LivePlace) -> bool {
        let name = in_place(tenant, user, place);
        self.rates.admits(name, JOIN_INTERVAL, JOIN_INTERVAL * MAX_JOINS, self.now())
    }

    /// The time, from `start` on, at which the awareness clocks of a client begin at its connection: a
    /// client that comes back within an epoch has to have newer ones than its last connection.
    pub fn clocks_begin(
        &self,
        tenant: &TenantStore,
        place: &LivePlace,
        client: u64,
        start: Millis,
    ) -> Millis {
        let name = format!("{} clocks", in_place(tenant, client, place));
        self.rates.begins(name, start, self.now())
    }

    /// Whether a connection may have an update compared with the whole of an editor, which a reader
    /// needs once after it has joined.
    pub fn may_compare(&self, id: &str, editor: &str) -> bool {
        self.rates.admits(
            format!("{id} {editor}"),
            COMPARISON_INTERVAL,
            COMPARISON_INTERVAL,
            self.now(),
        )
    }
}

fn in_place(tenant: &TenantStore, who: impl Display, place: &LivePlace) -> String {
    let key = &tenant.api_key().id;
    format!("{key} {who} {} {:?}", place.organization_id, place.part)
}

#[cfg(test)]
mod tests {
    use super::{MAX_BUCKETS, Rates};

    #[test]
    fn each_connection_of_a_client_has_an_epoch_of_its_own() {
        let rates = Rates::default();
        let begins = |now| rates.begins("a".to_owned(), now, now);
        assert_eq!([begins(5_000), begins(5_000), begins(5_120)], [5_000, 5_125, 5_250]);
        assert_eq!([begins(5_374), begins(5_375), begins(6_000)], [5_375, 5_500, 6_000]);
        assert_eq!(rates.begins("b".to_owned(), 5_000, 5_000), 5_000);
    }

    #[test]
    fn a_bucket_refills_steadily_and_is_of_one_name() {
        let rates = Rates::default();
        let admits = |name: &str, now| rates.admits(name.to_owned(), 20, 100, now);
        assert_eq!((0..9).filter(|_| admits("a", 1_000)).count(), 5);
        assert!(admits("b", 1_000));
        assert!(!admits("a", 1_019) && admits("a", 1_020) && !admits("a", 1_020));
        assert_eq!((0..9).filter(|_| admits("a", 9_000)).count(), 5, "never more than it holds");
    }

    #[test]
    fn many_names_do_not_empty_a_bucket_in_use_before_full_ones() {
        let rates = Rates::default();
        for n in 0..MAX_BUCKETS - 1 {
            assert!(rates.admits(n.to_string(), 1, 1, 1_000));
        }
        assert!(rates.admits("used".to_owned(), 50, 50, 1_002));
        assert!(rates.admits("one more".to_owned(), 1, 1, 1_003));
        assert!(!rates.admits("used".to_owned(), 50, 50, 1_003));
    }

    #[test]
    fn one_name_too_many_empties_one_bucket() {
        let rates = Rates::default();
        let admits = |n: usize, now| rates.admits(n.to_string(), 60_000, 60_000, now);
        assert!((0..MAX_BUCKETS).all(|n| admits(n, 1_000 + n as u64)));
        assert!(admits(MAX_BUCKETS, 6_000));
        assert_eq!((1..=MAX_BUCKETS).filter(|n| admits(*n, 6_000)).count(), 0);
        assert!(admits(0, 6_000), "it was the next to be full");
    }
}
