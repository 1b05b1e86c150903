//! The decision (contract `access.decision`).

use super::facts::{Access, Holders, LevelRights, Person, Rules, Source, Subject, Target};
use crate::{
    GroupId, Millis,
    life::{Life, Stand},
    permissions::{AccessRole, AccessType, Given, Level, Need},
};

/// The rights of a user in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The folder or document is not there for the user.
    Absent,
    /// Nobody may do anything.
    LockedOut(Locked),
    /// No right; in an organization itself, without an access type.
    Closed(Past),
    /// A right.
    Open(Right),
}

/// The resource that is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locked {
    /// The organization.
    Organization,
    /// The document.
    Document,
}

/// A right that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    /// The role.
    pub role: AccessRole,
    /// Expiry in epoch **seconds**; never when absent.
    pub until: Option<u64>,
    /// Where it comes from.
    pub by: By,
    /// Whether the user has a right in the organization as well.
    pub is_member: bool,
}

impl Right {
    /// Whether it allows what somebody needs.
    pub fn allows(&self, need: Need) -> bool {
        self.role.allows(need)
    }
}

/// Where a right comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A right at this level.
    Level(Level, Via),
    /// No right: the place is public.
    Public(Past),
}

/// The kind of a right at a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Via {
    /// A grant.
    Grant,
    /// The membership.
    Membership,
    /// The right of this group.
    Group(GroupId),
    /// A right in the token.
    Token,
}

/// The former right of a user without a right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// No right that anybody knows of.
    Stranger,
    /// A right there, above or in the organization, which ended or expired at this time, in epoch
    /// milliseconds.
    Ended(Millis),
}

/// A right at one level that counts.
#[derive(Clone, Debug)]
struct Held {
    role: AccessRole,
    until: Option<u64>,
    level: Level,
    via: Via,
}

/// A level with the time before which nothing that was said there counts.
struct Rung<'a> {
    level: Level,
    end: Millis,
    holders: &'a Holders,
}

static NOBODY: Holders = Holders::new();

/// Decides what a user may do in a place.
///
/// **Which rights count** at a level; "end" is that of the level's life and of the organization's:
///
/// | Right | Counts if |
/// |---|---|
/// | grant, membership | given after the end and after the user's departure; not over |
/// | by a group | the user joined after the departure and the end of the organization; the group is there, in the life in which the user joined and which holds the right; given after the end; not over |
/// | in a token | none of the above counts at the level; issued after the end, the departure, the last end and the last grant at the level; not over |
///
/// At one level the grant comes first, then the membership, then the best role of the groups, then
/// the token. The own right is that of the nearest level that has one: document, folder, folders
/// above.
///
/// **The decision**, in this order:
///
/// | # | Facts | Decision |
/// |---|---|---|
/// | 1 | the organization is there, and disabled | locked out |
/// | 2 | the document is there, but the organization or a folder above is not, or is of another life than what lies in it, or the folders are too many | as 3, and the end is that of what is broken; the latest possible if that is not known |
/// | 3 | the document is absent: a grant or a right in the token at the document itself that was given after its end | that right: it was never added |
/// | 4 | the same without such a right | absent |
/// | 5 | the document is disabled | locked out |
/// | 6 | an own right, whatever the access type | that right |
/// | 7 | a right in the organization; public or organizationPrivate | that right |
/// | 8 | none; public | the public role of the key |
/// | 9 | none; another type | closed |
/// | 10 | a folder: absent, or the way to it broken | absent; otherwise as 6 to 9 |
/// | 11 | the organization itself | a right at its level, or closed |
pub fn decide(place: &Target, person: &Person, source: &Source<'_>, rules: &Rules) -> Decision {
    if let Stand::There(organization, _) = &place.organization
        && organization.disabled
    {
        return Decision::LockedOut(Locked::Organization);
    }
    let deciding = Deciding { place, person, source, rules };
    match (&place.subject, place.access(rules)) {
        (Subject::Organization, _) => match deciding.held(&deciding.organization()) {
            Some(held) => Decision::Open(held.right(true)),
            None => Decision::Closed(deciding.past(&[])),
        },
        (Subject::Document { document: Stand::Absent(end), .. }, _) => {
            deciding.alone(*end, Millis::MIN)
        }
        (Subject::Document { document: Stand::There(_, life), .. }, Access::Absent) => {
            deciding.alone(*life, place.broken().unwrap_or(Millis::MAX))
        }
        (Subject::Document { document: Stand::There(document, _), .. }, _) if document.disabled => {
            Decision::LockedOut(Locked::Document)
        }
        (Subject::Document { .. } | Subject::Folder(_), Access::Typed(access, _)) => {
            deciding.inside(access)
        }
        (Subject::Folder(_) | Subject::Document { .. }, Access::Absent | Access::Organization) => {
            Decision::Absent
        }
    }
}

/// Whether something was said after an end. Nothing was said before what never ended.
const fn is_after(said: Millis, end: Millis) -> bool {
    end == 0 || said > end
}

struct Deciding<'a> {
    place: &'a Target,
    person: &'a Person,
    source: &'a Source<'a>,
    rules: &'a Rules,
}

impl<'a> Deciding<'a> {
    /// The decision about a document of which nothing but rights at itself is known.
    fn alone(&self, life: Life, broken: Millis) -> Decision {
        let Subject::Document { id, .. } = &self.place.subject else {
            return Decision::Absent;
        };
        // Rights of groups stand in the document and go with it, and so do memberships: both need
        // a document that is there.
        let own = self.rung(Level::Document(id.clone()), life, &NOBODY);
        let own = Rung { end: own.end.max(broken), ..own };
        let said = LevelRights { member: None, ..self.rights_at(&own.level) };
        match self.held_by(&own, said) {
            Some(held) => Decision::Open(held.right(self.held(&self.organization()).is_some())),
            None => Decision::Absent,
        }
    }

    /// The decision about a folder or document that is there.
    fn inside(&self, access: AccessType) -> Decision {
        let rungs = self.rungs();
        let own = rungs.iter().find_map(|rung| self.held(rung));
        let organization = self.held(&self.organization());
        let is_member = organization.is_some();
        match (own, organization, access) {
            (Some(own), _, _) => Decision::Open(own.right(is_member)),
            (None, Some(right), AccessType::Public | AccessType::OrganizationPrivate) => {
                Decision::Open(right.right(true))
            }
            (None, None, AccessType::Public) => Decision::Open(Right {
                role: self.rules.public_role,
                until: None,
                by: By::Public(self.past(&rungs)),
                is_member: false,
            }),
            (None, None, AccessType::OrganizationPrivate) | (None, _, AccessType::Restricted) => {
                Decision::Closed(self.past(&rungs))
            }
        }
    }

    /// The levels of a document or folder, the nearest first, without the organization.
    fn rungs(&self) -> Vec<Rung<'a>> {
        let (document, way) = match &self.place.subject {
            Subject::Organization => return vec![],
            Subject::Folder(way) => (None, way),
            Subject::Document { id, document: Stand::There(document, life), way } => {
                (Some((id, document, *life)), way)
            }
            Subject::Document { document: Stand::Absent(_), .. } => return vec![],
        };
        let document = document.map(|(id, document, life)| {
            self.rung(Level::Document(id.clone()), life, &document.holders)
        });
        let folders = way.folders.iter().map(|folder| {
            self.rung(Level::Folder(folder.id.clone()), folder.life, &folder.holders)
        });
        document.into_iter().chain(folders).collect()
    }

    fn rung(&self, level: Level, life: Life, holders: &'a Holders) -> Rung<'a> {
        let end = life.max(self.place.organization.life()).since();
        Rung { level, end, holders }
    }

    fn organization(&self) -> Rung<'a> {
        let holders = match &self.place.organization {
            Stand::There(organization, _) => &organization.holders,
            Stand::Absent(_) => &NOBODY,
        };
        self.rung(Level::Organization, Life::FIRST, holders)
    }

    fn rights_at(&self, level: &Level) -> LevelRights {
        self.person.at.get(level).copied().unwrap_or_default()
    }

    /// The right at a level that counts.
    fn held(&self, rung: &Rung<'_>) -> Option<Held> {
        self.held_by(rung, self.rights_at(&rung.level))
    }

    fn held_by(&self, rung: &Rung<'_>, said: LevelRights) -> Option<Held> {
        let LevelRights { grant, member, ended } = said;
        let counts = |given: &Given| {
            is_after(given.at, rung.end)
                && is_after(given.at, self.person.left)
                && !given.is_over(self.rules.now)
        };
        let held = |given: Given, via: Via| Held {
            role: given.role,
            until: given.until,
            level: rung.level.clone(),
            via,
        };
        let by_grant = || grant.filter(counts).map(|given| held(given, Via::Grant));
        let by_member = || member.filter(counts).map(|given| held(given, Via::Membership));
        let by_group =
            || self.by_group(rung).map(|(group, given)| held(given, Via::Group(group.clone())));
        let by_token = || {
            let (issued, given) = self.by_token(&rung.level)?;
            let ends = [rung.end, self.person.left, ended, grant.map_or(0, |grant| grant.at)];
            let counts = ends.iter().all(|end| is_after(issued, *end));
            (counts && !given.is_over(self.rules.now)).then(|| held(given, Via::Token))
        };
        by_grant().or_else(by_member).or_else(by_group).or_else(by_token)
    }

    /// The best right of the user's groups at a level.
    fn by_group<'b>(&self, rung: &Rung<'b>) -> Option<(&'b GroupId, Given)> {
        let organization = self.place.organization.life().since();
        let counts = |(group, right): &(&GroupId, &super::GroupRight)| {
            let Some(joined) = self.person.groups.get(*group) else { return false };
            let Some(Stand::There((), life)) = self.person.group_lives.get(*group) else {
                return false;
            };
            joined.of == *life
                && right.of == *life
                && is_after(joined.at, self.person.left)
                && is_after(joined.at, organization)
                && is_after(right.given.at, rung.end)
                && !right.given.is_over(self.rules.now)
        };
        let rights = rung.holders.iter().filter(counts);
        let best = rights.max_by_key(|(_, right)| {
            let lasts = right.given.until.unwrap_or(u64::MAX);
            (right.given.role, lasts)
        });
        best.map(|(group, right)| (group, right.given))
    }

    /// The right in the token at a level, and when it was issued.
    fn by_token(&self, level: &Level) -> Option<(Millis, Given)> {
        match self.source {
            Source::Stored => None,
            Source::Token(token) => {
                let (role, until) = token.rights.get(level).copied()?;
                Some((token.issued, Given { role, until, at: token.issued }))
            }
        }
    }

    /// The past of rights at these levels and in the organization: when the last one ended.
    fn past(&self, rungs: &[Rung<'_>]) -> Past {
        let organization = self.organization();
        let ends = rungs.iter().chain([&organization]).flat_map(|rung| {
            let said = self.rights_at(&rung.level);
            let expired = said.grant.filter(|grant| grant.is_over(self.rules.now));
            let expired = expired.and_then(|grant| grant.ends());
            [Some(said.ended), expired].into_iter().flatten().filter(|at| is_after(*at, rung.end))
        });
        let left = Some(self.person.left).filter(|left| is_after(*left, organization.end));
        match ends.chain(left).max() {
            None | Some(0) => Past::Stranger,
            Some(at) => Past::Ended(at),
        }
    }
}

impl Held {
    fn right(self, is_member: bool) -> Right {
        let Self { role, until, level, via } = self;
        Right { role, until, by: By::Level(level, via), is_member }
    }
}
