//! The state of the live channel.

use std::sync::Arc;

use embedded::Connections;

use super::{
    calls::Calls,
    limits::{Limits, LiveOptions},
};
use crate::{
    host::Operations,
    net::{AccountLimits, Bounds, Payers},
};

/// The channel.
pub(crate) struct Live {
    pub(super) options: LiveOptions,
    pub(super) limits: Limits,
    pub(super) calls: Calls,
    /// Operations for what is too large for a function of the channel.
    pub(super) operations: Operations,
    pub(super) payers: Arc<Payers>,
    pub(super) bounds: Arc<Bounds>,
    pub(super) turns: Arc<AccountLimits>,
    pub(super) connections: Connections,
}

impl Live {
    pub(crate) fn new(
        options: LiveOptions,
        calls: Calls,
        operations: Operations,
        payers: Arc<Payers>,
        bounds: Arc<Bounds>,
        turns: Arc<AccountLimits>,
        connections: Connections,
    ) -> Self {
        let limits = Limits::new(options);
        Self { options, limits, calls, operations, payers, bounds, turns, connections }
    }
}
