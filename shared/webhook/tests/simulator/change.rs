//! Endpoints that change, and what has to follow from it.

use std::collections::BTreeSet;

use model::{EndpointId, Millis, revision::Revision, webhook_endpoint::DisableReason};
use webhook::{
    DISABLE_AFTER, Health,
    steps::delivery::health_of,
    types::{DeliveryStatus, DeliveryTask, Versioned},
};

use crate::{
    plan::{Change, Endpoint, MINUTE, Mutant, SECOND, Site},
    state::{Item, Pair, State, endpoint, number},
};

/// Every delivery that waits is attempted within this time after a new URL: a minute until the
/// second release, a lease, a timeout, and slots for all messages.
const SOON: Millis = 3 * MINUTE;
/// Until a change has gone through the stream.
const STREAM: Millis = 200;

/// An endpoint as it is now.
#[derive(Clone, Debug)]
pub(crate) struct Current {
    pub(crate) site: Site,
    pub(crate) rate: Option<u32>,
    pub(crate) revision: Revision,
    /// Number of its URLs so far.
    pub(crate) url: u32,
    /// The rates, and since when.
    pub(crate) rates: Vec<(Millis, Option<u32>)>,
}

impl Current {
    pub(crate) fn new(plan: &Endpoint) -> Self {
        let (site, rate, revision) = (plan.site.clone(), plan.rate, Revision::default());
        Self { site, rate, revision, url: 0, rates: vec![(0, rate)] }
    }
}

/// A delivery that must have been attempted again, or have ended, by a time.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    pair: Pair,
    changed: Millis,
    /// The URL and the revision of the change.
    url: u32,
    revision: Revision,
}

impl State {
    /// The owner changes an endpoint: one write with the state of it.
    pub(crate) fn change(&mut self, m: usize, change: &Change) {
        let (now, id) = (self.now, endpoint(m));
        let mut current = self.current[m].clone();
        let rate = change.rate.filter(|rate| *rate != current.rate);
        if change.site.is_none() && rate.is_none() {
            return;
        }
        if let Some(site) = &change.site {
            current.site = site.clone();
            current.url += 1;
            self.counts.count("moved");
            if !self.is(Mutant::StateKept) {
                current.revision.url += 1;
                let version = self.serial().to_string();
                let known = self.states.get(&id).map(|seen| seen.entity.clone());
                let mut entity = known.unwrap_or_default();
                entity.health = serde_json::Value::Null;
                entity.revision.url = current.revision.url;
                self.states.insert(id.clone(), Versioned { entity, version });
            }
            self.open.remove(&id);
        }
        if let Some(rate) = rate {
            current.rate = rate;
            current.rates.push((now, rate));
            self.counts.count("paced");
            if !self.is(Mutant::SlotKept) {
                current.revision.rate += 1;
            }
        }
        self.trace(|| format!("{id:?} changes: {current:?}"));
        let revision = current.revision;
        self.current[m] = current;
        let rows = &self.rows;
        self.not_before.retain(|pair, _| {
            pair.1 != id || rows.get(pair).is_none_or(|row| !row.seen.entity.is_outdated(revision))
        });
        if !self.is(Mutant::NothingReleased) {
            let at = now + STREAM + self.plan.dice.below(SECOND);
            self.at(at, Item::Release(id.clone(), revision));
            if !self.is(Mutant::ReleasedOnce) {
                self.at(at + MINUTE, Item::Release(id, revision));
            }
        }
        self.expect(m, change);
    }

    /// Tasks for what waits, as the worker sends them.
    pub(crate) fn release(&mut self, id: &EndpointId, revision: Revision) {
        if self.disabled.contains(id) || self.current[number(id)].revision != revision {
            return;
        }
        let mut tasks = vec![];
        for ((message, _), row) in self.rows.iter().filter(|((_, at), _)| at == id) {
            let task = DeliveryTask::new(message.clone(), id.clone());
            let order =
                |order: &String| DeliveryTask { order: Some(order.clone()), ..task.clone() };
            tasks.extend(row.seen.entity.orders.iter().map(order));
            if row.seen.entity.is_outdated(revision) {
                tasks.push(task);
            }
        }
        for task in tasks {
            self.counts.count("released");
            self.send(task, self.now);
        }
    }

    /// Notes what has to be attempted soon. Only where nothing else may delay it.
    fn expect(&mut self, m: usize, change: &Change) {
        let (id, current, plan) = (endpoint(m), self.current[m].clone(), &self.plan);
        let later = plan.endpoints[m].changes.iter().filter(|change| change.at >= self.now).count();
        let troubles = [plan.fault, plan.crash, plan.lost];
        let is_certain = troubles == [0; 3] && later == 1;
        let is_up = current.site.down.0 > self.now + SOON
            || current.site.down.1 <= current.site.down.0.max(self.now);
        if !is_certain || !is_up || self.disabled.contains(&id) {
            return;
        }
        // Pauses end with a new URL only; and a call that stalls may delay a slot.
        let health = self.states.get(&id).map(|seen| health_of(&seen.entity)).unwrap_or_default();
        let of_rate = change.site.is_none();
        if of_rate && (health != Health::default() || plan.stall > 0) {
            return;
        }
        let spacing = current.rate.map_or(0, |rate| 1_100 / u64::from(rate));
        let within = if of_rate { 6 * SECOND + 20 * spacing } else { SOON };
        let (changed, url, revision) = (self.now, current.url, current.revision);
        let waits = |status| match status {
            DeliveryStatus::Pending => true,
            DeliveryStatus::Failed | DeliveryStatus::Sending => !of_rate,
            _ => false,
        };
        let waiting = self.rows.iter().filter(|(pair, _)| pair.1 == id);
        let waiting = waiting.filter(|(_, row)| waits(row.seen.entity.status));
        let mut pairs: BTreeSet<Pair> = waiting.map(|(pair, _)| pair.clone()).collect();
        if !of_rate {
            // First attempts that are under way have no row.
            let made = self.requests.iter().map(|request| &request.pair);
            let has_no_row = |pair: &&Pair| pair.1 == id && !self.rows.contains_key(*pair);
            pairs.extend(made.filter(has_no_row).cloned());
        }
        for pair in pairs {
            self.at(changed + within, Item::Due(Due { pair, changed, url, revision }));
        }
    }

    pub(crate) fn check_due(&mut self, due: &Due) {
        let Due { pair, changed, url, revision } = due;
        self.counts.count("awaited");
        let is_tried = self.requests.iter().any(|made| made.pair == *pair && made.at >= *changed);
        let is_over = self.rows.get(pair).is_some_and(|row| row.seen.entity.is_over());
        if !is_tried && !is_over && !self.disabled.contains(&pair.1) {
            let now = self.now;
            self.fault(format!(
                "{pair:?} still waits {} ms after the change to URL {url}, {revision:?}",
                now - changed
            ));
        }
    }

    /// An endpoint is disabled only by what is at its URL.
    pub(crate) fn check_disabling(&mut self, id: &EndpointId, reason: DisableReason) {
        let url = self.current[number(id)].url;
        let at_url = || self.requests.iter().filter(|made| made.pair.1 == *id && made.url == url);
        let is_right = match reason {
            DisableReason::Gone => at_url().any(|made| made.status == Some(410)),
            _ => at_url().any(|made| made.at + DISABLE_AFTER <= self.now),
        };
        if !is_right {
            self.fault(format!("{id:?} is disabled ({reason:?}) because of a former URL"));
        }
    }

    /// A rate holds from the second after the change.
    pub(crate) fn check_rates(&mut self) {
        for m in 0..self.current.len() {
            let of_endpoint = self.requests.iter().filter(|made| made.pair.1 == endpoint(m));
            let times: Vec<Millis> = of_endpoint.map(|made| made.at).collect();
            let rates = self.current[m].rates.clone();
            for (n, (since, rate)) in rates.iter().enumerate() {
                let Some(rate) = rate else { continue };
                let since = if n == 0 { 0 } else { since + SECOND };
                let until = rates.get(n + 1).map_or(Millis::MAX, |(until, _)| *until);
                let of_rate: Vec<Millis> =
                    times.iter().copied().filter(|at| (since..until).contains(at)).collect();
                for (n, start) in of_rate.iter().enumerate() {
                    let within = of_rate[n..].iter().take_while(|at| **at < start + SECOND);
                    let within = within.count();
                    if within > *rate as usize {
                        self.fault(format!("{within} requests in a second at a rate of {rate}"));
                        return;
                    }
                }
            }
        }
    }
}
