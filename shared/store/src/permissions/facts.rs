//! Facts that decide on the rights of users in an organization, read at one time, and the decisions
//! that follow from them.

use std::collections::{BTreeMap, BTreeSet};

use aws::Item;
use model::{
    DocumentId, FolderId, GroupId, Millis, UserId,
    document::Document,
    folder::Folder,
    life::{Fate, Life, Stamp, Stand, fate},
    notice::Standing,
    organization::Organization,
    permissions::{Grant, Level},
    rights::{
        Access, By, Decision, DocumentFacts, FolderFacts, Given, GroupRight, Holders, Joined,
        OrganizationFacts, Person, Right, Rules, Setting, Source, Subject, Target, Token, Top, Way,
        decide,
    },
    user::User,
};
use tenancy::layout::{WRITTEN, item};

use super::held::Held;
use crate::folders::{MAX_FOLDER_DEPTH, setting_of};

/// The facts that decide on users and resources of an organization. Facts that were not read are
/// absent.
pub struct Facts {
    pub(super) organization: Stand<Organization>,
    pub(super) folders: BTreeMap<FolderId, Stand<Folder>>,
    pub(super) documents: BTreeMap<DocumentId, Stand<Document>>,
    /// The groups with rights here that matter to somebody.
    pub(super) groups: BTreeMap<GroupId, Stand<()>>,
    people: BTreeMap<UserId, Person>,
    tokens: BTreeMap<UserId, Token>,
    rules: Rules,
    stranger: Person,
}

/// The user for whom a decision is made.
#[derive(Clone, Copy, Debug)]
pub enum Who<'a> {
    /// A user.
    User(&'a UserId),
    /// A user of whom nothing else is known than that they are in a group.
    MemberOf(&'a GroupId),
}

impl<'a> From<&'a UserId> for Who<'a> {
    fn from(user: &'a UserId) -> Self {
        Self::User(user)
    }
}

impl<'a> From<&'a GroupId> for Who<'a> {
    fn from(group: &'a GroupId) -> Self {
        Self::MemberOf(group)
    }
}

/// A row about a user at a level, with the time of its write in epoch milliseconds.
pub(crate) enum RightRow {
    /// A membership.
    Member(User, Millis),
    /// Grants and ends.
    Grant(Grant, Millis),
}

/// When an item was written, in epoch milliseconds.
pub(crate) fn written(item: &Item) -> Millis {
    item::number(item, WRITTEN).unwrap_or(0)
}

impl Facts {
    /// Nothing read yet.
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            organization: Stand::Absent(Life::FIRST),
            folders: BTreeMap::new(),
            documents: BTreeMap::new(),
            groups: BTreeMap::new(),
            people: BTreeMap::new(),
            tokens: BTreeMap::new(),
            rules,
            stranger: Person::default(),
        }
    }

    /// The lives of the organization and of the documents that were read, except for those out of
    /// reach.
    pub(crate) fn lives(&self) -> impl Iterator<Item = (Level, Life)> {
        let documents = self.documents.iter().filter(|(id, _)| self.broken(id).is_none());
        let documents = documents.map(|(id, it)| (Level::Document(id.clone()), it.life()));
        [(Level::Organization, self.organization.life())].into_iter().chain(documents)
    }

    /// Documents that are there until the clean-up comes, and what they lie in is not, with the end of
    /// that.
    pub(crate) fn out_of_reach(&self) -> impl Iterator<Item = (Level, Life)> {
        let documents = self.documents.keys();
        documents
            .filter_map(|id| Some((Level::Document(id.clone()), Life::after(self.broken(id)?))))
    }

    fn broken(&self, id: &DocumentId) -> Option<Millis> {
        self.place(self.document_subject(id)).broken()
    }

    /// The decision about somebody in the organization itself.
    pub fn of_organization<'w>(&self, who: impl Into<Who<'w>>) -> Decision {
        self.decide(who.into(), Subject::Organization)
    }

    /// Whether a user has a right in the organization itself.
    pub fn is_member(&self, user: &UserId) -> bool {
        matches!(self.of_organization(user), Decision::Open(_))
    }

    /// The decision about somebody in a folder.
    pub fn of_folder<'w>(&self, who: impl Into<Who<'w>>, id: &FolderId) -> Decision {
        self.decide(who.into(), Subject::Folder(self.way(Some(id))))
    }

    /// The decision about somebody in a document.
    pub fn of_document<'w>(&self, who: impl Into<Who<'w>>, id: &DocumentId) -> Decision {
        self.decide(who.into(), self.document_subject(id))
    }

    /// Whether a user has access to a document. One that is not there is taken as it is when it is
    /// created: in no folder, with the default access type of the key.
    pub fn opens(&self, user: &UserId, id: &DocumentId) -> bool {
        let end = match self.documents.get(id) {
            Some(Stand::There(..)) => {
                return matches!(self.of_document(user, id), Decision::Open(_));
            }
            Some(Stand::Absent(end)) => *end,
            None => Life::FIRST,
        };
        let organization = self.organization.as_ref().map(facts_of).there().unwrap_or_default();
        let life = self.organization.life();
        let facts = DocumentFacts {
            disabled: false,
            setting: Setting::Inherited,
            placed: Life::FIRST,
            holders: Holders::new(),
        };
        let document = Stand::There(facts, end.max(life));
        let way = Way::none();
        let place = Target {
            organization: Stand::There(organization, life),
            subject: Subject::Document { id: id.clone(), document, way },
        };
        matches!(self.decide_in(Who::User(user), &place), Decision::Open(_))
    }

    /// The groups with a right that is not over, here or above, in their present life.
    pub(crate) fn live_holders(&self, levels: &[Level]) -> BTreeSet<GroupId> {
        let counts = |(group, right): &(&GroupId, &GroupRight)| {
            let is_there = matches!(
                self.groups.get(*group),
                Some(Stand::There((), life)) if *life == right.of
            );
            is_there && !right.given.is_over(self.rules.now)
        };
        let holders = levels.iter().filter_map(|level| self.holders_of(level)).flatten();
        holders.filter(counts).map(|(group, _)| group.clone()).collect()
    }

    /// The groups with a right at any level that was read.
    pub(super) fn holders(&self) -> impl Iterator<Item = &GroupId> {
        let folders = self.folders.values().filter_map(holders_in);
        let documents = self.documents.values().filter_map(holders_in);
        let own = holders_in(&self.organization).into_iter();
        own.chain(folders).chain(documents).flat_map(Holders::keys)
    }

    fn holders_of(&self, level: &Level) -> Option<&Holders> {
        match level {
            Level::Organization => holders_in(&self.organization),
            Level::Folder(id) => holders_in(self.folders.get(id)?),
            Level::Document(id) => holders_in(self.documents.get(id)?),
        }
    }

    /// How a user stands to a document: nobody is told of one that is not there.
    pub(crate) fn standing(&self, user: &UserId, id: &DocumentId) -> Standing {
        match (self.access_to_document(id), self.of_document(user, id)) {
            (Access::Absent, _)
            | (_, Decision::Absent | Decision::Closed(_) | Decision::LockedOut(_)) => {
                Standing::Shut
            }
            (_, Decision::Open(Right { by: By::Level(..), .. })) => Standing::Holder,
            (_, Decision::Open(Right { by: By::Public(past), .. })) => Standing::Public(past),
        }
    }

    /// The access of a folder, before any user.
    pub fn access_to_folder(&self, id: &FolderId) -> Access {
        self.place(Subject::Folder(self.way(Some(id)))).access(&self.rules)
    }

    /// The access of a document, before any user.
    pub fn access_to_document(&self, id: &DocumentId) -> Access {
        self.place(self.document_subject(id)).access(&self.rules)
    }

    /// Whether something was said in the present life of a document: at a time, in epoch milliseconds.
    pub(crate) fn covers(&self, id: &DocumentId, at: Millis) -> bool {
        let document = self.documents.get(id).map_or(Stand::Absent(Life::FIRST), Stand::bare);
        fate(Stamp::At(at), &document.within(&self.organization)) == Fate::Here
    }

    /// A document that is there.
    pub fn document(&self, id: &DocumentId) -> Option<&Document> {
        match self.documents.get(id)? {
            Stand::There(document, _) => Some(document),
            Stand::Absent(_) => None,
        }
    }

    /// The levels whose members have access to a document, besides the organization; none for one
    /// that is not there.
    pub(crate) fn levels_of(&self, id: &DocumentId) -> Vec<Level> {
        let Some(document) = self.document(id) else { return vec![] };
        let folders = self.way(document.folder_id.as_ref()).folders.into_iter();
        let folders = folders.map(|folder| Level::Folder(folder.id));
        [Level::Document(id.clone())].into_iter().chain(folders).collect()
    }

    /// With rights in the token of a user.
    #[must_use]
    pub(crate) fn with_token(mut self, user: &UserId, token: Token) -> Self {
        self.tokens.insert(user.clone(), token);
        self
    }

    /// With rows about users, whose levels were read.
    #[must_use]
    pub(crate) fn with_rows(mut self, rows: impl IntoIterator<Item = RightRow>) -> Self {
        rows.into_iter().for_each(|row| self.add(row));
        self
    }

    fn add(&mut self, row: RightRow) {
        match row {
            RightRow::Member(member, written) => {
                // A row of an earlier life of its container is no membership.
                let is_here =
                    |container: Stand<()>| fate(Stamp::In(member.life), &container) == Fate::Here;
                if is_here(self.container(&member.level)) {
                    let at = if member.given == 0 { written } else { member.given };
                    let given = Given { role: member.access_role, until: None, at };
                    let person = self.people.entry(member.user_id).or_default();
                    let lives = |group: &GroupId| Some((group.clone(), *self.groups.get(group)?));
                    person.group_lives.extend(member.groups.keys().filter_map(lives));
                    person.groups.extend(member.groups);
                    person.at.entry(member.level).or_default().member = Some(given);
                }
            }
            RightRow::Grant(grant, written) => {
                let person = self.people.entry(grant.user_id).or_default();
                let stamped = |given: Given| match given.at {
                    0 => Given { at: written, ..given },
                    _ => given,
                };
                person.left = person.left.max(grant.left);
                let said = person.at.entry(grant.level).or_default();
                (said.grant, said.ended) = (grant.granted.map(stamped), grant.ended);
            }
        }
    }

    fn container(&self, level: &Level) -> Stand<()> {
        let absent = Stand::Absent(Life::FIRST);
        match level {
            Level::Organization => self.organization.bare(),
            Level::Folder(id) => self.folders.get(id).map_or(absent, Stand::bare),
            Level::Document(id) => self.documents.get(id).map_or(absent, Stand::bare),
        }
    }

    fn decide(&self, who: Who<'_>, subject: Subject) -> Decision {
        self.decide_in(who, &self.place(subject))
    }

    fn decide_in(&self, who: Who<'_>, place: &Target) -> Decision {
        match who {
            Who::User(user) => {
                let person = self.people.get(user).unwrap_or(&self.stranger);
                let source = self.tokens.get(user).map_or(Source::Stored, Source::Token);
                decide(place, person, &source, &self.rules)
            }
            Who::MemberOf(group) => {
                let stand = self.groups.get(group).copied().unwrap_or(Stand::Absent(Life::FIRST));
                let joined = Joined { of: stand.life(), at: Millis::MAX };
                let person = Person {
                    groups: [(group.clone(), joined)].into(),
                    group_lives: [(group.clone(), stand)].into(),
                    ..Person::default()
                };
                decide(place, &person, &Source::Stored, &self.rules)
            }
        }
    }

    fn place(&self, subject: Subject) -> Target {
        Target { organization: self.organization.as_ref().map(facts_of), subject }
    }

    fn document_subject(&self, id: &DocumentId) -> Subject {
        let document = match self.documents.get(id) {
            Some(stand) => stand.as_ref(),
            None => Stand::Absent(Life::FIRST),
        };
        let way = match &document {
            Stand::There(document, _) => self.way(document.folder_id.as_ref()),
            Stand::Absent(_) => Way::none(),
        };
        let facts = |document: &Document| DocumentFacts {
            disabled: document.disabled,
            setting: document.access_type.map_or(Setting::Inherited, Setting::Own),
            placed: document.placed,
            holders: document.holders.clone(),
        };
        Subject::Document { id: id.clone(), document: document.map(facts), way }
    }

    /// A folder and those above.
    fn way(&self, from: Option<&FolderId>) -> Way {
        let (mut folders, mut next) = (Vec::new(), from);
        while let Some(id) = next.filter(|id| !id.is_root()) {
            if folders.len() == MAX_FOLDER_DEPTH {
                return Way { folders, top: Top::TooDeep };
            }
            let (folder, life) = match self.folders.get(id) {
                Some(Stand::There(folder, life)) => (folder, *life),
                Some(Stand::Absent(end)) => return Way { folders, top: Top::Missing(*end) },
                None => return Way { folders, top: Top::Missing(Life::FIRST) },
            };
            folders.push(FolderFacts {
                id: id.clone(),
                life,
                setting: setting_of(folder),
                placed: folder.placed,
                holders: folder.holders.clone(),
            });
            next = Some(&folder.parent_folder_id);
        }
        Way { folders, top: Top::Reached }
    }
}

fn facts_of(organization: &Organization) -> OrganizationFacts {
    OrganizationFacts { disabled: organization.disabled, holders: organization.holders.clone() }
}

/// The groups with a right to a container that is there.
fn holders_in<E: Held>(container: &Stand<E>) -> Option<&Holders> {
    match container {
        Stand::There(container, _) => Some(container.holders()),
        Stand::Absent(_) => None,
    }
}

/// The folders directly above what is known, which are not known yet.
pub(super) fn above(facts: &Facts, known: &BTreeSet<Level>) -> BTreeSet<Level> {
    let in_documents = facts.documents.values().filter_map(|document| match document {
        Stand::There(document, _) => document.folder_id.as_ref(),
        Stand::Absent(_) => None,
    });
    let in_folders = facts.folders.values().filter_map(|folder| match folder {
        Stand::There(folder, _) => Some(&folder.parent_folder_id),
        Stand::Absent(_) => None,
    });
    let folders = in_documents.chain(in_folders).filter(|id| !id.is_root());
    folders.cloned().map(Level::Folder).filter(|level| !known.contains(level)).collect()
}
