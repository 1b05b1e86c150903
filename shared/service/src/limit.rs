//! How many calls an API key may make: a token bucket for those that read and one for those that
//! may write (GCRA).
//!
//! A process counts by itself, which costs nothing. Where it alone uses a twentieth of a bucket, it
//! also takes a twentieth at a time out of a bucket that all processes share: one write for many
//! calls, and none for a tenant far below its limits. When the table fails, calls go on.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use aws::{HeaderMap, HeaderName, HeaderValue};
use error::{Error, Result};
use model::{ApiKeyId, limits::Limits};
use store::TenantStore;

use crate::operation::Effect;

/// What a bucket holds refills in this time, in microseconds.
const CAPACITY: u64 = 10_000_000;
/// The part of a bucket that a process uses without telling others.
const PARTS: u64 = 20;
/// Most buckets kept.
const MAX_KEPT: usize = 4096;

/// What a call does, as far as limits go.
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

/// Where a caller stands after a call.
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
    /// `Retry-After` when the call was refused.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let (name, quota, window) = (self.class.name(), self.quota, CAPACITY / 1_000_000);
        let used = self.quota - self.remaining;
        let reset = self.wait.unwrap_or(used * CAPACITY / self.quota).div_ceil(1_000_000);
        let remaining = self.remaining;
        let fields = [
            ("ratelimit-policy", format!("\"{name}\";q={quota};w={window}")),
            ("ratelimit", format!("\"{name}\";r={remaining};t={reset}")),
        ];
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        if self.wait.is_some() {
            headers.insert("retry-after", HeaderValue::from(reset));
        }
    }
}

/// A token bucket: when it will be full, in epoch microseconds.
#[derive(Debug, Default)]
struct Bucket {
    full_at: u64,
    /// Calls that the shared bucket does not know of.
    untold: u64,
}

impl Bucket {
    /// Takes a token at `now`; also tells how many are to be taken out of the shared bucket.
    fn take(&mut self, class: Class, rate: u64, now: u64) -> (Standing, Option<u64>) {
        let (step, quota) = (1_000_000 / rate, CAPACITY * rate / 1_000_000);
        let next = self.full_at.max(now) + step;
        let standing = |remaining, wait| Standing { class, quota, remaining, wait };
        if next - now > CAPACITY {
            return (standing(0, Some(next - now - CAPACITY)), None);
        }
        if self.full_at <= now {
            // The shared bucket has forgotten them, too.
            self.untold = 0;
        }
        self.full_at = next;
        self.untold += 1;
        let remaining = (CAPACITY - (next - now)) / step;
        let (part, used) = ((quota / PARTS).max(1), quota.saturating_sub(remaining));
        let told = (used >= part && self.untold >= part).then(|| std::mem::take(&mut self.untold));
        (standing(remaining.min(quota), None), told)
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
    buckets: Mutex<HashMap<(ApiKeyId, Class), Bucket>>,
}

impl Limiter {
    /// Buckets for keys that have no limits of their own.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, buckets: Mutex::default() }
    }

    /// The limits of a tenant.
    pub(crate) fn limits_of(&self, tenant: &TenantStore) -> Limits {
        tenant.api_key().limits.or(self.limits)
    }

    /// Takes a token for a call; where the caller stands then, if there is a limit.
    pub(crate) async fn take(&self, tenant: &TenantStore, effect: Effect) -> Option<Standing> {
        let class = Class::of(effect);
        let rate = class.rate(&self.limits_of(tenant)).filter(|rate| *rate > 0)?.min(1_000_000);
        let now = tenant.real_now() * 1000;
        let (standing, told) = self.with(tenant, class, |bucket| bucket.take(class, rate, now));
        let Some(told) = told else { return Some(standing) };
        let cost = told * 1_000_000 / rate;
        match tenant.charge(class.name(), cost, CAPACITY).await {
            Ok(true) => Some(standing),
            Ok(false) => Some(self.with(tenant, class, |bucket| bucket.drain(class, rate, now))),
            Err(error) => {
                tracing::warn!(error = ?error, "The limit of a tenant could not be shared.");
                Some(standing)
            }
        }
    }

    fn with<T>(&self, tenant: &TenantStore, class: Class, f: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_KEPT {
            buckets.clear();
        }
        f(buckets.entry((tenant.api_key().id.clone(), class)).or_default())
    }
}

/// Whether a call may go on.
///
/// # Errors
/// RESOURCE_EXHAUSTED.
pub(crate) fn check(standing: &Standing) -> Result<()> {
    match standing {
        Standing { class, quota, wait: Some(_), .. } => Err(Error::exhausted(format!(
            "The API key may make {quota} calls that count as {} in {} s; please try again later.",
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
    fn who_stays_below_a_twentieth_tells_nobody() {
        let mut bucket = Bucket::default();
        let mut told = |now| bucket.take(Class::Reads, 100, now).1;
        // Four calls a second are forgotten as they come.
        assert!((0..1000).all(|n| told(NOW + n * 250_000).is_none()));
        let later = NOW + 1_000_000_000;
        let sum: u64 = (0..200).filter_map(|_| told(later)).sum();
        assert_eq!(sum, 200, "four times fifty");
    }
}
