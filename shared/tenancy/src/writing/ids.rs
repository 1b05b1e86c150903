//! Ids that increase with time.

use error::Result;
use model::Millis;

use crate::scopes::Clock;

/// A ULID: unique, and increasing with time.
pub fn new_id(at: Millis) -> Result<String> {
    let random = u128::from_be_bytes(keyring::random_bytes()?);
    Ok(ulid::Ulid::from_parts(at, random).to_string())
}

/// A ULID, also without system randomness: then it is unique within this process.
pub(crate) fn unique_id(clock: &Clock) -> String {
    let at = clock.now();
    new_id(at).unwrap_or_else(|_| ulid::Ulid::from_parts(at, clock.tick().into()).to_string())
}
