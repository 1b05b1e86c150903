//! Rate limits of API keys, their end users and workspaces: one token bucket for reads and one for
//! writes (GCRA). The operator has no limit.
//!
//! A process counts locally, which is free. A process that uses a twentieth of a bucket also takes
//! a twentieth at a time from the shared bucket: one write for many calls, and none far below the
//! limit. If the table fails, calls of a tenant's server go on, and those of end users are refused.

use std::collections::HashMap;

use aws::{HeaderMap, HeaderName, HeaderValue};
use error::{Error, Result};
use model::limits::Limits;
use parking_lot::Mutex;
use store::Account;

use crate::operation::Effect;

/// Time to refill an empty bucket, in microseconds.
pub(crate) const CAPACITY: u64 = 10_000_000;
/// The share of a bucket that a process uses without the table.
const PARTS: u64 = 20;
/// Capacity units of DynamoDB that a call consumes for each token.
pub(crate) const UNITS: f64 = 50.0;
/// Bytes of a body, as base64, that cost a capacity unit to store.
const UNIT_OF_BODY: usize = 1024 * 4 / 3;
/// Maximum number of cached buckets.
const MAX_BUCKETS: usize = 4096;

/// Rate limit class of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Class {
    Reads,
    Writes,
}

impl Class {
    const fn of(effect: Effect) -> Self {
        match effect {
            Effect::Reads => Self::Reads,
            Effect::Writes | Effect::Deletes => Self::Writes,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
        }
    }

    const fn rate(self, limits: &Limits) -> Option<u64> {
        match self {
            Self::Reads => limits.reads_per_second,
            Self::Writes => limits.writes_per_second,
        }
    }
}

/// The caller's rate limit state after a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitState {
    class: Class,
    quota: u64,
    remaining: u64,
    /// Microseconds until the next token, if there is none.
    wait: Option<u64>,
}

impl LimitState {
    /// `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, and
    /// `Retry-After` for a refused call. `t` is the time in which the client may use up the
    /// remaining tokens, which keeps it to the average rate.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let (name, quota, window) = (self.class.name(), self.quota, CAPACITY / 1_000_000);
        let remaining = self.remaining;
        let time = self.wait.unwrap_or(remaining.max(1) * CAPACITY / self.quota);
        let seconds = time.div_ceil(1_000_000);
        let fields = [
            ("ratelimit-policy", format!("\"{name}\";q={quota};w={window}")),
            ("ratelimit", format!("\"{name}\";r={remaining};t={seconds}")),
        ];
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        if self.wait.is_some() {
            headers.insert("retry-after", HeaderValue::from(seconds));
        }
    }
}

/// A limit that applies to a call, and its time in epoch microseconds.
#[derive(Clone, Copy)]
struct Limit {
    class: Class,
    per_second: u64,
    now: u64,
}

impl Limit {
    /// Microseconds per token.
    const fn step(self) -> u64 {
        1_000_000 / self.per_second
    }

    /// Tokens in a full bucket.
    const fn quota(self) -> u64 {
        CAPACITY * self.per_second / 1_000_000
    }

    /// Tokens that a process uses without the table.
    fn part(self) -> u64 {
        (self.quota() / PARTS).max(1)
    }

    const fn state(self, remaining: u64, wait: Option<u64>) -> LimitState {
        LimitState { class: self.class, quota: self.quota(), remaining, wait }
    }
}

/// A token bucket: the time at which it is full, in epoch microseconds.
#[derive(Debug, Default)]
struct Bucket {
    full_at: u64,
    /// The share that was not yet taken from the shared bucket, as microseconds to refill it.
    unshared: u64,
}

impl Bucket {
    /// Takes a token, if there is one; also returns what to take from the shared bucket.
    fn take(&mut self, limit: Limit) -> (LimitState, Option<u64>) {
        let now = limit.now;
        let next = self.full_at.max(now) + limit.step();
        if next - now > CAPACITY {
            return (limit.state(0, Some(next - now - CAPACITY)), None);
        }
        if self.full_at <= now {
            // A full bucket is full in the shared one as well.
            self.unshared = 0;
        }
        self.full_at = next;
        self.count(limit.step(), limit)
    }

    /// Takes tokens, also missing ones: at most as many as the bucket holds.
    fn owe(&mut self, tokens: f64, limit: Limit) -> (LimitState, Option<u64>) {
        let cost = ((limit.step() as f64 * tokens) as u64).min(2 * CAPACITY);
        if self.full_at <= limit.now {
            self.unshared = 0;
        }
        let next = self.full_at.max(limit.now) + cost;
        self.full_at = next.min(limit.now + 2 * CAPACITY);
        self.count(cost, limit)
    }

    fn count(&mut self, cost: u64, limit: Limit) -> (LimitState, Option<u64>) {
        self.unshared += cost;
        let left = (limit.now + CAPACITY).saturating_sub(self.full_at);
        let remaining = (left / limit.step()).min(limit.quota());
        let part = limit.part() * limit.step();
        let is_due = CAPACITY.saturating_sub(left) >= part && self.unshared >= part;
        let shared = is_due.then(|| std::mem::take(&mut self.unshared));
        (limit.state(remaining, None), shared)
    }

    /// Other processes emptied the shared bucket.
    fn drain(&mut self, limit: Limit) -> LimitState {
        let wait = limit.step() * limit.part();
        self.full_at = limit.now + CAPACITY + wait - limit.step();
        limit.state(0, Some(wait))
    }
}

/// The tokens for a body that is stored as it is: none for a small one.
pub(crate) fn tokens_for_body(bytes: usize) -> u32 {
    let tokens = bytes / UNIT_OF_BODY / UNITS as usize;
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// The buckets of a process.
pub(crate) struct Limiter {
    limits: Limits,
    buckets: Mutex<HashMap<(String, Class), Bucket>>,
}

impl Limiter {
    /// Buckets with default limits.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, buckets: Mutex::default() }
    }

    /// The limits of an account.
    pub(crate) fn limits_of(&self, account: &Account) -> Limits {
        account.limits().or(self.limits)
    }

    /// Takes a token for a call from each account; returns the state of the first one, or of one
    /// that has no token.
    ///
    /// # Errors
    /// UNAVAILABLE, when an account of end users cannot be shared.
    pub(crate) async fn take(
        &self,
        payers: &[Account],
        effect: Effect,
    ) -> Result<Option<LimitState>> {
        let mut first = None;
        for payer in payers {
            let Some(limit) = self.limit(payer, effect) else { continue };
            let (state, shared) = self.with(payer, limit.class, |bucket| bucket.take(limit));
            let state = self.share(payer, limit, state, shared, 0).await?;
            if state.wait.is_some() {
                return Ok(Some(state));
            }
            first.get_or_insert(state);
        }
        Ok(first)
    }

    /// The state of an account without a token, as far as this process knows.
    pub(crate) fn exhausted(&self, payers: &[Account], effect: Effect) -> Option<LimitState> {
        payers.iter().find_map(|payer| {
            let limit = self.limit(payer, effect)?;
            let full_at = self.with(payer, limit.class, |bucket| bucket.full_at);
            let over = (full_at + limit.step()).checked_sub(limit.now + CAPACITY)?;
            (over > 0).then(|| limit.state(0, Some(over)))
        })
    }

    /// Takes the other tokens of a call that consumed this many capacity units and has prepaid some;
    /// returns the new state of the first account, if the call was expensive.
    pub(crate) async fn charge(
        &self,
        payers: &[Account],
        effect: Effect,
        units: f64,
        prepaid: u32,
    ) -> Option<LimitState> {
        let others = (units / UNITS).ceil() - 1.0;
        let left = (others - f64::from(prepaid)).max(0.0);
        if others <= 0.0 { None } else { self.owe(payers, effect, left).await }
    }

    /// Takes tokens for work that was done, also missing ones; returns the new state of the first
    /// account with a limit.
    pub(crate) async fn owe(
        &self,
        payers: &[Account],
        effect: Effect,
        tokens: f64,
    ) -> Option<LimitState> {
        let mut first = None;
        for payer in payers {
            let Some(limit) = self.limit(payer, effect) else { continue };
            let (state, shared) = self.with(payer, limit.class, |bucket| bucket.owe(tokens, limit));
            // Tokens that could not be shared are shared with the next call.
            let state = self.share(payer, limit, state, shared, CAPACITY).await.unwrap_or(state);
            first.get_or_insert(state);
        }
        first
    }

    fn limit(&self, account: &Account, effect: Effect) -> Option<Limit> {
        let class = Class::of(effect);
        let per_second = class.rate(&self.limits_of(account)).filter(|rate| *rate > 0)?;
        let per_second = account.share_of(per_second).min(1_000_000);
        Some(Limit { class, per_second, now: account.now().millis() * 1000 })
    }

    /// Takes from the shared bucket what takes `cost` microseconds to refill, also such as is
    /// refilled within `horizon`; returns the new state.
    async fn share(
        &self,
        account: &Account,
        limit: Limit,
        state: LimitState,
        cost: Option<u64>,
        horizon: u64,
    ) -> Result<LimitState> {
        let Some(cost) = cost else { return Ok(state) };
        match account.reserve(limit.class.name(), cost, CAPACITY, horizon).await {
            Ok(Some(_)) => Ok(state),
            Ok(None) => Ok(self.with(account, limit.class, |bucket| bucket.drain(limit))),
            Err(error) => {
                tracing::warn!(error = ?error, "A limit could not be shared.");
                if !account.fails_closed() {
                    return Ok(state);
                }
                self.with(account, limit.class, |bucket| bucket.unshared += cost);
                Err(Error::unavailable("a limit of end users could not be shared"))
            }
        }
    }

    fn with<T>(&self, account: &Account, class: Class, f: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut buckets = self.buckets.lock();
        let name = (account.id().to_owned(), class);
        if buckets.len() >= MAX_BUCKETS && !buckets.contains_key(&name) {
            let now = account.now().millis() * 1000;
            buckets.retain(|_, bucket| bucket.full_at > now);
            // The bucket that is the next to be full gives away the least.
            let next = buckets.iter().min_by_key(|(_, bucket)| bucket.full_at);
            let next = next.filter(|_| buckets.len() >= MAX_BUCKETS).map(|(name, _)| name.clone());
            if let Some(name) = next {
                buckets.remove(&name);
            }
        }
        f(buckets.entry(name).or_default())
    }
}

/// Whether a call may go on.
///
/// # Errors
/// RESOURCE_EXHAUSTED.
pub(crate) fn check(state: &LimitState) -> Result<()> {
    match state {
        LimitState { class, quota, wait: Some(_), .. } => Err(Error::exhausted(format!(
            "The rate limit is {quota} {} in {} s; please try again later.",
            class.name(),
            CAPACITY / 1_000_000
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Class, Limit};

    const NOW: u64 = 1_000_000_000;

    fn at(now: u64, per_second: u64) -> Limit {
        Limit { class: Class::Writes, per_second, now }
    }

    #[test]
    fn a_full_bucket_holds_ten_seconds_of_calls_and_refills_steadily() {
        let mut bucket = Bucket::default();
        let mut take = |now| bucket.take(at(now, 2)).0;
        let remaining: Vec<u64> = (0..20).map(|_| take(NOW).remaining).collect();
        assert_eq!(remaining, (0..20).rev().collect::<Vec<_>>());
        assert_eq!(take(NOW).wait, Some(500_000));
        assert_eq!(take(NOW + 499_999).wait, Some(1));
        assert_eq!(take(NOW + 500_000).wait, None);
        assert_eq!(take(NOW + 500_000).wait, Some(500_000));
        assert_eq!(take(NOW + 60_000_000).remaining, 19, "never more than it holds");
    }

    #[test]
    fn what_stays_below_a_twentieth_is_not_shared() {
        let mut bucket = Bucket::default();
        let mut shared = |now| bucket.take(at(now, 100)).1;
        // Four calls a second are refilled at once.
        assert!((0..1000).all(|n| shared(NOW + n * 250_000).is_none()));
        let later = NOW + 1_000_000_000;
        let sum: u64 = (0..200).filter_map(|_| shared(later)).sum();
        assert_eq!(sum, 200 * at(later, 100).step(), "four times fifty");
    }

    #[test]
    fn an_expensive_call_owes_at_most_what_the_bucket_holds() {
        let mut bucket = Bucket::default();
        assert_eq!(bucket.take(at(NOW, 2)).0.remaining, 19);
        let (state, shared) = bucket.owe(5.0, at(NOW, 2));
        assert_eq!((state.remaining, shared), (14, Some(2_500_000)));
        assert_eq!(bucket.owe(1e6, at(NOW, 2)).0.remaining, 0);
        assert_eq!(bucket.take(at(NOW, 2)).0.wait, Some(10_500_000));
        assert_eq!(bucket.take(at(NOW + 10_500_000, 2)).0.wait, None);
    }

    #[test]
    fn fractions_that_are_refilled_in_time_are_not_shared() {
        let mut bucket = Bucket::default();
        let mut owe = |now, tokens| bucket.owe(tokens, at(now, 10)).1;
        // Half of what is refilled, for an hour.
        assert!((0..36_000).all(|n| owe(NOW + n * 100_000, 0.5).is_none()));
        assert_eq!(owe(NOW + 36_000 * 100_000, 10.0), Some(1_000_000), "and none of it later");
    }
}
