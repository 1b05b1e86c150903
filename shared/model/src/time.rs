//! Times as callers send them.

use crate::Bounded;

/// Epoch milliseconds as callers may send them: up to the year 2286.
pub type Moment = Bounded<0, 9_999_999_999_999>;
