//! The past of an editor: a kept snapshot, and the edits behind it up to now.

use std::collections::{BTreeMap, HashMap};

use error::{Error, Result};
use model::{EditorId, Millis, VersionId};
use tenancy::scopes::{ATTEMPTS, back_off};

use super::{
    RETENTION,
    merged::{Back, Merged},
    versions::Version,
};
use crate::editors::{
    EditorStore,
    bounds::{MAX_UNMERGED, MIB},
    edits::{EditId, HistoryUsers, PastEdit, time_of},
    head::{Head, Snapshot},
    read::{Loaded, StoredEditor, unpacked_authors},
};

/// Maximum size of the merged entries that a call reads, as they are stored, in bytes.
const MAX_STORED: usize = 24 * 1024 * 1024;
/// How much later than an edit the snapshot may be in which it is, by the clocks of two machines, in
/// milliseconds.
const APART: Millis = 60 * 60 * 1000;

/// How far back a past begins.
#[derive(Clone, Copy, Debug)]
pub enum Since {
    /// Before an edit.
    Edit(EditId),
    /// Not later than a time, in epoch milliseconds.
    Time(Millis),
    /// As early as it is kept.
    Oldest,
}

impl Since {
    fn time(self) -> Option<Millis> {
        match self {
            Self::Edit(id) => Some(id.at()),
            Self::Time(at) => Some(at),
            Self::Oldest => None,
        }
    }
}

/// The document with which a past begins.
#[derive(Default)]
pub struct Base(Option<Loaded>);

/// The past of an editor.
pub struct History {
    /// The editor as it is now.
    pub editor: StoredEditor,
    /// The document before the edits.
    pub base: Base,
    /// The edits since then, in the order in which they were accepted.
    pub edits: Vec<PastEdit>,
    /// The users whom edits and authors name.
    pub users: HistoryUsers,
}

/// The document of a version that was added.
pub struct AddedState {
    /// The editor as it is now.
    pub editor: StoredEditor,
    /// The version.
    pub version: Version,
    /// The document of the version.
    pub base: Base,
}

impl Base {
    /// The document; none of an editor without content.
    pub fn state(&self) -> Option<&[u8]> {
        self.0.as_ref().map(|loaded| loaded.state.as_slice())
    }

    /// The authors of what is in it; none where nobody noted them.
    ///
    /// # Errors
    /// INTERNAL when they cannot be read.
    pub fn authors(&self) -> Result<Option<Vec<u8>>> {
        self.0.as_ref().map_or(Ok(None), |loaded| unpacked_authors(&loaded.authors))
    }
}

/// The error for what the history does not reach.
fn too_old(since: Since) -> Error {
    match since {
        Since::Edit(id) => unknown(&id),
        Since::Time(_) | Since::Oldest => {
            Error::not_found("The history of the editor does not reach as far back.")
        }
    }
}

fn unknown(id: &impl std::fmt::Display) -> Error {
    Error::not_found(format!(
        "There is no version {id} of this editor, or it is not kept any more."
    ))
}

fn too_much() -> Error {
    let (stored, memory) = (MAX_STORED / MIB, MAX_UNMERGED / MIB);
    Error::exhausted(format!(
        "The edits behind it take more than {stored} MB, or {memory} MB of memory; \
         name another time or version."
    ))
}

/// A place on the way back at which a past may begin.
struct Beginning {
    /// The snapshot; none before the first content.
    snapshot: Option<Snapshot>,
    /// How many merges are behind it.
    merges: usize,
}

impl EditorStore {
    /// The past of an editor, if there is one: up to a time in epoch milliseconds, or a little more of
    /// it, or up to now.
    ///
    /// # Errors
    /// NOT_FOUND when it is not kept as far back; RESOURCE_EXHAUSTED when it is too much to be read.
    pub async fn history(
        &self,
        id: &EditorId,
        since: Since,
        until: Option<Millis>,
    ) -> Result<Option<History>> {
        for attempt in 0..ATTEMPTS {
            // The log, then the head, then the rest: compaction writes in the opposite order. An edit
            // may be found twice, and is never missed.
            let Some(editor) = self.find(id).await? else { return Ok(None) };
            let now = self.db().clock().now();
            if since.time().is_some_and(|at| at.saturating_add(RETENTION) <= now) {
                return Err(too_old(since));
            }
            if let Some(history) = self.behind(editor, since, until).await? {
                return Ok(Some(history));
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// The past of an editor that was read; none when a snapshot was removed meanwhile.
    async fn behind(
        &self,
        editor: StoredEditor,
        since: Since,
        until: Option<Millis>,
    ) -> Result<Option<History>> {
        let versions = self.versions(&editor.head).await?.into_iter();
        let kept = versions.map(|version| version.snapshot);
        let kept: BTreeMap<String, Snapshot> =
            kept.map(|snapshot| (snapshot.version.clone(), snapshot)).collect();
        let users = self.users_in(&editor).await?;
        let present = editor.head.snapshot.as_ref().map(|snapshot| snapshot.version.clone());
        // Edits behind a later snapshot are not needed.
        let is_later = |version: &&String| until.is_some_and(|at| time_of(version) > at + APART);
        let (mut edits, from) = match kept.keys().find(is_later) {
            Some(version) => (vec![], Some(version.clone())),
            None => (editor.edits(&users), present.clone()),
        };
        let mut back = self.back_from(&editor.head, from);
        let (mut merges, mut beginning) = (Vec::new(), None);
        loop {
            let begins = begins_at(&editor.head, &kept, &back);
            let earlier = self.merged(&mut back).await?;
            // An edit that is also in the merge before is not one of those behind it.
            if let Some(Merged { edits: known, .. }) = &earlier {
                let newer = merges.last_mut().unwrap_or(&mut edits);
                newer.retain(|edit: &PastEdit| known.iter().all(|other| other.id != edit.id));
            }
            if let Some(snapshot) = begins {
                let is_early = match (since, &snapshot) {
                    (Since::Edit(id), _) => {
                        let mut behind = merges.iter().flatten().chain(&edits);
                        behind.any(|edit| edit.id == id)
                    }
                    (_, None) => true,
                    (Since::Time(at), Some(snapshot)) => time_of(&snapshot.version) <= at,
                    (Since::Oldest, Some(_)) => false,
                };
                beginning = Some(Beginning { snapshot, merges: merges.len() });
                if is_early {
                    break;
                }
            }
            match (earlier, since) {
                (Some(earlier), _) => merges.push(earlier.edits),
                // The present snapshot is the earliest beginning.
                (None, Since::Oldest) => break,
                (None, Since::Edit(_) | Since::Time(_)) => return Err(too_old(since)),
            }
            if back.stored > MAX_STORED || back.unpacked > MAX_UNMERGED {
                return Err(too_much());
            }
        }
        let Some(Beginning { snapshot, merges: behind }) = beginning else {
            return Err(too_old(since));
        };
        merges.truncate(behind);
        let mut all: Vec<PastEdit> = merges.into_iter().rev().flatten().collect();
        all.append(&mut edits);
        let base = match &snapshot {
            None => Base(None),
            Some(snapshot) if Some(&snapshot.version) == present.as_ref() => {
                let state = editor.snapshot.clone().unwrap_or_default();
                Base(Some(Loaded { state, authors: editor.authors.clone() }))
            }
            Some(snapshot) => match self.loaded(&editor.head, snapshot).await? {
                None => return Ok(None),
                loaded => Base(loaded),
            },
        };
        Ok(Some(History { editor, base, edits: once(all), users }))
    }

    /// A version that was added, and the editor as it is now; none without the editor.
    ///
    /// # Errors
    /// NOT_FOUND without the version.
    pub async fn added_version(
        &self,
        id: &EditorId,
        version: &VersionId,
    ) -> Result<Option<AddedState>> {
        for attempt in 0..ATTEMPTS {
            let Some(editor) = self.find(id).await? else { return Ok(None) };
            let found =
                self.version(&editor.head, version).await?.filter(|version| version.is_added);
            let found = found.ok_or_else(|| unknown(version))?;
            if let Some(loaded) = self.loaded(&editor.head, &found.snapshot).await? {
                return Ok(Some(AddedState { editor, version: found, base: Base(Some(loaded)) }));
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }
}

/// The snapshot at which the way back has arrived, if it is stored; none inside before all content.
fn begins_at(
    head: &Head,
    kept: &BTreeMap<String, Snapshot>,
    back: &Back,
) -> Option<Option<Snapshot>> {
    let Some(version) = &back.snapshot else { return Some(None) };
    let present = head.snapshot.as_ref().filter(|present| present.version == *version);
    present.or_else(|| kept.get(version)).cloned().map(Some)
}

/// The edits without those that were found again: in the log when a merge did not remove them yet,
/// and in the next merge.
fn once(edits: Vec<PastEdit>) -> Vec<PastEdit> {
    let (mut found, mut kept) = (HashMap::<EditId, usize>::new(), Vec::<PastEdit>::new());
    for edit in edits {
        let is_known = found.get(&edit.id).is_some_and(|at| kept[*at].updates == edit.updates);
        if !is_known {
            found.insert(edit.id, kept.len());
            kept.push(edit);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use model::editor::VersionKind;

    use super::{EditId, PastEdit, once};

    #[test]
    fn an_edit_that_is_found_again_counts_where_it_was_first() {
        let edit = |id: &str, update: u8| PastEdit {
            id: EditId::parse(id).unwrap(),
            user: 1,
            kind: VersionKind::Edited,
            reverts: None,
            updates: vec![vec![update]],
        };
        let [a, b, c] = [
            edit("01KBM0Q5ZV0001", 1),
            edit("01KBM0Q5ZV0002", 2),
            // Another one with the same time and bits.
            edit("01KBM0Q5ZV0001", 3),
        ];
        let found = vec![b.clone(), a.clone(), b.clone(), a.clone(), c.clone(), a.clone()];
        assert_eq!(once(found)[..3], [b, a, c]);
    }
}
