//! Profiles of people, wherever their rights are: names and addresses from their memberships in the
//! organization, at documents and in the folders above, and the names of groups.

use std::collections::{BTreeMap, BTreeSet};

use error::Result;
use futures_util::future;
use model::{
    DocumentId, GroupId, UserId,
    comment::Comment,
    permissions::Level,
    template::{NameOf, with_names},
    user::{Person, User},
};

use crate::{notifications::Notifications, permissions::Facts, prelude::*};

/// Names looked up for mentions at a time; further ones keep their ids.
const MAX_NAMES: usize = 100;
/// Most bytes that names add to a text.
const MAX_NAMES_BYTES: usize = 64 * 1024;

/// The displayed value of a member.
fn person(member: &User) -> Person {
    let profile = member.profile.clone().shown();
    Person {
        name: profile.name,
        email: profile.email.filter(|email| email.address().is_some()),
        photo_url: profile.photo_url,
        color: profile.color,
        text_color: profile.text_color,
        initial: profile.initial,
        ..Person::from_id(member.user_id.clone())
    }
}

/// Profiles of people and names of groups in an organization.
#[derive(Default)]
pub(crate) struct Profiles {
    people: BTreeMap<UserId, Person>,
    groups: BTreeMap<UserId, String>,
    /// Users without a membership who have a right nevertheless.
    holders: BTreeSet<UserId>,
}

impl Profiles {
    /// A user by the membership in the organization, else at a document, else in a folder. Members
    /// that the first leaves out may come from the others.
    pub(crate) fn of(&self, user: &UserId) -> Option<&Person> {
        self.people.get(user)
    }

    /// Whether a user has a right, with or without a membership.
    pub(crate) fn holds(&self, user: &UserId) -> bool {
        self.people.contains_key(user) || self.holders.contains(user)
    }

    /// The name of a user or of a group.
    pub(crate) fn name_of(&self, id: &UserId) -> Option<&str> {
        let of_user = self.people.get(id).and_then(|person| person.name.as_ref());
        of_user.map(model::Label::as_str).or_else(|| self.groups.get(id).map(String::as_str))
    }

    /// Whether a membership at a further level may say more of a user.
    fn lacks(&self, user: &UserId) -> bool {
        self.people.get(user).is_none_or(|known| known.email.is_none())
    }

    fn add(&mut self, members: BTreeMap<(Level, UserId), User>, levels: &[Level]) {
        let mut members: Vec<((Level, UserId), User)> = members.into_iter().collect();
        let rank = |level: &Level| match level {
            Level::Organization => 0,
            other => 1 + levels.iter().position(|level| level == other).unwrap_or(levels.len()),
        };
        members.sort_by_key(|((level, _), _)| rank(level));
        for ((_, id), member) in members {
            let further = person(&member);
            let known = self.people.entry(id).or_insert_with(|| further.clone());
            known.email = known.email.take().or(further.email);
            if known.name.is_none() {
                (known.name, known.initial) = (further.name, further.initial);
            }
        }
    }
}

impl Notifications<'_> {
    /// Profiles of people from their memberships in the organization itself.
    pub(crate) async fn profiles(self, people: &BTreeSet<UserId>) -> Result<Profiles> {
        let mut profiles = Profiles::default();
        profiles.add(self.memberships(people, &[Level::Organization]).await?, &[]);
        Ok(profiles)
    }

    /// Adds what is said at documents and in the folders above of people of whom too little is
    /// known so far, and whether those without a membership have a right there.
    pub(crate) async fn look_above(
        self,
        profiles: &mut Profiles,
        people: &BTreeSet<UserId>,
        rights: &Facts,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<()> {
        let unknown: BTreeSet<UserId> =
            people.iter().filter(|user| profiles.lacks(user)).cloned().collect();
        let levels = levels_of(rights, documents);
        let found = self.memberships(&unknown, &levels).await?;
        profiles.add(found, &levels);
        let unknown: BTreeSet<UserId> =
            unknown.into_iter().filter(|user| profiles.of(user).is_none()).collect();
        if !unknown.is_empty() {
            let rights = self.0.permissions().facts(&unknown, &BTreeSet::new(), documents).await?;
            let holds = |user: &UserId| {
                documents
                    .iter()
                    .any(|document| !super::recipients::is_stranger(&rights, user, document))
            };
            profiles.holders.extend(unknown.into_iter().filter(holds));
        }
        Ok(())
    }

    /// Adds the names of users and groups.
    pub(crate) async fn look_up(
        self,
        profiles: &mut Profiles,
        nameless: impl IntoIterator<Item = UserId>,
        rights: &Facts,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<()> {
        let nameless = nameless.into_iter().filter(|id| profiles.name_of(id).is_none());
        let asked: BTreeSet<UserId> = nameless.take(MAX_NAMES).collect();
        if asked.is_empty() {
            return Ok(());
        }
        let mut levels = levels_of(rights, documents);
        levels.push(Level::Organization);
        let ids = asked.iter().filter_map(|id| GroupId::try_from(id.as_str().to_owned()).ok());
        let groups = self.0.user_groups().all();
        let (members, groups) =
            future::try_join(self.memberships(&asked, &levels), groups.find_all(ids)).await?;
        profiles.add(members, &levels);
        let named = asked.into_iter().filter_map(|id| {
            let group = groups.iter().find(|(group, _)| group.as_str() == id.as_str())?.1;
            Some((id, group.group_name.as_ref()?.to_string()))
        });
        profiles.groups.extend(named);
        Ok(())
    }

    /// The texts of comments in a document, with names for mentions.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn texts_of(
        self,
        document: &DocumentId,
        comments: &[Comment],
    ) -> Result<Vec<String>> {
        let (mut profiles, documents) = (Profiles::default(), [document.clone()].into());
        if comments.iter().any(|comment| !nameless(comment).is_empty()) {
            let (nobody, folders) = (BTreeSet::new(), BTreeSet::new());
            let rights = self.0.permissions().facts(&nobody, &folders, &documents).await?;
            let nameless = comments.iter().flat_map(nameless);
            self.look_up(&mut profiles, nameless, &rights, &documents).await?;
        }
        let text = |comment: &Comment| {
            let mentioned: Vec<Person> = comment.mentioned().collect();
            let text = comment.comment_text.as_deref().unwrap_or_default();
            with_names(text, &names_in(&mentioned, &profiles), MAX_NAMES_BYTES)
        };
        Ok(comments.iter().map(text).collect())
    }

    async fn memberships(
        self,
        people: &BTreeSet<UserId>,
        levels: &[Level],
    ) -> Result<BTreeMap<(Level, UserId), User>> {
        let members =
            people.iter().flat_map(|id| levels.iter().map(|level| (level.clone(), id.clone())));
        let members: Vec<_> = members.collect();
        if members.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.0.users().all().find_all(members).await
    }
}

/// Documents, and the folders above them, the nearest of each first.
fn levels_of(rights: &Facts, documents: &BTreeSet<DocumentId>) -> Vec<Level> {
    let mut levels: Vec<Level> = documents.iter().cloned().map(Level::Document).collect();
    for level in documents.iter().flat_map(|document| rights.levels_of(document)) {
        if matches!(level, Level::Folder(_)) && !levels.contains(&level) {
            levels.push(level);
        }
    }
    levels
}

/// Users whom a comment mentions in its text, for whom it has no name.
pub(crate) fn nameless(comment: &Comment) -> Vec<UserId> {
    let Some(text) = comment.comment_text.as_deref() else { return vec![] };
    let is_nameless = |person: &Person| {
        person.name.is_none() && text.contains(&format!("{{{{{}}}}}", person.user_id))
    };
    comment.mentioned().filter(is_nameless).map(|person| person.user_id).collect()
}

/// The names of those whom a comment mentions: as it says them, else as the organization does, else
/// their ids.
pub(crate) fn names_in<'a>(mentioned: &'a [Person], profiles: &'a Profiles) -> Vec<NameOf<'a>> {
    let name = |person: &'a Person| {
        let id = person.user_id.as_str();
        let said = person.name.as_ref().map(model::Label::as_str);
        NameOf { id, name: said.or_else(|| profiles.name_of(&person.user_id)).unwrap_or(id) }
    };
    mentioned.iter().map(name).collect()
}
