//! Values that were read, with their versions.

/// A value with the version of the items that it was read from, if they have one.
#[derive(Clone)]
pub(crate) struct Versioned<V> {
    pub(crate) value: V,
    pub(crate) version: Option<u64>,
}

impl<V> Versioned<V> {
    /// Whether the items have not changed since, given their version now.
    pub(crate) fn is_current(&self, version: Option<u64>) -> bool {
        version.is_some() && self.version == version
    }
}
