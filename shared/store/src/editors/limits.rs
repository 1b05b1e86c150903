//! Checks of the limits of editors: a function has to be able to read what it accepts.

use std::sync::LazyLock;

use error::{Error, Result};
use model::{EditorId, editor::GrownLog, life::Life, user::User};
use tenancy::{
    layout::{Key, Table, item, pack},
    prelude::*,
    reading::new_version,
};

use super::{
    Decoder, EditorStore,
    bounds::{Full, MAX_COMPRESSED, MAX_FOOTPRINT, MIB, NEAR, data_of, too_large, too_long},
    edits::Edits,
    head::{FOOTPRINT, Head},
    log::{SIZE, UNPACKED},
    of_document,
};
use crate::room::{Limit, give_room, take_room};

/// Maximum memory of the updates of one write.
const MAX_ENTRY: usize = 32 * MIB;

/// The part of a log that peers may fill: the rest is for callers, who read the log before they
/// write.
const ROOM: (usize, usize, usize) = (16_000, 20 * MIB, 56 * MIB);

/// A write with more updates or bytes triggers a check of the log.
const LONG_UPDATES: usize = 32;
const LONG_BYTES: usize = 16 * 1024;
/// So does one with more memory.
const LONG_FOOTPRINT: usize = 256 * 1024;

/// Whether the service does without a bound, of editors or of the server, which
/// `.ci/try-strangers --mutants` has to find. Release builds keep all of them.
#[expect(clippy::disallowed_methods, reason = "no setting of a service that anybody uses")]
pub fn is_lifted(bound: &str) -> bool {
    static LIFTED: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::var("ROUNDTABLE_LIFTED").ok());
    cfg!(debug_assertions) && LIFTED.as_deref() == Some(bound)
}

/// How much of an editor there is.
pub struct Extent {
    /// The encoded document.
    pub state: Vec<u8>,
    /// Size of the document in memory, in bytes.
    pub footprint: usize,
}

/// The sum of a log.
#[derive(Default)]
struct Sum {
    rows: usize,
    packed: usize,
    unpacked: usize,
    footprint: usize,
}

/// Maximum number of editors of a document, unless the operator set another one.
const MAX_EDITORS: u64 = 1_000;

impl Edits {
    /// A writer's knowledge of an unread log.
    pub(super) fn grown(&self, id: &EditorId) -> GrownLog {
        let is_long = self.updates.len() >= LONG_UPDATES
            || self.bytes() >= LONG_BYTES
            || self.footprint >= LONG_FOOTPRINT;
        GrownLog { editor_id: id.clone(), is_long, relayed: self.relayed, entry: None }
    }

    /// Whether to check the log before these are appended: at random, with a probability that grows
    /// with their size. Unchecked appends in between stay far below [`ROOM`].
    pub(super) fn is_looked_at(&self) -> Result<bool> {
        const ALWAYS: usize = 256;
        let share = ALWAYS * self.bytes() / LONG_BYTES + ALWAYS * self.footprint / LONG_FOOTPRINT;
        let [chance] = keyring::random_bytes::<1>()?;
        Ok(usize::from(chance) < share + ALWAYS / 64)
    }
}

impl EditorStore {
    /// Reserves room for one more editor.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when the document has the maximum number.
    pub(super) async fn take_place(&self) -> Result<()> {
        let Some(limit) = self.limit() else { return Ok(()) };
        match take_room(&self.organization.collection::<User>(), &limit, 1).await? {
            0 => Err(Error::exhausted(format!(
                "The document {} has the maximum number of editors: {}.",
                self.document, limit.most
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the room of editors that were deleted, or not added.
    pub(super) async fn give_places(&self, n: usize) {
        if let Some(limit) = self.limit() {
            give_room(&self.organization.collection::<User>(), &limit, n).await;
        }
    }

    /// The limit of the number of editors; none when the operator lifted it.
    fn limit(&self) -> Option<Limit> {
        let set = self.organization.tenant().api_key().limits.editors_per_document;
        let most = usize::try_from(set.unwrap_or(MAX_EDITORS)).ok().filter(|most| *most > 0)?;
        let document = of_document(&self.document);
        let (counter, prefix) =
            (document.join(&Key::named("editor-count")), document.and_prefix("head"));
        // Editors are deleted by the call that deletes their document, and return their room.
        Some(Limit { table: Table::Crdt, counter, most, prefix, life: Life::FIRST })
    }

    /// Refuses a state that cannot be stored as a snapshot.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED with the limit named.
    pub fn is_storable(&self, id: &EditorId, state: &[u8]) -> Result<()> {
        pack::check(&data_of(id), state)
    }

    /// Refuses what an editor must not become, unless it was more `before`.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED with the limit named.
    pub fn fits(
        &self,
        id: &EditorId,
        after: &Extent,
        before: impl FnOnce() -> Result<Extent>,
    ) -> Result<()> {
        self.is_storable(id, &after.state)?;
        let packed = compressed(&after.state)?;
        if packed <= MAX_COMPRESSED && after.footprint <= MAX_FOOTPRINT {
            return Ok(());
        }
        let before = before()?;
        if packed > MAX_COMPRESSED && packed >= compressed(&before.state)? {
            return Err(too_large(id));
        }
        if after.footprint > MAX_FOOTPRINT && after.footprint >= before.footprint {
            let footprint = after.footprint;
            return Err(Error::exhausted(format!(
                "{} consists of too many parts: to read it would take {footprint} bytes of \
                 memory; at most {MAX_FOOTPRINT} are allowed.",
                data_of(id)
            )));
        }
        Ok(())
    }

    /// Refuses an entry that makes the editor larger than it may be, or its log than one read. Little
    /// waits unless merging is late, so only some of the small entries check. Returns the version of
    /// the turn that the entry has to take: several large ones at once would not see each other.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED with the limit named.
    pub(super) async fn has_room(
        &self,
        head: &Head,
        edits: &Edits,
        peers: &impl Decoder,
    ) -> Result<Option<String>> {
        let is_large = head.full == Some(Full::Large);
        if is_lifted("appends") || !is_large && !edits.is_looked_at()? {
            return Ok(None);
        }
        let footprint = edits.footprint;
        if footprint > MAX_ENTRY {
            return Err(Error::exhausted(format!(
                "To read the updates would take {footprint} bytes of memory; at most {MAX_ENTRY} \
                 are allowed at once."
            )));
        }
        let Sum { packed, unpacked, .. } = self.sum(head, edits).await?;
        let snapshot = head.snapshot.as_ref();
        let packed = packed + snapshot.map_or(0, |snapshot| snapshot.packed);
        let unpacked = unpacked + snapshot.map_or(0, |snapshot| snapshot.bytes);
        let exceeds = |by: usize| packed + by > MAX_COMPRESSED || unpacked + by > pack::MAX_BYTES;
        if is_large || exceeds(0) {
            // The sum has what was replaced since, and updates that were sent twice.
            let stored = self.find(&head.id).await?;
            if let Some(stored) = stored.filter(|stored| stored.head.epoch == head.epoch) {
                let [before, after] = peers.extents(&stored, edits)?;
                self.fits(&head.id, &after, || Ok(before))?;
            }
        }
        let takes_turn = exceeds(NEAR) || edits.bytes() >= LONG_BYTES;
        takes_turn.then(new_version).transpose()
    }

    /// The sum of the log with a new entry.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when that exceeds one read.
    async fn sum(&self, head: &Head, edits: &Edits) -> Result<Sum> {
        let prefix = self.rows_key("log", &head.id).and("epoch", &head.epoch).prefix();
        let mut query = self.under(prefix, vec![SIZE, UNPACKED, FOOTPRINT]);
        let (bytes, footprint) = (edits.bytes(), edits.footprint);
        let mut sum = Sum { rows: 0, packed: bytes, unpacked: bytes, footprint };
        let of = |row: &aws::Item, name: &str| {
            item::number(row, name).and_then(|number| usize::try_from(number).ok())
        };
        loop {
            let found = self.db().query(query.clone()).await?;
            sum.rows += found.items.len();
            for row in &found.items {
                let packed = of(row, SIZE).unwrap_or(0);
                sum.packed += packed;
                // Rows of earlier versions do not say it.
                sum.unpacked += of(row, UNPACKED).unwrap_or(packed);
                sum.footprint += of(row, FOOTPRINT).unwrap_or(0);
            }
            if sum.rows > ROOM.0 || sum.packed > ROOM.1 || sum.footprint > ROOM.2 {
                return Err(too_long());
            }
            match found.next {
                None => return Ok(sum),
                next => query.start = next,
            }
        }
    }
}

/// The stored size of a state, as far as it matters.
fn compressed(state: &[u8]) -> Result<usize> {
    if state.len() < MAX_COMPRESSED { Ok(state.len()) } else { Ok(pack::pack(state)?.len()) }
}
