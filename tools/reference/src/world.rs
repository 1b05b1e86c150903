//! Ways into what there is, and the ends of containers.

use std::collections::BTreeSet;

use crate::{
    At, Doc, Folder, KeyKind, Level, Mark, Mutant, Org, Tok,
    facts::{
        Between, Document, FolderSlot, Implied, Organization, Preferences, Rights, Tick, Token,
        World,
    },
};

impl Between {
    pub(crate) fn add(&mut self, mark: Mark) {
        self.must.insert(mark);
        self.may.insert(mark);
    }

    pub(crate) fn fits(&self, shown: &BTreeSet<Mark>) -> bool {
        self.must.is_subset(shown) && shown.is_subset(&self.may)
    }
}

impl World {
    pub(crate) fn new(kind: KeyKind, now: u64, mutant: Option<Mutant>) -> Self {
        Self {
            kind,
            mutant,
            now,
            tick: 1,
            orgs: Default::default(),
            tokens: Default::default(),
            reset: None,
            events: Vec::new(),
            erased: BTreeSet::new(),
            pending: Vec::new(),
        }
    }

    pub(crate) fn is(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    pub(crate) fn org(&self, org: Org) -> &Organization {
        &self.orgs[usize::from(org.0 % 2)]
    }

    pub(crate) fn org_mut(&mut self, org: Org) -> &mut Organization {
        &mut self.orgs[usize::from(org.0 % 2)]
    }

    pub(crate) fn doc(&self, At(org, doc): At) -> &Document {
        self.org(org).doc(doc)
    }

    pub(crate) fn doc_mut(&mut self, At(org, doc): At) -> &mut Document {
        self.org_mut(org).doc_mut(doc)
    }

    pub(crate) fn token(&self, tok: Tok) -> Option<&Token> {
        self.tokens[usize::from(tok.0 % 3)].as_ref()
    }

    /// The world with another token in a slot.
    pub(crate) fn with_token(&self, tok: Tok, token: Option<Token>) -> Self {
        let mut world = self.clone();
        world.tokens[usize::from(tok.0 % 3)] = token;
        world
    }

    /// Grants that were given after a moment are as they were.
    pub(crate) fn keep_given(&mut self, before: &Self, since: Tick) {
        for (org, old) in self.orgs.iter_mut().zip(&before.orgs) {
            for level in Level::all() {
                let users = &old.rights(level).users;
                for (user, said) in users.iter().filter(|(_, said)| said.granted > since) {
                    let now = org.rights_mut(level).users.entry(*user).or_default();
                    (now.grant, now.granted) = (said.grant, said.granted);
                }
            }
        }
    }

    /// Keeps the users who were added to a document or folder after a moment.
    pub(crate) fn keep_members(&mut self, before: &Self, since: Tick) {
        for (org, old) in self.orgs.iter_mut().zip(&before.orgs) {
            for level in Level::all().into_iter().skip(1) {
                let users = &old.rights(level).users;
                for (user, said) in users.iter().filter(|(_, said)| said.joined > since) {
                    let now = org.rights_mut(level).users.entry(*user).or_default();
                    (now.member, now.joined) = (said.member, said.joined);
                }
            }
        }
    }

    /// Keeps the preferences that were said after a moment.
    pub(crate) fn keep_preferences(&mut self, before: &Self, since: Tick) {
        for (org, old) in self.orgs.iter_mut().zip(&before.orgs) {
            for doc in [None, Some(Doc(0)), Some(Doc(1)), Some(Doc(2))] {
                let said = old.preferences(doc).iter().filter(|(_, said)| said.said > since);
                org.preferences_mut(doc).extend(said);
            }
        }
    }

    /// Data that needs nothing was written to an organization.
    pub(crate) fn record_if_missing(&mut self, org: Org) {
        self.org_mut(org).implied = Implied::Yes;
    }
}

impl Organization {
    pub(crate) fn doc(&self, doc: Doc) -> &Document {
        &self.documents[usize::from(doc.0 % 3)]
    }

    pub(crate) fn doc_mut(&mut self, doc: Doc) -> &mut Document {
        &mut self.documents[usize::from(doc.0 % 3)]
    }

    pub(crate) fn folder(&self, folder: Folder) -> &FolderSlot {
        &self.folders[usize::from(folder.0 % 2)]
    }

    pub(crate) fn folder_mut(&mut self, folder: Folder) -> &mut FolderSlot {
        &mut self.folders[usize::from(folder.0 % 2)]
    }

    pub(crate) fn rights(&self, level: Level) -> &Rights {
        match level {
            Level::Organization => &self.rights,
            Level::Folder(folder) => &self.folder(folder).rights,
            Level::Document(doc) => &self.doc(doc).rights,
        }
    }

    pub(crate) fn rights_mut(&mut self, level: Level) -> &mut Rights {
        match level {
            Level::Organization => &mut self.rights,
            Level::Folder(folder) => &mut self.folder_mut(folder).rights,
            Level::Document(doc) => &mut self.doc_mut(doc).rights,
        }
    }

    pub(crate) fn preferences(&self, doc: Option<Doc>) -> &Preferences {
        doc.map_or(&self.preferences, |doc| &self.doc(doc).preferences)
    }

    pub(crate) fn preferences_mut(&mut self, doc: Option<Doc>) -> &mut Preferences {
        match doc {
            Some(doc) => &mut self.doc_mut(doc).preferences,
            None => &mut self.preferences,
        }
    }

    /// When the object at a level began.
    pub(crate) fn since(&self, level: Level) -> Tick {
        match level {
            Level::Organization => self.since,
            Level::Folder(folder) => self.folder(folder).since.max(self.since),
            Level::Document(doc) => self.doc(doc).since.max(self.since),
        }
    }

    pub(crate) fn is_there(&self, level: Level) -> bool {
        match level {
            Level::Organization => self.there,
            Level::Folder(folder) => self.folder(folder).row.is_some(),
            Level::Document(doc) => self.doc(doc).row.is_some(),
        }
    }

    /// The folders above a folder, and it itself, the nearest first.
    pub(crate) fn chain(&self, nearest: Option<Folder>) -> Vec<Folder> {
        let mut chain = Vec::new();
        let mut next = nearest;
        while let Some(folder) = next {
            if chain.contains(&folder) {
                break;
            }
            chain.push(folder);
            next = self.folder(folder).row.and_then(|row| row.parent);
        }
        chain
    }

    /// Everything that has rights, also what fades.
    pub(crate) fn all_rights(&mut self) -> Vec<&mut Rights> {
        let mut all = vec![&mut self.rights];
        for slot in &mut self.folders {
            all.push(&mut slot.rights);
            all.extend(slot.faded.as_mut().map(|faded| &mut faded.rights));
            all.extend(slot.lost.as_mut().map(|lost| &mut lost.rights));
        }
        for slot in &mut self.documents {
            all.push(&mut slot.rights);
            all.extend(slot.faded.as_mut().map(|faded| &mut faded.rights));
            all.extend(slot.lost.as_mut().map(|lost| &mut lost.rights));
        }
        all
    }

    /// Begins a container anew: its former content and rights are over.
    pub(crate) fn begin(&mut self, level: Level, since: Tick) {
        match level {
            Level::Organization => {}
            Level::Folder(folder) => {
                let slot = self.folder_mut(folder);
                let (faded, lost) = (slot.faded.take(), slot.lost.take());
                let rights = slot.rights.after();
                *slot = FolderSlot { since, faded, lost, rights, ..FolderSlot::default() };
            }
            Level::Document(doc) => {
                let slot = self.doc_mut(doc);
                let (faded, lost) = (slot.faded.take(), slot.lost.take());
                let rights = slot.rights.after();
                *slot = Document { since, faded, lost, rights, ..Document::default() };
            }
        }
    }

    /// Begins a container anew that the clean-up of a folder has yet to end: what the tenant's server
    /// adds to content of in between goes with it.
    pub(crate) fn begin_again(&mut self, level: Level, since: Tick) {
        if let Level::Document(doc) = level {
            let slot = self.doc_mut(doc);
            for old in [&mut slot.faded, &mut slot.lost].into_iter().flatten() {
                old.live.may.extend(&slot.live.may);
                old.editor.may.extend(&slot.editor.may);
            }
        }
        self.begin(level, since);
    }

    /// A folder is deleted, and what is in it fades.
    pub(crate) fn fade(&mut self, folder: Folder, tick: Tick) {
        let rights = self.folder(folder).rights.after();
        *self.folder_mut(folder) = FolderSlot { since: tick, rights, ..FolderSlot::default() };
        for doc in [Doc(0), Doc(1), Doc(2)] {
            let slot = self.doc_mut(doc);
            if slot.row.is_some_and(|row| row.folder == Some(folder)) {
                let old = std::mem::take(slot);
                let rights = old.rights.after();
                let faded = Some(Box::new(old));
                *slot = Document { since: tick, faded, rights, ..Document::default() };
            }
        }
        for inner in [Folder(0), Folder(1)] {
            if self.folder(inner).row.is_some_and(|row| row.parent == Some(folder)) {
                let old = std::mem::take(self.folder_mut(inner));
                self.fade(inner, tick);
                let slot = self.folder_mut(inner);
                slot.faded = Some(Box::new(old));
            }
        }
    }

    /// The objects that were in an earlier folder of this id, or one in it, and may be there still.
    /// If the clean-up has not been there, it ends with the latest folder.
    pub(crate) fn ghosts_in(&self, folder: Folder) -> Vec<Level> {
        let mut levels = Vec::new();
        for doc in [Doc(0), Doc(1), Doc(2)] {
            let slot = self.doc(doc);
            let faded = slot.faded.as_ref().and_then(|faded| faded.row?.folder);
            if slot.row.is_none() && [slot.ghost, faded].contains(&Some(folder)) {
                levels.push(Level::Document(doc));
            }
        }
        for inner in [Folder(0), Folder(1)] {
            let slot = self.folder(inner);
            let faded = slot.faded.as_ref().and_then(|faded| faded.row?.parent);
            let is_left = slot.row.is_none() && [slot.ghost, faded].contains(&Some(folder));
            if is_left {
                levels.push(Level::Folder(inner));
            }
            let lies_here = slot.row.is_some_and(|row| row.parent == Some(folder));
            if (is_left || lies_here) && inner != folder {
                levels.extend(self.ghosts_in(inner));
            }
        }
        levels
    }

    /// Makes objects that were lost in a folder that is deleted again fade like the rest of its
    /// content.
    pub(crate) fn find_lost(&mut self, levels: &[Level]) {
        for level in levels {
            match level {
                Level::Organization => {}
                Level::Folder(folder) => {
                    let slot = self.folder_mut(*folder);
                    slot.faded = slot.faded.take().or_else(|| slot.lost.take());
                }
                Level::Document(doc) => {
                    let slot = self.doc_mut(*doc);
                    slot.faded = slot.faded.take().or_else(|| slot.lost.take());
                }
            }
        }
    }

    /// A folder begins anew: what faded below the one before is of no life any more.
    pub(crate) fn forget_below(&mut self, folder: Folder) {
        let slot = self.folder_mut(folder);
        slot.lost = slot.faded.take().or_else(|| slot.lost.take());
        for slot in &mut self.documents {
            let row = slot.faded.as_ref().and_then(|faded| faded.row);
            if row.is_some_and(|row| row.folder == Some(folder)) {
                slot.lost = slot.faded.take();
                slot.ghost = Some(folder);
            }
        }
        for inner in [Folder(0), Folder(1)] {
            let row = self.folder(inner).faded.as_ref().and_then(|faded| faded.row);
            if row.is_some_and(|row| row.parent == Some(folder)) {
                self.forget_below(inner);
                self.folder_mut(inner).ghost = Some(folder);
            }
        }
    }

    /// The deleted ones before, of which the tenant's server may still see something.
    pub(crate) fn gone(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(self.before.as_deref(), |gone| gone.before.as_deref())
    }

    /// Added again, it shows nothing of those before.
    pub(crate) fn hide_gone(&mut self) {
        self.hidden = self.before.take().or_else(|| self.hidden.take());
    }

    /// The clean-up has been everywhere.
    pub(crate) fn settle(&mut self) {
        (self.before, self.hidden) = (None, None);
        self.leaving.clear();
        for rights in self.all_rights() {
            rights.leaving.clear();
            rights.outlived.clear();
        }
        for slot in &mut self.folders {
            (slot.faded, slot.lost, slot.ghost) = (None, None, None);
        }
        for slot in &mut self.documents {
            (slot.faded, slot.lost, slot.ghost) = (None, None, None);
            slot.leaving.clear();
        }
    }
}
