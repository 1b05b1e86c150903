//! How much of something happens in a second, with a part of it for each owner.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::{
    payers::{Owner, Payer},
    shares::Parts,
};

const SECOND: Duration = Duration::from_secs(1);

/// Counts of the current second.
pub(crate) struct Rates {
    all: usize,
    parts: Parts,
    counts: Mutex<Counts>,
}

struct Counts {
    began: Instant,
    all: usize,
    of: HashMap<Owner, usize>,
}

impl Rates {
    pub(crate) fn new(name: &str, all: usize, parts: Parts) -> Self {
        let parts = parts.of_bound(name, all);
        let counts = Counts { began: Instant::now(), all: 0, of: HashMap::new() };
        Self { all, parts, counts: Mutex::new(counts) }
    }

    /// Counts one more, unless all or an owner of the payer have used up their part of the second.
    /// A refused one counts for nobody, so the map has at most `all` payers.
    pub(crate) fn admits(&self, payer: &Payer) -> bool {
        let mut counts = self.counts.lock();
        if counts.began.elapsed() >= SECOND {
            *counts = Counts { began: Instant::now(), all: 0, of: HashMap::new() };
        }
        let owners = payer.owners();
        let is_free = |owner: &Owner| {
            counts.of.get(owner).copied().unwrap_or_default() < self.parts.of(owner)
        };
        if counts.all >= self.all || !owners.iter().all(is_free) {
            return false;
        }
        counts.all += 1;
        for owner in owners {
            *counts.of.entry(owner).or_default() += 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Rates, SECOND};
    use crate::net::permits::{Parts, Payer};

    #[test]
    fn what_a_second_admits_is_shared_and_the_next_one_begins_anew() {
        let rates =
            Rates::new("handshakes", 8, Parts { user: 2, key: 4, address: 1, strangers: 5 });
        let stranger = |address: &str| Payer::Unproven(address.parse().unwrap());
        let admitted = |payer: &Payer| (0..10).filter(|_| rates.admits(payer)).count();
        assert_eq!(admitted(&stranger("9.9.9.9")), 1);
        assert_eq!(admitted(&stranger("9.9.9.8")), 1);
        assert_eq!((1..9).map(|at| admitted(&stranger(&format!("9.9.9.1{at}")))).sum::<usize>(), 2);
        assert_eq!(admitted(&stranger("8.8.8.8")), 1);
        assert_eq!(admitted(&stranger("7.7.7.7")), 0, "strangers have their part");
        let user = Payer::User { key: "k".to_owned(), user: "ann".to_owned() };
        assert_eq!(admitted(&user), 2);
        assert_eq!(admitted(&Payer::Operator), 1, "all have theirs");
        std::thread::sleep(SECOND);
        assert_eq!(admitted(&user), 2);
    }
}
