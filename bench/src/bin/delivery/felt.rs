//! Effects of other tenants on a tenant: latencies of its calls and webhooks.

use std::time::Duration;

/// How often rounds are drawn for the confidence interval of a change.
const DRAWS: usize = 1_000;

/// Latencies of the neighbour.
#[derive(Default)]
pub(crate) struct Felt {
    pub(crate) reads: Vec<Duration>,
    pub(crate) writes: Vec<Duration>,
    /// From the reply of a write to the arrival of its webhook.
    pub(crate) webhooks: Vec<Duration>,
    pub(crate) calls_ahead: Vec<u64>,
    pub(crate) sent_ahead: Vec<u64>,
    pub(crate) refused: usize,
    pub(crate) lost: usize,
    /// Answered calls of the other tenant.
    pub(crate) made: u64,
}

impl Felt {
    /// Several rounds as one.
    pub(crate) fn of<'a>(rounds: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut together = Self::default();
        for round in rounds {
            together.reads.extend(&round.reads);
            together.writes.extend(&round.writes);
            together.webhooks.extend(&round.webhooks);
            together.calls_ahead.extend(&round.calls_ahead);
            together.sent_ahead.extend(&round.sent_ahead);
            together.refused += round.refused;
            together.lost += round.lost;
            together.made += round.made;
        }
        together
    }

    /// Whether no call was refused and no webhook lost.
    pub(crate) fn is_whole(&self) -> bool {
        self.refused + self.lost == 0
    }

    fn latencies(&self) -> [[f64; 2]; 3] {
        [&self.reads, &self.writes, &self.webhooks].map(|took| percentiles(took))
    }

    pub(crate) fn print_head() {
        println!(
            "{:<24} {:<8} {:>15} {:>15} {:>15} {:>12} {:>12} {:>8} {:>6} {:>7}",
            "",
            "",
            "reads ms",
            "writes ms",
            "webhooks ms",
            "calls ahead",
            "sent ahead",
            "refused",
            "lost",
            "calls"
        );
    }

    pub(crate) fn print(&self, name: &str, beside: &str) {
        let [reads, writes, webhooks] =
            self.latencies().map(|[median, high]| format!("{median:.1}/{high:.1}"));
        println!(
            "{name:<24} {beside:<8} {reads:>15} {writes:>15} {webhooks:>15} {:>12} {:>12} {:>8} {:>6} {:>7}",
            mean_and_most(&self.calls_ahead),
            mean_and_most(&self.sent_ahead),
            self.refused,
            self.lost,
            self.made,
        );
    }

    /// By how much percentiles changed, in percent of what they were.
    fn changes(&self, from: &Self) -> [[f64; 2]; 3] {
        let (now, was) = (self.latencies(), from.latencies());
        let percent = |now: f64, was: f64| (now / was.max(f64::EPSILON) - 1.0) * 100.0;
        std::array::from_fn(|n| std::array::from_fn(|at| percent(now[n][at], was[n][at])))
    }

    /// [`Felt::changes`] in columns.
    pub(crate) fn change(&self, from: &Self) -> String {
        columns(self.changes(from).map(|[median, high]| format!("{median:+.0} %/{high:+.0} %")))
    }
}

/// The interval that contains the change of the 99th percentiles with 90 % confidence: the bootstrap
/// over pairs of rounds, alone and beside the other tenant.
pub(crate) fn confidence(rounds: &[(Felt, Felt)]) -> String {
    let mut random = fastrand::Rng::with_seed(1);
    let mut changes: [Vec<f64>; 3] = Default::default();
    for _ in 0..DRAWS {
        let drawn: Vec<_> = rounds.iter().filter_map(|_| random.choice(rounds)).collect();
        let alone = Felt::of(drawn.iter().map(|(alone, _)| alone));
        let beside = Felt::of(drawn.iter().map(|(_, beside)| beside));
        for (all, [_, high]) in changes.iter_mut().zip(beside.changes(&alone)) {
            all.push(high);
        }
    }
    columns(changes.map(|mut all| {
        all.sort_unstable_by(f64::total_cmp);
        format!("{:+.0} to {:+.0} %", all[DRAWS / 20], all[DRAWS - 1 - DRAWS / 20])
    }))
}

fn columns(of: [String; 3]) -> String {
    let [reads, writes, webhooks] = of;
    format!("{reads:>15} {writes:>15} {webhooks:>15}")
}

/// The median and the 99th percentile in milliseconds.
pub(crate) fn percentiles(took: &[Duration]) -> [f64; 2] {
    let mut took = took.to_vec();
    took.sort_unstable();
    [50, 99].map(|share| {
        let at = took.len().saturating_sub(1) * share / 100;
        took.get(at).map_or(0.0, |took| took.as_secs_f64() * 1e3)
    })
}

fn mean_and_most(counts: &[u64]) -> String {
    let mean = counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64;
    format!("{mean:.1}/{}", counts.iter().max().unwrap_or(&0))
}
