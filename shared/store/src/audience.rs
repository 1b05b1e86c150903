//! Who may be notified of an event (rules N1 and N3): the users who may reach its document and see
//! its thread, some at a time.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Item, Query};
use delivery::{Candidate, Candidates, Channels, Event};
use error::{Error, Result};
use futures_util::future;
use model::{
    DocumentId, UserId,
    access::{AccessType, Grant, Level},
    event::EventType,
    notice::Facts,
    preference::{Preference, Wanted},
    user::User,
    visibility::Visibility,
};

use crate::{
    entities::users_at, item, key::Key, permissions::Right, scope::OrganizationStore, users::merge,
};

/// Somebody who may be notified: the sort key that orders them, who it is, and whether it is known
/// to be no human.
type Found = (String, UserId, bool);

/// Where the grants of a level lie.
fn grants_at(level: &Level) -> Key {
    match level {
        Level::Organization => Key::named("organization-grant"),
        Level::Document(id) => Key::of("document-grant", id.as_str()).join(&Key::named("user")),
        Level::Folder(id) => Key::of("folder-grant", id.as_str()).join(&Key::named("user")),
    }
}

fn sort_of(user: &UserId) -> String {
    Key::of("user", user.as_str()).into()
}

/// Whether a channel is wanted.
pub(crate) fn wants(wanted: Option<Wanted>, is_mine: bool) -> bool {
    match wanted {
        Some(Wanted::All) => true,
        Some(Wanted::Mine) => is_mine,
        Some(Wanted::None) | None => false,
    }
}

/// What is kept of an event.
pub(crate) fn facts_of(event: &Event) -> Facts {
    serde_json::from_value(event.facts.clone()).unwrap_or_default()
}

impl OrganizationStore {
    /// The next of those who may be notified of an event, with what they want of it. Chat is left
    /// to whoever configures it.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn audience(
        &self,
        event: &Event,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        let facts = facts_of(event);
        let (people, next) = self.next_people(event, &facts, after, limit).await?;
        let visibility = match &event.annotation_id {
            Some(id) if event.source.has_thread() => {
                let place = (event.document_id.clone(), id.clone());
                let Some(thread) = self.annotations().find(&place).await? else {
                    return Ok(Candidates::default());
                };
                thread.visibility
            }
            _ => Visibility::default(),
        };
        let is_meant = |(_, user, is_bot): &Found| {
            !is_bot
                && event.actor_id.as_ref() != Some(user)
                && !facts.bots.contains(user)
                && visibility.admits(user, &self.id)
        };
        let users: BTreeSet<UserId> =
            people.into_iter().filter(is_meant).map(|(_, user, _)| user).collect();
        let users = self.who_may_reach(&event.document_id, users).await?;
        let groups = self.members_among(&facts.groups, &users);
        let preferences = self.preferences_for(&users, &event.document_id);
        let (in_groups, preferences) = future::try_join(groups, preferences).await?;
        let candidate = |user_id: UserId| {
            let mine = facts.direct.contains(&user_id)
                || facts.involved.contains(&user_id)
                || in_groups.contains(&user_id);
            let wanted = preferences.get(&user_id).copied().unwrap_or_default();
            let channels = Channels {
                inbox: wants(wanted.inbox, mine),
                email: wants(wanted.email, mine),
                chat: wants(wanted.chat, mine),
            };
            Candidate { user_id, channels, mine }
        };
        // In the order in which they were found, which `next` goes by.
        let mut users: Vec<UserId> = users.into_iter().collect();
        users.sort_by_cached_key(sort_of);
        Ok(Candidates { users: users.into_iter().map(candidate).collect(), next })
    }

    async fn next_people(
        &self,
        event: &Event,
        facts: &Facts,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<(Vec<Found>, Option<UserId>)> {
        let start = after.map(sort_of);
        let is_left = |user: &&UserId| start.as_ref().is_none_or(|start| sort_of(user) > *start);
        let is_custom = event.kind == EventType::NotificationAdd;
        let named = match is_custom {
            true => facts.direct.clone(),
            false => facts.named(),
        };
        let mut named: Vec<Found> = named
            .iter()
            .filter(is_left)
            .map(|user| (sort_of(user), user.clone(), facts.bots.contains(user)))
            .collect();
        named.sort();
        let mut lists = vec![(named, false)];
        if !facts.only_direct {
            for level in self.levels_of(&event.document_id).await? {
                lists.extend(self.people_at(&level, after, limit).await?);
            }
        }
        // Who is found twice may be known as a bot in one place only.
        let bots: BTreeSet<UserId> = lists
            .iter()
            .flat_map(|(found, _)| found)
            .filter(|(_, _, is_bot)| *is_bot)
            .map(|(_, user, _)| user.clone())
            .collect();
        let (found, more) = merge(lists, limit, |(sort, ..): &Found| sort.clone());
        let next = found.last().filter(|_| more).map(|(_, user, _)| user.clone());
        let known = |(sort, user, is_bot): Found| {
            let is_bot = is_bot || bots.contains(&user);
            (sort, user, is_bot)
        };
        Ok((found.into_iter().map(known).collect(), next))
    }

    /// The levels at which users may hold something that opens a document.
    async fn levels_of(&self, document: &DocumentId) -> Result<Vec<Level>> {
        let documents = [document.clone()].into();
        let rights = self.rights(&BTreeSet::new(), &BTreeSet::new(), &documents).await?;
        let mut levels = rights.levels_of(document);
        if rights.access_type_of(document) != Some(AccessType::Restricted) {
            levels.push(Level::Organization);
        }
        Ok(levels)
    }

    /// The next users who hold something at a level: members, and those with a right of their own.
    async fn people_at(
        &self,
        level: &Level,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<[(Vec<Found>, bool); 2]> {
        let query = |under: Key| {
            let start = after.map(|user| {
                let end = Key::of("user", user.as_str());
                let end = end.as_str().strip_prefix("user#").unwrap_or_default().to_owned();
                item::named_key(&self.partition, &format!("{}{end}", under.prefix()))
            });
            Query { start, ..self.users().under(under.prefix()) }
        };
        let (users, grants) = (self.users(), self.grants());
        let members = users.fetch(query(users_at(level)), limit);
        let granted = grants.fetch(query(grants_at(level)), limit);
        let ((members, more), (granted, more_granted)) = future::try_join(members, granted).await?;
        let member = |item: Item| {
            let user: User = users.decode(item)?;
            let kind = user.profile.kind.as_deref().unwrap_or_default();
            let is_bot =
                ["agent", "bot"].iter().any(|no_human| kind.eq_ignore_ascii_case(no_human));
            Ok::<_, Error>((sort_of(&user.user_id), user.user_id, is_bot))
        };
        let grant = |item: Item| {
            let grant: Grant = grants.decode(item)?;
            Ok::<_, Error>((sort_of(&grant.user_id), grant.user_id, false))
        };
        let members = members.into_iter().map(member).collect::<Result<_>>()?;
        let granted = granted.into_iter().map(grant).collect::<Result<_>>()?;
        Ok([(members, more), (granted, more_granted)])
    }

    /// Those of the users who may reach a document.
    async fn who_may_reach(
        &self,
        document: &DocumentId,
        mut users: BTreeSet<UserId>,
    ) -> Result<BTreeSet<UserId>> {
        let rights = self.rights(&users, &BTreeSet::new(), &[document.clone()].into()).await?;
        users.retain(|user| matches!(rights.of_document(user, document), Right::Held(..)));
        Ok(users)
    }

    /// Those of the users who hold nothing in the organization, nor at a document or above it.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn strangers(
        &self,
        users: &BTreeSet<UserId>,
        document: &DocumentId,
    ) -> Result<BTreeSet<UserId>> {
        let rights = self.rights(users, &BTreeSet::new(), &[document.clone()].into()).await?;
        Ok(users.iter().filter(|user| !rights.is_known(user)).cloned().collect())
    }

    /// What users want of a document.
    async fn preferences_for(
        &self,
        users: &BTreeSet<UserId>,
        document: &DocumentId,
    ) -> Result<BTreeMap<UserId, model::preference::Channels>> {
        let ids = users
            .iter()
            .flat_map(|user| [(user.clone(), Some(document.clone())), (user.clone(), None)]);
        let found: BTreeMap<_, Preference> = self.preferences().find_all(ids).await?;
        let of = |user: &UserId| {
            let own = found.get(&(user.clone(), Some(document.clone())));
            (user.clone(), Preference::effective(own, found.get(&(user.clone(), None))))
        };
        Ok(users.iter().map(of).collect())
    }
}
