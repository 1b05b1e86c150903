//! How many calls an API key or a workspace may make: a token bucket for those that read and one for
//! those that may write (GCRA). The operator has no limit.
//!
//! A process counts by itself, which costs nothing. Where it alone uses a twentieth of a bucket, it
//! also takes a twentieth at a time out of a bucket that all processes share: one write for many
//! calls, and none for who is far below its limits. When the table fails, calls go on.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use aws::{HeaderMap, HeaderName, HeaderValue};
use error::{Error, Result};
use model::limits::Limits;
use store::Account;

use crate::operation::Effect;

/// What a bucket holds refills in this time, in microseconds.
const CAPACITY: u64 = 10_000_000;
/// The part of a bucket that a process uses without sharing it.
const PARTS: u64 = 20;
/// Most buckets kept.
const MAX_KEPT: usize = 4096;

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
pub(crate) struct Standing {
    class: Class,
    quota: u64,
    remaining: u64,
    /// Microseconds until there are tokens again, if there are none.
    wait: Option<u64>,
}

impl Standing {
    /// `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, and
    /// `Retry-After` when the call was refused. `t` is the time in which the client may use up what
    /// remains: that keeps it to the average rate.
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

/// A token bucket: when it will be full, in epoch microseconds.
#[derive(Debug, Default)]
struct Bucket {
    full_at: u64,
    /// Calls that were not taken out of the shared bucket yet.
    unshared: u64,
}

impl Bucket {
    /// Takes a token at `now`; also answers how many are to be taken out of the shared bucket.
    fn take(&mut self, class: Class, rate: u64, now: u64) -> (Standing, Option<u64>) {
        let (step, quota) = (1_000_000 / rate, CAPACITY * rate / 1_000_000);
        let next = self.full_at.max(now) + step;
        let standing = |remaining, wait| Standing { class, quota, remaining, wait };
        if next - now > CAPACITY {
            return (standing(0, Some(next - now - CAPACITY)), None);
        }
        if self.full_at <= now {
            // The shared bucket has forgotten them, too.
            self.unshared = 0;
        }
        self.full_at = next;
        self.unshared += 1;
        let remaining = (CAPACITY - (next - now)) / step;
        let (part, used) = ((quota / PARTS).max(1), quota.saturating_sub(remaining));
        let is_due = used >= part && self.unshared >= part;
        let shared = is_due.then(|| std::mem::take(&mut self.unshared));
        (standing(remaining.min(quota), None), shared)
    }

    /// Others took all there was.
    fn drain(&mut self, class: Class, rate: u64, now: u64) -> Standing {
        let (step, quota) = (1_000_000 / rate, CAPACITY * rate / 1_000_000);
        let wait = step * (quota / PARTS).max(1);
        self.full_at = now + CAPACITY + wait - step;
        Standing { class, quota, remaining: 0, wait: Some(wait) }
    }
}

/// The buckets of a process.
pub(crate) struct Limiter {
    limits: Limits,
    buckets: Mutex<HashMap<(String, Class), Bucket>>,
}

impl Limiter {
    /// Buckets for accounts that have no limits of their own.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, buckets: Mutex::default() }
    }

    /// The limits of an account.
    pub(crate) fn limits_of(&self, account: &Account) -> Limits {
        account.limits().or(self.limits)
    }

    /// Takes a token for a call; where the caller stands then, if there is a limit.
    pub(crate) async fn take(&self, account: &Account, effect: Effect) -> Option<Standing> {
        let class = Class::of(effect);
        let rate = class.rate(&self.limits_of(account)).filter(|rate| *rate > 0)?.min(1_000_000);
        let now = account.now() * 1000;
        let (standing, shared) = self.with(account, class, |bucket| bucket.take(class, rate, now));
        let Some(shared) = shared else { return Some(standing) };
        let cost = shared * 1_000_000 / rate;
        match account.charge(class.name(), cost, CAPACITY).await {
            Ok(true) => Some(standing),
            Ok(false) => Some(self.with(account, class, |bucket| bucket.drain(class, rate, now))),
            Err(error) => {
                tracing::warn!(error = ?error, "A limit could not be shared.");
                Some(standing)
            }
        }
    }

    fn with<T>(&self, account: &Account, class: Class, f: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_KEPT {
            buckets.clear();
        }
        f(buckets.entry((account.id().to_owned(), class)).or_default())
    }
}

/// Whether a call may go on.
///
/// # Errors
/// RESOURCE_EXHAUSTED.
pub(crate) fn check(standing: &Standing) -> Result<()> {
    match standing {
        Standing { class, quota, wait: Some(_), .. } => Err(Error::exhausted(format!(
            "The rate limit is {quota} {} in {} s; please try again later.",
            class.name(),
            CAPACITY / 1_000_000
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Class};

    const NOW: u64 = 1_000_000_000;

    #[test]
    fn a_full_bucket_holds_ten_seconds_of_calls_and_refills_steadily() {
        let mut bucket = Bucket::default();
        let mut take = |now| bucket.take(Class::Writes, 2, now).0;
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
        let mut shared = |now| bucket.take(Class::Reads, 100, now).1;
        // Four calls a second are forgotten as they come.
        assert!((0..1000).all(|n| shared(NOW + n * 250_000).is_none()));
        let later = NOW + 1_000_000_000;
        let sum: u64 = (0..200).filter_map(|_| shared(later)).sum();
        assert_eq!(sum, 200, "four times fifty");
    }
}
