//! Snapshots, as the rows say that name them.

use aws::{Item, Value};
use error::{Error, Result};
use tenancy::layout::{item, pack};

use crate::editors::{bytes, n, text};

pub(in crate::editors) const SNAPSHOT: &str = "snapshot";
const PARTS: &str = "parts";
const BYTES: &str = "bytes";
const PACKED: &str = "packed";
/// Size in memory; of a snapshot here, of an entry in its first row.
pub(in crate::editors) const FOOTPRINT: &str = "footprint";
const INLINE: &str = "inline";

/// A snapshot, with the authors of what is in it.
#[derive(Clone, Debug)]
pub(in crate::editors) struct Snapshot {
    pub(in crate::editors) version: String,
    /// Number of its rows; none when the row that names it contains it.
    pub(in crate::editors) parts: usize,
    /// Unpacked size.
    pub(in crate::editors) bytes: usize,
    /// Stored size; behind that are the authors.
    pub(in crate::editors) packed: usize,
    /// Size of the snapshot in memory.
    pub(in crate::editors) footprint: usize,
    pub(in crate::editors) inline: Option<Vec<u8>>,
}

impl Snapshot {
    /// The snapshot that a row names, if it names one.
    pub(in crate::editors) fn read(item: &Item) -> Result<Option<Self>> {
        let Some(version) = text(item, SNAPSHOT) else { return Ok(None) };
        let size =
            |name| usize::try_from(item::number(item, name).unwrap_or(0)).map_err(Error::internal);
        let (parts, inline) = (size(PARTS)?, bytes(item, INLINE).map(<[u8]>::to_vec));
        // Heads of earlier versions do not say it.
        let most = inline.as_ref().map_or(parts * pack::PART_BYTES, Vec::len);
        Ok(Some(Self {
            version,
            parts,
            bytes: size(BYTES)?,
            packed: Some(size(PACKED)?).filter(|packed| *packed > 0).unwrap_or(most),
            footprint: size(FOOTPRINT)?,
            inline,
        }))
    }

    /// The members of a row that names it; none where there is nothing.
    pub(in crate::editors) fn members(&self) -> [(&'static str, Option<Value>); 6] {
        let inline = self.inline.as_deref().map(|bytes| Value::B(aws::Blob::new(bytes)));
        [
            (SNAPSHOT, Some(Value::S(self.version.clone()))),
            (PARTS, Some(n(self.parts as u64))),
            (BYTES, Some(n(self.bytes as u64))),
            (PACKED, Some(n(self.packed as u64))),
            (FOOTPRINT, Some(n(self.footprint as u64))),
            (INLINE, inline),
        ]
    }
}
