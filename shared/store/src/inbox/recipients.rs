//! Recipients of an event (rules N1 and N3): users with access to its document and thread, some at
//! a time.

use std::collections::{BTreeMap, BTreeSet};

use aws::Query;
use error::Result;
use futures_util::future;
use model::{
    DocumentId, Label, Millis, UserId,
    access::{AccessType, Grant, Held, Level},
    event::EventType,
    notice::{Facts, Naming, reached},
    preference::Wanted,
    user::User,
};
use notification::{Candidate, Candidates, Channels, NotifiableEvent};
use tenancy::{
    layout::{Key, item, users_at},
    prelude::*,
    reading::merge,
};

use crate::{
    features::Notifications,
    prelude::*,
    resources::{Rights, grants_at},
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

/// The users found at the levels of a document: in order, with their rights there, and when such
/// rights ended.
struct People {
    found: Vec<FoundUser>,
    held: Vec<((Level, UserId), Held)>,
    ended: Vec<(UserId, Millis)>,
    next: Option<UserId>,
}

/// The members and grants of a level, as far as they were read.
struct AtLevel {
    members: (Vec<FoundUser>, bool),
    granted: (Vec<FoundUser>, bool),
    held: Vec<((Level, UserId), Held)>,
    ended: Vec<(UserId, Millis)>,
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
        let rights = self.0.access().rights(&nobody, &folders, &documents);
        let (thread, rights) = future::try_join(thread, rights).await?;
        if place.is_some() && thread.is_none() {
            return Ok(Candidates::default());
        }
        let page = UserPage { after, limit };
        let people = self.next_people(event, &facts, &rights, page).await?;
        let rights = match facts.only_direct {
            true => {
                let named = people.found.iter().map(|found| found.user_id.clone()).collect();
                self.0.access().rights(&named, &folders, &documents).await?
            }
            false => {
                let mut rights = rights.with(people.held);
                rights.ends(people.ended.iter().map(|(user, at)| (user, *at)));
                rights
            }
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
                && thread.as_ref().is_none_or(|it| it.visibility.admits(user, self.0.id()))
                && reaches(user)
        };
        let users: BTreeSet<UserId> =
            people.found.into_iter().filter(is_meant).map(|found| found.user_id).collect();
        let groups = self.0.groups().members_among(&facts.groups, &users);
        let wishes = self.wishes(&users, &documents, Some(event.t0));
        let (in_groups, wishes) = future::try_join(groups, wishes).await?;
        let candidate = |user_id: UserId| {
            let named = facts.direct.contains(&user_id) || in_groups.contains(&user_id);
            let mine = named || facts.involved.contains(&user_id);
            let wanted = wishes.of(&user_id, &event.document_id);
            let channels = Channels {
                inbox: accepts(wanted.inbox, mine),
                email: accepts(wanted.email, mine),
                chat: accepts(wanted.chat, mine),
            };
            Candidate { named, user_id, channels, mine }
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
        rights: &Rights,
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
        let (mut lists, mut held, mut ends) = (vec![(named, false)], Vec::new(), Vec::new());
        if !facts.only_direct {
            let mut levels = rights.levels_of(&event.document_id);
            if rights.access_type_of(&event.document_id) != Some(AccessType::Restricted) {
                levels.push(Level::Organization);
            }
            let reads = levels.iter().map(|level| self.people_at(level, page));
            for level in future::try_join_all(reads).await? {
                let AtLevel { members, granted, held: there, ended } = level;
                lists.extend([members, granted]);
                held.extend(there);
                ends.extend(ended);
            }
        }
        // A user found twice may be marked as a bot in one place only.
        let bots: BTreeSet<UserId> = lists
            .iter()
            .flat_map(|(found, _)| found)
            .filter(|found| found.is_bot)
            .map(|found| found.user_id.clone())
            .collect();
        let (found, more) = merge(lists, page.limit, |found: &FoundUser| found.sort.clone());
        let next = found.last().filter(|_| more).map(|last| last.user_id.clone());
        let known = |found: FoundUser| {
            let is_bot = found.is_bot || bots.contains(&found.user_id);
            FoundUser { is_bot, ..found }
        };
        Ok(People { found: found.into_iter().map(known).collect(), held, ended: ends, next })
    }

    /// The next users with a right at a level: members, and those with a grant.
    async fn people_at(self, level: &Level, page: UserPage<'_>) -> Result<AtLevel> {
        let UserPage { after, limit } = page;
        let query = |under: Key| {
            let start = after.map(|user| {
                let end = Key::pair("user", user.as_str());
                let end = end.as_str().strip_prefix("user#").unwrap_or_default().to_owned();
                item::named_key(self.0.partition(), &format!("{}{end}", under.prefix()))
            });
            Query { start, ..self.0.users().all().rows().under(under.prefix()) }
        };
        let (users, grants) = (self.0.users().all(), self.0.access().grants());
        let members = users.rows().fetch(query(users_at(level)), limit);
        let granted = grants.rows().fetch(query(grants_at(level)), limit);
        let ((members, more), (granted, more_granted)) = future::try_join(members, granted).await?;
        let members = members.into_iter().map(|item| users.rows().decode(item));
        let members: Vec<User> = members.collect::<Result<_>>()?;
        let granted = granted.into_iter().map(|item| grants.rows().decode(item));
        let granted: Vec<Grant> = granted.collect::<Result<_>>()?;
        let now = self.0.tenant().db().clock().now();
        let mut roles: BTreeMap<&UserId, (Option<&User>, Option<&Grant>)> = BTreeMap::new();
        for member in &members {
            roles.entry(&member.user_id).or_default().0 = Some(member);
        }
        for grant in &granted {
            roles.entry(&grant.user_id).or_default().1 = Some(grant);
        }
        let held = roles.into_iter().filter_map(|(user, (member, grant))| {
            let held = Held::at(member.map(|member| member.access_role), grant, now)?;
            Some(((level.clone(), user.clone()), held))
        });
        let held = held.collect();
        let ended = granted.iter();
        let ended = ended.filter_map(|it| Some((it.user_id.clone(), it.ended_at(now)?))).collect();
        let member = |user: User| {
            let kind = user.profile.kind.as_ref().map_or("", Label::as_str);
            let is_bot =
                ["agent", "bot"].iter().any(|no_human| kind.eq_ignore_ascii_case(no_human));
            FoundUser::new(user.user_id, is_bot)
        };
        let grant = |grant: Grant| FoundUser::new(grant.user_id, false);
        Ok(AtLevel {
            members: (members.into_iter().map(member).collect(), more),
            granted: (granted.into_iter().map(grant).collect(), more_granted),
            held,
            ended,
        })
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
        let rights =
            self.0.access().rights(users, &BTreeSet::new(), &[document.clone()].into()).await?;
        Ok(users.iter().filter(|user| !rights.is_known(user)).cloned().collect())
    }
}
