//! Recipients of an event (rules N1 and N3): users with access to its document and thread, some at
//! a time.

mod crowd;

use std::collections::BTreeSet;

use aws::Query;
use error::Result;
use futures_util::future;
use model::{
    DocumentId, GroupId, Label, UserId,
    event::EventType,
    notice::{Facts, Naming, reached},
    permissions::{AccessType, Level},
    preference::Wanted,
    rights::{By, Decision, Right},
    user::User,
};
use notification::{Candidate, Candidates, Channels, NotifiableEvent};
use tenancy::{
    layout::{Key, item, users_at},
    prelude::*,
    reading::merge,
};

use super::preferences::Wishes;
use crate::{
    notifications::Notifications,
    permissions::{Facts as RightFacts, RightRow, grants_at},
    prelude::*,
    user_groups::members_of,
};

/// A user who may be a recipient.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct FoundUser {
    /// The sort key of the order of candidates.
    sort: String,
    user_id: UserId,
    /// Whether the user is known to be a bot.
    is_bot: bool,
}

impl FoundUser {
    fn new(user_id: UserId, is_bot: bool) -> Self {
        Self { sort: sort_of(&user_id), user_id, is_bot }
    }
}

/// A page of users.
#[derive(Clone, Copy)]
struct UserPage<'a> {
    /// The last user of the page before.
    after: Option<&'a UserId>,
    limit: usize,
}

fn sort_of(user: &UserId) -> String {
    Key::pair("user", user.as_str()).into()
}

/// Whether a preference includes the event.
pub(crate) fn accepts(wanted: Option<Wanted>, is_mine: bool) -> bool {
    match wanted {
        Some(Wanted::All) => true,
        Some(Wanted::Mine) => is_mine,
        Some(Wanted::None) | None => false,
    }
}

/// Records of an event.
pub(crate) fn facts_of(event: &NotifiableEvent) -> Facts {
    serde_json::from_value(event.facts.clone()).unwrap_or_default()
}

/// The users found at the levels of a document: in order, with the rows about them there.
struct People {
    found: Vec<FoundUser>,
    rows: Vec<RightRow>,
    next: Option<UserId>,
}

/// The members and grants of a level, as far as they were read.
struct AtLevel {
    members: (Vec<FoundUser>, bool),
    granted: (Vec<FoundUser>, bool),
    rows: Vec<RightRow>,
}

impl Notifications<'_> {
    /// The next candidates for an event, with their preferences. Chat is left to its integration.
    /// Data that decides on all of them is read once.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn recipients(
        self,
        event: &NotifiableEvent,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        let facts = facts_of(event);
        let place = event.annotation_id.as_ref().filter(|_| event.source.has_thread());
        let place = place.map(|id| (event.document_id.clone(), id.clone()));
        let thread = async {
            match &place {
                Some(place) => self.0.comments().all().find(place).await,
                None => Ok(None),
            }
        };
        let documents = [event.document_id.clone()].into();
        let (nobody, folders) = (BTreeSet::new(), BTreeSet::new());
        let rights = self.0.permissions().facts(&nobody, &folders, &documents);
        let (thread, rights) = future::try_join(thread, rights).await?;
        // A thread of a document that was added again may have the same id.
        let is_of_before = !rights.covers(&event.document_id, event.t0);
        if is_of_before || (place.is_some() && thread.is_none()) {
            return Ok(Candidates::default());
        }
        let page = UserPage { after, limit };
        let people = self.next_people(event, &facts, &rights, page).await?;
        let rights = match facts.only_direct {
            true => {
                let named = people.found.iter().map(|found| found.user_id.clone()).collect();
                self.0.permissions().facts(&named, &folders, &documents).await?
            }
            false => rights.with_rows(people.rows),
        };
        let reaches = |user: &UserId| {
            let acted = thread.as_ref().and_then(|thread| thread.last_act_of(user));
            let naming = Naming { acted, ..facts.naming(user, event.t0) };
            reached(rights.standing(user, &event.document_id), naming)
        };
        let is_meant = |FoundUser { user_id: user, is_bot, .. }: &FoundUser| {
            !is_bot
                && *user != UserId::deleted()
                && event.actor_id.as_ref() != Some(user)
                && !facts.bots.contains(user)
                && reaches(user)
        };
        let users: BTreeSet<UserId> =
            people.found.into_iter().filter(is_meant).map(|found| found.user_id).collect();
        let users = match &thread {
            Some(thread) => self.seeing(users, &thread.visibility).await?,
            None => users,
        };
        let groups = self.0.user_groups().members_among(&facts.groups, &users);
        let wishes = self.wishes(&users, &documents);
        let (in_groups, wishes) = future::try_join(groups, wishes).await?;
        let wishes_then = wishes.as_of(event.t0);
        let candidate = |user_id: UserId| {
            let named = facts.direct.contains(&user_id) || in_groups.contains(&user_id);
            // Of those who had unsubscribed, the facts have none among the involved.
            let mine = facts.involves(&user_id, named, false);
            let has_unsubscribed =
                thread.as_ref().is_some_and(|thread| thread.unsubscribed.contains_key(&user_id));
            let is_mine_now = facts.involves(&user_id, named, has_unsubscribed);
            let accepted = |wishes: &Wishes, mine: bool| {
                let wanted = wishes.of(&user_id, &event.document_id);
                Channels {
                    inbox: accepts(wanted.inbox, mine),
                    email: accepts(wanted.email, mine),
                    chat: accepts(wanted.chat, mine),
                }
            };
            let (channels, open) = (accepted(&wishes_then, mine), accepted(&wishes, is_mine_now));
            Candidate { named, user_id, channels, open, mine }
        };
        // In the order of `next`.
        let mut users: Vec<UserId> = users.into_iter().collect();
        users.sort_by_cached_key(sort_of);
        let users = users.into_iter().map(candidate).collect();
        Ok(Candidates { users, next: people.next })
    }

    async fn next_people(
        self,
        event: &NotifiableEvent,
        facts: &Facts,
        rights: &RightFacts,
        page: UserPage<'_>,
    ) -> Result<People> {
        let start = page.after.map(sort_of);
        let is_left = |user: &&UserId| start.as_ref().is_none_or(|start| sort_of(user) > *start);
        let is_custom = event.kind == EventType::NotificationAdd;
        let named = match is_custom {
            true => facts.direct.clone(),
            false => facts.named(),
        };
        let mut named: Vec<FoundUser> = named
            .iter()
            .filter(is_left)
            .map(|user| FoundUser::new(user.clone(), facts.bots.contains(user)))
            .collect();
        named.sort();
        let (mut lists, mut rows) = (vec![(named, false)], Vec::new());
        let (mut levels, mut groups) = (vec![], BTreeSet::new());
        if !facts.only_direct {
            levels = rights.levels_of(&event.document_id);
            let access = rights.access_to_document(&event.document_id).access_type();
            if access != Some(AccessType::Restricted) {
                levels.push(Level::Organization);
            }
            let reads = levels.iter().map(|level| self.people_at(level, page));
            groups = rights.live_holders(&levels);
            let joined = future::try_join_all(groups.iter().map(|it| self.people_in(it, page)));
            let (at_levels, joined) = future::try_join(future::try_join_all(reads), joined).await?;
            for AtLevel { members, granted, rows: there } in at_levels {
                lists.extend([members, granted]);
                rows.extend(there);
            }
            lists.extend(joined);
        }
        // A user found twice may be marked as a bot in one place only.
        let mut bots: BTreeSet<UserId> = lists
            .iter()
            .flat_map(|(found, _)| found)
            .filter(|found| found.is_bot)
            .map(|found| found.user_id.clone())
            .collect();
        let (found, more) = merge(lists, page.limit, |found: &FoundUser| found.sort.clone());
        // A user who has left the organization has no right in it, whatever is stored at other
        // levels; and the membership lists the groups of a user.
        if !facts.only_direct && !levels.contains(&Level::Organization) {
            let users = found.iter().map(|found| found.user_id.clone()).collect();
            let mut lists = vec![grants_at(&Level::Organization)];
            if !groups.is_empty() {
                lists.push(users_at(&Level::Organization));
            }
            for item in self.of_users(&lists, &users).await? {
                let row = self.0.permissions().row(item)?;
                if let RightRow::Member(user, _) = &row
                    && is_bot(user)
                {
                    bots.insert(user.user_id.clone());
                }
                rows.push(row);
            }
        }
        if !facts.only_direct {
            self.0.permissions().has_read(found.iter().map(|found| &found.user_id));
        }
        let next = found.last().filter(|_| more).map(|last| last.user_id.clone());
        let known = |found: FoundUser| {
            let is_bot = found.is_bot || bots.contains(&found.user_id);
            FoundUser { is_bot, ..found }
        };
        Ok(People { found: found.into_iter().map(known).collect(), rows, next })
    }

    /// The next users with a right at a level: members, and those with a grant.
    async fn people_at(self, level: &Level, page: UserPage<'_>) -> Result<AtLevel> {
        let UserPage { after, limit } = page;
        let query = |under: Key| self.behind(under.prefix(), after);
        let (users, grants) = (self.0.users().all(), self.0.permissions().grants());
        let members = users.rows().fetch(query(users_at(level)), limit);
        let granted = grants.rows().fetch(query(grants_at(level)), limit);
        let ((found, more), (granted, more_granted)) = future::try_join(members, granted).await?;
        let (mut members, mut holders, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for item in found.into_iter().chain(granted) {
            let row = self.0.permissions().row(item)?;
            match &row {
                RightRow::Member(user, _) => {
                    members.push(FoundUser::new(user.user_id.clone(), is_bot(user)));
                }
                RightRow::Grant(grant, _) => {
                    holders.push(FoundUser::new(grant.user_id.clone(), false));
                }
            }
            rows.push(row);
        }
        Ok(AtLevel { members: (members, more), granted: (holders, more_granted), rows })
    }

    /// The next members of a group that has a right.
    async fn people_in(
        self,
        group: &GroupId,
        page: UserPage<'_>,
    ) -> Result<(Vec<FoundUser>, bool)> {
        let members = self.0.user_groups().members();
        let query = self.behind(members_of(group), page.after);
        let (found, more) = members.rows().fetch(query, page.limit).await?;
        let found = found
            .into_iter()
            .map(|item| Ok(FoundUser::new(members.rows().decode(item)?.user_id, false)));
        Ok((found.collect::<Result<_>>()?, more))
    }

    /// The query of rows with a prefix, which the user follows, behind those of a user.
    fn behind(self, prefix: String, after: Option<&UserId>) -> Query {
        let start = after.map(|user| {
            let end = Key::pair("user", user.as_str());
            let end = end.as_str().strip_prefix("user#").unwrap_or_default().to_owned();
            item::named_key(self.0.partition(), &format!("{prefix}{end}"))
        });
        Query { start, ..self.0.users().all().rows().under(prefix) }
    }

    /// The users without a right in the organization, at a document or above it.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn strangers(
        self,
        users: &BTreeSet<UserId>,
        document: &DocumentId,
    ) -> Result<BTreeSet<UserId>> {
        let (folders, documents) = (BTreeSet::new(), [document.clone()].into());
        let facts = self.0.permissions().facts(users, &folders, &documents).await?;
        Ok(users.iter().filter(|user| is_stranger(&facts, user, document)).cloned().collect())
    }
}

/// Whether a user is known to be a bot.
fn is_bot(user: &User) -> bool {
    let kind = user.profile.kind.as_ref().map_or("", Label::as_str);
    ["agent", "bot"].iter().any(|no_human| kind.eq_ignore_ascii_case(no_human))
}

/// Whether a user has no right in the organization, at a document or above it.
pub(crate) fn is_stranger(facts: &RightFacts, user: &UserId, document: &DocumentId) -> bool {
    let has_own = match facts.of_document(user, document) {
        Decision::Open(Right { by: By::Level(..), .. }) => true,
        Decision::Open(Right { by: By::Public(_), .. })
        | Decision::Absent
        | Decision::Closed(_)
        | Decision::LockedOut(_) => false,
    };
    !has_own && !matches!(facts.of_organization(user), Decision::Open(_))
}
