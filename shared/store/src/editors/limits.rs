//! Checks of the limits of editors: a function has to be able to read what it accepts.

use error::{Error, Result};
use model::{EditorId, editor::GrownLog, life::Life, user::User};
use tenancy::{
    layout::{Key, Table, item, pack},
    prelude::*,
};

use super::{
    EditorStore,
    bounds::{MAX_FOOTPRINT, MIB, data_of, too_long},
    edits::Edits,
    head::{FOOTPRINT, Head},
    log::SIZE,
    of_document,
};
use crate::resources::{Limit, give_room, take_room};

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

    /// Refuses a state that cannot be stored as a snapshot or exceeds the memory limit. A state
    /// smaller than the present one, `before`, passes the memory limit.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED with the limit named.
    pub fn fits(
        &self,
        id: &EditorId,
        state: &[u8],
        footprint: usize,
        before: impl FnOnce() -> Result<usize>,
    ) -> Result<()> {
        self.is_storable(id, state)?;
        match footprint {
            0..=MAX_FOOTPRINT => Ok(()),
            _ if footprint < before()? => Ok(()),
            _ => Err(Error::exhausted(format!(
                "{} consists of too many parts: to read it would take {footprint} bytes of \
                 memory; at most {MAX_FOOTPRINT} are allowed.",
                data_of(id)
            ))),
        }
    }

    /// Refuses an entry that makes the log exceed one read. Little waits unless merging is late, so
    /// only some of the small entries check.
    pub(super) async fn has_room(&self, head: &Head, edits: &Edits) -> Result<()> {
        if !edits.is_looked_at()? {
            return Ok(());
        }
        let footprint = edits.footprint;
        if footprint > MAX_ENTRY {
            return Err(Error::exhausted(format!(
                "To read the updates would take {footprint} bytes of memory; at most {MAX_ENTRY} \
                 are allowed at once."
            )));
        }
        let prefix = self.rows_key("log", &head.id).and("epoch", &head.epoch).prefix();
        let mut query = self.under(prefix, vec![SIZE, FOOTPRINT]);
        let (mut rows, mut sizes, mut footprints) = (0, edits.bytes(), footprint);
        let sum = |items: &[aws::Item], name: &str| -> usize {
            let numbers = items.iter().filter_map(|item| item::number(item, name));
            numbers.filter_map(|number| usize::try_from(number).ok()).sum()
        };
        loop {
            let found = self.db().query(query.clone()).await?;
            rows += found.items.len();
            sizes += sum(&found.items, SIZE);
            footprints += sum(&found.items, FOOTPRINT);
            if rows > ROOM.0 || sizes > ROOM.1 || footprints > ROOM.2 {
                return Err(too_long());
            }
            match found.next {
                None => return Ok(()),
                next => query.start = next,
            }
        }
    }
}
