//! Rights of a user in a document, as `access.decision` of the contract says.

use crate::{
    Access, At, Folder, Level, Mutant, Org, Role, User, Visibility,
    facts::{DocumentRow, Organization, Said, Thread, Tick, Token, World},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The resource does not exist for this user.
    Absent,
    /// The organization (true) or the document is disabled.
    LockedOut(bool),
    /// The resource exists, and the user has no access.
    Closed(Access),
    Open(Open),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) role: Role,
    /// None for the organization, and for what nobody added.
    pub(crate) access: Option<Access>,
    /// Whether it is only open because it is open to everybody.
    pub(crate) by_public: bool,
}

/// The source of a right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    /// Whether it expires.
    Grant(bool),
    Membership,
    Group,
    Token,
}

impl World {
    /// The role of the right of a user at one level.
    pub(crate) fn right(
        &self,
        org: Org,
        level: Level,
        user: User,
        token: Option<&Token>,
    ) -> Option<Role> {
        self.right_via(org, level, user, token).map(|(role, _)| role)
    }

    /// The role of the right of a user at one level, with its source.
    pub(crate) fn right_via(
        &self,
        org: Org,
        level: Level,
        user: User,
        token: Option<&Token>,
    ) -> Option<(Role, Via)> {
        let said = self.org(org).rights(level).users.get(&user);
        self.right_by(org, level, (user, said), token)
    }

    fn right_by(
        &self,
        org: Org,
        level: Level,
        (user, said): (User, Option<&Said>),
        token: Option<&Token>,
    ) -> Option<(Role, Via)> {
        let organization = self.org(org);
        let rights = organization.rights(level);
        let holds = |until: Option<u64>| until.is_none_or(|until| self.now < until * 1_000);
        let grant = said.and_then(|said| said.grant).filter(|given| holds(given.until));
        if let Some(grant) = grant {
            return Some((grant.role, Via::Grant(grant.until.is_some())));
        }
        if let Some(role) = said.and_then(|said| said.member) {
            return Some((role, Via::Membership));
        }
        let joined = organization.group.as_ref().is_some_and(|group| group.contains(&user))
            || organization.ghosts.contains(&user) && self.is(Mutant::GroupRightOutlivesGroup);
        if let Some(group) = rights.group.filter(|given| joined && holds(given.until)) {
            return Some((group.role, Via::Group));
        }
        let token = token?;
        let role = *token.rights.get(&(org, level))?;
        let ended = said.map_or(0, |said| said.ended.max(said.granted));
        let left = organization.left.get(&user).copied().unwrap_or(0);
        let last = organization.since(level).max(ended).max(left);
        (token.issued > last).then_some((role, Via::Token))
    }

    /// Whether a right of a user in a document, above it or in the organization has ended: what
    /// tells whether something, with its order and its time, happened after all of these ends.
    pub(crate) fn ended(&self, at: At, user: User) -> Option<impl Fn(Tick, u64) -> bool> {
        let organization = self.org(at.0);
        let row = organization.doc(at.1).row.unwrap_or_default();
        let mut levels = vec![Level::Organization, Level::Document(at.1)];
        levels.extend(organization.chain(row.folder).into_iter().map(Level::Folder));
        let at_level = |level: Level| {
            let said = organization.rights(level).users.get(&user)?;
            let until = said.grant.and_then(|grant| grant.until).map(|until| until * 1_000);
            let expired = until.filter(|until| self.now >= *until);
            (said.ended > 0 || expired.is_some()).then_some((said.ended, expired.unwrap_or(0)))
        };
        let left = organization.left.get(&user).map(|left| (*left, 0));
        let ends: Vec<(Tick, u64)> = levels.into_iter().filter_map(at_level).chain(left).collect();
        let is_after = move |tick, time, ends: &[(Tick, u64)]| {
            ends.iter().all(|(end, expired)| tick > *end && time >= *expired)
        };
        (!ends.is_empty()).then_some(move |tick, time| is_after(tick, time, &ends))
    }

    pub(crate) fn decide(
        &self,
        org: Org,
        level: Level,
        user: User,
        token: Option<&Token>,
    ) -> Decision {
        let organization = self.org(org);
        if organization.disabled {
            return Decision::LockedOut(true);
        }
        let right = |level| self.right(org, level, user, token);
        let (row, own) = match level {
            Level::Organization => {
                return match right(level) {
                    Some(role) => open(role, None, false),
                    None => Decision::Closed(Access::OrganizationPrivate),
                };
            }
            Level::Document(doc) => {
                let slot = organization.doc(doc);
                let Some(row) = slot.row.or_else(|| self.outlived(organization, doc)) else {
                    // A membership needs a document that is there.
                    let said = organization.rights(level).users.get(&user);
                    let said = said.map(|said| Said { member: None, ..said.clone() });
                    let alone = self.right_by(org, level, (user, said.as_ref()), token);
                    return alone.map_or(Decision::Absent, |(role, _)| open(role, None, false));
                };
                if row.disabled {
                    return Decision::LockedOut(false);
                }
                (row, right(level))
            }
            Level::Folder(folder) => {
                let Some(row) = organization.folder(folder).row else {
                    return Decision::Absent;
                };
                let row = DocumentRow { folder: row.parent, access: row.access, disabled: false };
                (row, right(level))
            }
        };
        let access = self.access(organization, row.access, row.folder);
        let above = organization.chain(row.folder).into_iter().map(Level::Folder);
        if let Some(role) = own.or_else(|| above.into_iter().find_map(right)) {
            return open(role, Some(access), false);
        }
        match (right(Level::Organization), access) {
            (Some(role), Access::Public | Access::OrganizationPrivate) => {
                open(role, Some(access), false)
            }
            (None, Access::Public) => open(self.kind.public_role(), Some(access), true),
            _ => Decision::Closed(access),
        }
    }

    /// The own access type, or else that of the nearest folder that has one.
    pub(crate) fn access(
        &self,
        organization: &Organization,
        own: Option<Access>,
        folder: Option<Folder>,
    ) -> Access {
        let of = |folder: Folder| organization.folder(folder).row.and_then(|row| row.access);
        let above = || organization.chain(folder).into_iter().find_map(of);
        own.or_else(above).unwrap_or_else(|| self.kind.access())
    }

    /// The row of a document whose container is gone, for a model that is wrong.
    fn outlived(&self, organization: &Organization, doc: crate::Doc) -> Option<DocumentRow> {
        if self.is(Mutant::MissingFolderIsDefault) {
            return organization.doc(doc).faded.as_ref()?.row;
        }
        if self.is(Mutant::DeletedOrganizationLives) {
            return organization.before.as_ref()?.doc(doc).row;
        }
        None
    }

    /// Whether a user who may read the document sees a thread.
    pub(crate) fn sees(&self, thread: &Thread, user: User, token: Option<&Token>) -> bool {
        let is_named = match thread.visibility {
            None => false,
            Some(Visibility::Public) => true,
            Some(Visibility::Organization(org)) => {
                self.is(Mutant::OrganizationThreadsArePublic)
                    || self.right(org, Level::Organization, user, token).is_some()
            }
            Some(Visibility::Only(only)) => only == user,
        };
        is_named || thread.author == Some(user)
    }
}

fn open(role: Role, access: Option<Access>, by_public: bool) -> Decision {
    Decision::Open(Open { role, access, by_public })
}
