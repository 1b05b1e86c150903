//! Figures that are counted and measured as events happen.

use std::{sync::Arc, time::Duration};

use embedded::{Database, Observer};
use parking_lot::Mutex;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet},
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};
use service::{AttemptOutcome, DeliveryObserver};

use super::sample::Sample;
use crate::watch::sampled::Sampled;

/// Bounds of the buckets of calls over HTTP, in seconds.
const CALLS: [f64; 13] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Bounds of the buckets of work in a database, and of syncs.
const STORE: [f64; 11] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0];
/// Bounds of the buckets of the way of an event to its receiver, with pauses between attempts.
const DELAYS: [f64; 12] =
    [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0, 43_200.0];

pub(super) type Histograms<Labels> = Family<Labels, Histogram, fn() -> Histogram>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OfCall {
    pub(super) operation: &'static str,
    pub(super) status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfAction {
    action: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfDatabase {
    database: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfAttempt {
    outcome: &'static str,
}

/// The figures of a stack.
pub(crate) struct Metrics {
    pub(super) registry: Registry,
    pub(super) calls: Histograms<OfCall>,
    store_calls: Histograms<OfAction>,
    store_waits: Histograms<OfDatabase>,
    syncs: Histograms<OfDatabase>,
    attempts: Family<OfAttempt, Counter>,
    delays: Histogram,
    pub(super) sampled: Sampled<Arc<Sample>>,
    pub(super) latest: Arc<Latest>,
}

/// The sample of a scrape.
#[derive(Debug, Default)]
pub(super) struct Latest(pub(super) Mutex<Arc<Sample>>);

impl Collector for Latest {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        let sample = Arc::clone(&self.0.lock());
        sample.encode(encoder)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let calls: Histograms<_> = Family::new_with_constructor(|| Histogram::new(CALLS));
        let store_calls: Histograms<_> = Family::new_with_constructor(|| Histogram::new(STORE));
        let store_waits: Histograms<_> = Family::new_with_constructor(|| Histogram::new(STORE));
        let syncs: Histograms<_> = Family::new_with_constructor(|| Histogram::new(STORE));
        let (attempts, delays) = (Family::<OfAttempt, Counter>::default(), Histogram::new(DELAYS));
        // Both from the start: a first failure is seen as a change.
        for outcome in ["success", "failure"] {
            drop(attempts.get_or_create(&OfAttempt { outcome }));
        }
        let latest = Arc::default();
        let mut registry = Registry::default();
        registry.register(
            "http_server_request_duration_seconds",
            "Duration of requests to the gateway",
            calls.clone(),
        );
        registry.register(
            "roundtable_store_call_seconds",
            "Duration of work in a database, without the wait for it",
            store_calls.clone(),
        );
        registry.register(
            "roundtable_store_wait_seconds",
            "Wait of a call until the database was free",
            store_waits.clone(),
        );
        registry.register(
            "roundtable_sync_seconds",
            "Duration of syncs of a write-ahead log",
            syncs.clone(),
        );
        registry.register(
            "roundtable_deliveries",
            "Attempts to deliver webhooks",
            attempts.clone(),
        );
        registry.register(
            "roundtable_delivery_delay_seconds",
            "Time from an event to the success of its webhook",
            delays.clone(),
        );
        registry.register_collector(Box::new(Arc::clone(&latest)));
        let sampled = Sampled::default();
        Self { registry, calls, store_calls, store_waits, syncs, attempts, delays, sampled, latest }
    }
}

impl Observer for Metrics {
    fn called(&self, database: Database, action: &'static str, waited: Duration, took: Duration) {
        let database = OfDatabase { database: database.name() };
        self.store_waits.get_or_create(&database).observe(waited.as_secs_f64());
        self.store_calls.get_or_create(&OfAction { action }).observe(took.as_secs_f64());
    }

    fn synced(&self, database: Database, took: Duration) {
        let database = OfDatabase { database: database.name() };
        self.syncs.get_or_create(&database).observe(took.as_secs_f64());
    }
}

impl DeliveryObserver for Metrics {
    fn attempted(&self, attempt: AttemptOutcome) {
        let outcome = if attempt.is_success { "success" } else { "failure" };
        self.attempts.get_or_create(&OfAttempt { outcome }).inc();
        if let Some(delay) = attempt.delay.filter(|_| attempt.is_success) {
            self.delays.observe(delay.as_secs_f64());
        }
    }
}
