//! Rules for pages of other origins: everything that credentials allow (decision 47). Each function
//! checks the allowed origins of an API key (`allowedDomains`).

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
/// Cache time of a preflight, in seconds.
pub const MAX_AGE: u32 = 7_200;
