//! What pages of other origins may do: everything that credentials let them (decision 47). Which
//! origins an API key admits is decided by each function (`allowedDomains`), not here.

/// Headers that a page may send.
pub const ALLOWED_HEADERS: [&str; 5] = [
    "authorization",
    "content-type",
    "idempotency-key",
    "x-service-api-key",
    "x-service-auth-token",
];
/// Headers of replies that a page may read.
pub const EXPOSED_HEADERS: [&str; 7] = [
    "idempotent-replayed",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "x-consumed-units",
    "x-ignored-members",
    "x-request-id",
];
/// How long a browser need not ask again, in seconds.
pub const MAX_AGE: u32 = 7_200;
