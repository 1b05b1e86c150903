//! The list of versions: runs of edits, and versions that were added, the newest first.
//!
//! An edit begins a run unless it follows the one before in ten minutes and in the same hour: that
//! depends on two edits alone, so that a list may begin anywhere.

use std::collections::{BTreeSet, VecDeque};

use error::{Error, Result};
use model::{EditorId, Millis, Text, UserId, VersionId, editor::VersionKind};
use tenancy::reading::{Page, Paged};

use super::{
    RETENTION,
    merged::{Back, Merged},
    versions::Version,
};
use crate::editors::{
    EditorStore,
    bounds::{MAX_UNMERGED, MIB},
    edits::{EditId, HistoryUsers, PastEdit, time_of},
    log::Log,
};

/// A pause that ends a run, in milliseconds.
const PAUSE: Millis = 10 * 60 * 1000;
/// Edits of another hour are another run.
const HOUR: Millis = 60 * 60 * 1000;
/// A page ends behind this size of history, whatever it found.
const MAX_READ: usize = 4 * MIB;

/// A version, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedVersion {
    /// The id of the last edit, or of the version that was added.
    pub id: VersionId,
    /// The kind of the version.
    pub kind: VersionKind,
    /// The times of its first and last edit, in epoch milliseconds.
    pub from: Millis,
    /// See `from`.
    pub to: Millis,
    /// Who wrote it, or added it, as far as known.
    pub users: BTreeSet<UserId>,
    /// Number of its edits; none of a version that was added.
    pub edits: u64,
    /// The name, if it has one.
    pub name: Option<Text>,
}

/// The versions that are asked for.
#[derive(Clone, Debug, Default)]
pub struct VersionFilter {
    /// Versions that end at this time or later, in epoch milliseconds.
    pub from: Option<Millis>,
    /// Versions that begin up to this time.
    pub to: Option<Millis>,
    /// Versions of this user.
    pub user: Option<UserId>,
    /// Only those that were added.
    pub added: bool,
}

impl VersionFilter {
    fn shows(&self, version: &ListedVersion) -> bool {
        self.from.is_none_or(|from| version.to >= from)
            && self.to.is_none_or(|to| version.from <= to)
            && self.user.as_ref().is_none_or(|user| version.users.contains(user))
    }
}

impl From<&Version> for ListedVersion {
    fn from(version: &Version) -> Self {
        Self {
            id: version.id.clone(),
            kind: VersionKind::Added,
            from: version.at,
            to: version.at,
            users: version.by.clone().into_iter().collect(),
            edits: 0,
            name: version.name.clone(),
        }
    }
}

/// An edit on the way back: the snapshot into which it was merged, if it was.
struct Passed {
    place: Option<String>,
    id: EditId,
    user: u64,
    kind: VersionKind,
}

impl Passed {
    fn new(place: Option<&String>, edit: &PastEdit) -> Self {
        let PastEdit { id, user, kind, .. } = *edit;
        Self { place: place.cloned(), id, user, kind }
    }

    /// Whether the next older edit belongs to the same run.
    fn goes_on_from(&self, older: &Self) -> bool {
        let (later, earlier) = (self.id.at(), older.id.at());
        let is_edited = |edit: &Self| edit.kind == VersionKind::Edited;
        is_edited(self)
            && is_edited(older)
            && later.saturating_sub(earlier) < PAUSE
            && later / HOUR == earlier / HOUR
    }
}

/// Where a page ends: the snapshot from which the way back goes on, and the edit or version behind
/// which it does.
struct Mark {
    place: Option<String>,
    id: String,
    at: Millis,
}

impl Mark {
    fn read(cursor: &[String]) -> Option<Self> {
        let [place, id] = cursor else { return None };
        let at = EditId::parse(id).map_or_else(|| time_of(id), EditId::at);
        Some(Self { place: Some(place.clone()).filter(|it| !it.is_empty()), id: id.clone(), at })
    }
}

/// The list while it is made.
struct List<'a> {
    filter: &'a VersionFilter,
    users: HistoryUsers,
    /// Added versions, the newest first.
    added: VecDeque<Version>,
    run: Option<(ListedVersion, Passed)>,
    found: Vec<(ListedVersion, Mark)>,
}

impl List<'_> {
    /// Ends the run, and lists the added versions that are newer than `at`.
    fn end(&mut self, at: Option<Millis>, place: Option<&String>) {
        if let Some((run, last)) = self.run.take() {
            let mark = Mark { place: last.place, id: last.id.to_string(), at: last.id.at() };
            self.push(run, mark);
        }
        while self.added.front().is_some_and(|added| at.is_none_or(|at| added.at >= at)) {
            let Some(added) = self.added.pop_front() else { break };
            let id = added.id.as_str().to_owned();
            self.push((&added).into(), Mark { place: place.cloned(), id, at: added.at });
        }
    }

    fn push(&mut self, version: ListedVersion, mark: Mark) {
        if self.filter.shows(&version) {
            self.found.push((version, mark));
        }
    }

    /// Takes the next older edit.
    fn take(&mut self, edit: Passed) -> Result<()> {
        let at = edit.id.at();
        let is_added_between = self.added.front().is_some_and(|added| added.at >= at);
        let goes_on = self.run.as_ref().is_some_and(|(_, newer)| newer.goes_on_from(&edit))
            && !is_added_between;
        if !goes_on {
            self.end(Some(at), edit.place.as_ref());
        }
        let user = self.users.get(edit.user).cloned();
        match &mut self.run {
            Some((run, last)) => {
                run.users.extend(user);
                (run.from, run.edits) = (run.from.min(at), run.edits + 1);
                *last = edit;
            }
            None => {
                let id = edit.id.to_string().try_into().map_err(|_| Error::internal("an id"))?;
                let users = user.into_iter().collect();
                let (from, to, kind) = (at, at, edit.kind);
                let run = ListedVersion { id, kind, from, to, users, edits: 1, name: None };
                self.run = Some((run, edit));
            }
        }
        Ok(())
    }
}

impl EditorStore {
    /// One page of the versions of an editor, the newest first; nothing of an unknown editor. A page
    /// may have fewer than the most, if much of the history was looked through.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_versions(
        &self,
        id: &EditorId,
        page: &Page,
        filter: &VersionFilter,
    ) -> Result<Paged<ListedVersion>> {
        let rows = self.rows(self.under(self.rows_key("log", id).prefix(), vec![])).await?;
        let Some(head) = self.head(id).await? else {
            return Ok(Paged { items: vec![], next: None });
        };
        let mark = page.cursor().and_then(Mark::read);
        let mut users = self.kept_users(&head).await?;
        let mut added = self.versions(&head).await?;
        added.retain(|version| version.is_added);
        added.sort_by(|a, b| (b.at, &b.id).cmp(&(a.at, &a.id)));
        if let Some(mark) = &mark {
            added.retain(|version| match EditId::parse(&mark.id) {
                Some(_) => version.at < mark.at,
                None => (version.at, version.id.as_str()) < (mark.at, mark.id.as_str()),
            });
        }
        let mut passed = VecDeque::new();
        let mut back = match &mark {
            Some(Mark { place: Some(place), .. }) => self.back_from(&head, Some(place.clone())),
            _ => {
                let log = Log::read(&rows.items, &head.epoch, !rows.more, &mut { MAX_UNMERGED })?;
                users.give(log.users(), usize::MAX);
                let edits = log.each().filter(|(_, entry, _)| !entry.is_aside);
                passed.extend(edits.map(|(_, entry, _)| Passed {
                    place: None,
                    id: entry.id,
                    user: users.number(entry.by.as_ref()),
                    kind: entry.kind,
                }));
                passed.make_contiguous().reverse();
                let present = head.snapshot.as_ref().map(|snapshot| snapshot.version.clone());
                self.back_from(&head, present)
            }
        };
        let mut list = List { filter, users, added: added.into(), run: None, found: Vec::new() };
        let end = match filter.added {
            true => None,
            false => {
                let limit = page.limit();
                self.go_back(&mut list, &mut back, passed, mark.as_ref(), limit).await?
            }
        };
        if end.is_none() {
            list.end(None, back.snapshot.as_ref());
        }
        let mut found = list.found;
        let is_full = found.len() > page.limit();
        found.truncate(page.limit());
        let last = if is_full { found.last().map(|(_, mark)| mark) } else { end.as_ref() };
        let place = |mark: &Mark| mark.place.clone().unwrap_or_default();
        let next = last.map(|mark| page.token(&[&place(mark), &mark.id])).transpose()?;
        Ok(Paged { items: found.into_iter().map(|(version, _)| version).collect(), next })
    }

    /// Lists edits on the way back until a page is full; returns where it ended when it read too much.
    async fn go_back(
        &self,
        list: &mut List<'_>,
        back: &mut Back,
        mut passed: VecDeque<Passed>,
        mark: Option<&Mark>,
        limit: usize,
    ) -> Result<Option<Mark>> {
        let oldest = self.db().clock().now().saturating_sub(RETENTION);
        let oldest = list.filter.from.unwrap_or_default().max(oldest);
        let mut is_behind = mark.is_none();
        let mut last = None;
        loop {
            let merged = self.merged(back).await?;
            // An edit that is also in the merge before belongs there.
            if let Some(Merged { edits: known, .. }) = &merged {
                passed.retain(|edit: &Passed| known.iter().all(|other| other.id != edit.id));
            }
            while let Some(edit) = passed.pop_front() {
                let (at, id) = (edit.id.at(), edit.id.to_string());
                if let Some(mark) = mark.filter(|_| !is_behind) {
                    match EditId::parse(&mark.id) {
                        Some(_) => {
                            is_behind = mark.id == id;
                            continue;
                        }
                        None if at > mark.at => continue,
                        None => is_behind = true,
                    }
                }
                if at < oldest {
                    return Ok(None);
                }
                last = Some(Mark { place: edit.place.clone(), id, at });
                list.take(edit)?;
                if list.found.len() > limit {
                    return Ok(None);
                }
            }
            let Some(Merged { version, edits }) = merged else { return Ok(None) };
            passed.extend(edits.iter().rev().map(|edit| Passed::new(Some(&version), edit)));
            if back.stored > MAX_READ && last.is_some() {
                list.end(last.as_ref().map(|last| last.at), back.snapshot.as_ref());
                return Ok(last);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use model::editor::VersionKind;

    use super::{EditId, HistoryUsers, List, Passed, VersionFilter, VersionKind::Edited};

    /// The runs of edits, the newest first: each as the minute, the user and the kind.
    fn runs(edits: &[(u64, u64, VersionKind)]) -> Vec<(u64, u64, u64, VersionKind)> {
        let filter = VersionFilter::default();
        let users = HistoryUsers::default();
        let mut list =
            List { filter: &filter, users, added: [].into(), run: None, found: Vec::new() };
        for (minute, user, kind) in edits.iter().copied() {
            let ulid = ulid::Ulid::from_parts(minute * 60_000, 0).to_string();
            let id = EditId::parse(&ulid[..14]).unwrap();
            list.take(Passed { place: None, id, user, kind }).unwrap();
        }
        list.end(None, None);
        let minutes = |at: u64| at / 60_000;
        let runs = list.found.iter();
        runs.map(|(run, _)| (minutes(run.from), minutes(run.to), run.edits, run.kind)).collect()
    }

    #[test]
    fn a_run_ends_with_a_pause_an_hour_and_what_is_no_edit() {
        let edit = |minute| (minute, 0, Edited);
        assert_eq!(runs(&[]), []);
        assert_eq!(runs(&[edit(130)]), [(130, 130, 1, Edited)]);
        assert_eq!(
            runs(&[edit(139), edit(130), edit(121), edit(119), edit(109)]),
            [(121, 139, 3, Edited), (119, 119, 1, Edited), (109, 109, 1, Edited)]
        );
        let restored = (131, 0, VersionKind::Restored);
        assert_eq!(
            runs(&[edit(132), restored, edit(130), edit(130)]),
            [(132, 132, 1, Edited), (131, 131, 1, VersionKind::Restored), (130, 130, 2, Edited),]
        );
        // The clock of a writer was slow.
        assert_eq!(runs(&[edit(131), edit(132), edit(130)]), [(130, 131, 3, Edited)]);
    }
}
