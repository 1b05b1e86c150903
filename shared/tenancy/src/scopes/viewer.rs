//! End users, and what they see.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, OnceLock},
};

use aws::Boxed;
use error::{Error, Result};
use model::{
    Email, Millis, OrganizationId, Text, UserId,
    life::Life,
    resource::Resource,
    user::Person,
    visibility::{Membership, Visibility},
};
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};

use super::containers::At;
use crate::layout::{Entity, Key};

/// Claims of an end user's token.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndUser {
    /// The user.
    #[serde(rename = "sub")]
    pub user_id: UserId,
    /// Display name.
    pub name: Option<Text>,
    /// E-mail address.
    pub email: Option<Email>,
    /// Whether the user is an administrator.
    pub is_admin: bool,
    /// Rights granted by the token.
    pub permissions: Permissions,
    /// The only organization it is valid in; absent: in all of the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
}

/// Rights in a token.
#[derive(Debug, Serialize, Deserialize)]
pub struct Permissions {
    /// Resources of the rights.
    pub resources: Vec<Resource>,
}

impl EndUser {
    /// The user, with the profile in the token.
    pub fn person(&self) -> Person {
        let name = self.name.as_ref().and_then(|name| name.to_string().try_into().ok());
        Person {
            name,
            email: self.email.clone().map(Into::into),
            ..Person::from_id(self.user_id.clone())
        }
    }
}

/// Reads the organizations in which an end user is a member.
pub trait ReadMemberships: Send + Sync {
    /// The organizations, of some, in which the user is a member.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    fn read<'a>(
        &'a self,
        viewer: &'a Viewer,
        organizations: &'a BTreeSet<OrganizationId>,
    ) -> Boxed<'a, Result<BTreeSet<OrganizationId>>>;
}

/// The memberships of an end user that a call has read.
#[derive(Default)]
struct Memberships {
    read: OnceLock<Box<dyn ReadMemberships>>,
    known: RwLock<BTreeMap<OrganizationId, Membership>>,
}

/// An end user's view of a tenant.
#[derive(Clone)]
pub struct Viewer {
    user: Arc<EndUser>,
    /// When the token was issued, in epoch milliseconds.
    issued_at: Millis,
    memberships: Arc<Memberships>,
    decided: Arc<RwLock<Decided>>,
}

/// The facts on which the rights of a call were decided.
#[derive(Default)]
struct Decided {
    /// When, in epoch milliseconds; the first time counts.
    at: Option<Millis>,
    /// The lives of the containers.
    lives: HashMap<At, Life>,
    /// Containers that do not exist for the call, although a row is still there.
    absent: HashMap<At, Life>,
}

impl Viewer {
    /// The view of a user whose token was issued at this time.
    pub(super) fn new(user: Arc<EndUser>, issued_at: Millis) -> Self {
        Self { user, issued_at, memberships: Arc::default(), decided: Arc::default() }
    }

    /// The end user, as the token has it.
    pub fn user(&self) -> &Arc<EndUser> {
        &self.user
    }

    /// When the token was issued, in epoch milliseconds.
    pub fn issued_at(&self) -> Millis {
        self.issued_at
    }

    /// The user.
    pub fn user_id(&self) -> &UserId {
        &self.user.user_id
    }

    /// Whether the user is a member of an organization, as far as it was read.
    pub fn membership(&self, organization: &OrganizationId) -> Membership {
        let known = self.memberships.known.read();
        known.get(organization).copied().unwrap_or(Membership::Unknown)
    }

    /// Keeps a membership that was read, and how others are read.
    pub fn know(
        &self,
        organization: &OrganizationId,
        membership: Membership,
        read: impl FnOnce() -> Box<dyn ReadMemberships>,
    ) {
        self.memberships.read.get_or_init(read);
        self.keep([(organization.clone(), membership)]);
    }

    fn keep(&self, known: impl IntoIterator<Item = (OrganizationId, Membership)>) {
        self.memberships.known.write().extend(known);
    }

    /// Keeps when rights were decided (epoch milliseconds, before their facts were read), in which
    /// lives of containers, and which containers are out of reach, with the ends of what they lie
    /// in. The first decision counts.
    pub fn decided(
        &self,
        at: Millis,
        lives: impl IntoIterator<Item = ((Key, Key), Life)>,
        absent: impl IntoIterator<Item = ((Key, Key), Life)>,
    ) {
        let mut decided = self.decided.write();
        decided.at.get_or_insert(at);
        for ((partition, sort), life) in lives {
            decided.lives.entry((partition.into(), sort.into())).or_insert(life);
        }
        for ((partition, sort), end) in absent {
            decided.absent.entry((partition.into(), sort.into())).or_insert(end);
        }
    }

    /// Calls `hide` with each container that does not exist for the call.
    pub(crate) fn each_absent(&self, mut hide: impl FnMut(&At, Life)) {
        let decided = self.decided.read();
        decided.absent.iter().for_each(|(place, end)| hide(place, *end));
    }

    /// When the rights of this call were decided.
    pub(crate) fn decided_at(&self) -> Option<Millis> {
        self.decided.read().at
    }

    /// The life of a container in which rights of this call were decided.
    pub(crate) fn life_decided(&self, place: &At) -> Option<Life> {
        self.decided.read().lives.get(place).copied()
    }

    /// The life in which a container has what this call may find there: for one that is out of reach,
    /// that which begins with the end of what it lies in.
    pub(crate) fn life_in_reach(&self, place: &At) -> Option<Life> {
        let decided = self.decided.read();
        decided.lives.get(place).max(decided.absent.get(place)).copied()
    }

    /// Whether the rights of this call were decided in another life of a container than this one.
    pub(crate) fn is_of_another_life(&self, place: &At, life: Life) -> bool {
        self.life_decided(place).is_some_and(|decided| decided != life)
    }

    /// Reads the memberships that decide whether the user sees what has these visibilities, as far
    /// as they are not known.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn learn(&self, visibilities: &[Visibility]) -> Result<()> {
        let unknown = visibilities.iter().flat_map(|it| {
            it.unknown(self.user_id(), |organization| self.membership(organization))
        });
        let unknown: BTreeSet<OrganizationId> = unknown.collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let read = self.memberships.read.get();
        let read =
            read.ok_or_else(|| Error::internal("rights are checked before anything is read"))?;
        let of = read.read(self, &unknown).await?;
        self.keep(unknown.into_iter().map(|id| (id.clone(), of.contains(&id).into())));
        Ok(())
    }

    pub(crate) fn sees<E: Entity>(&self, entity: &E) -> bool {
        entity.is_visible(self.user_id(), &|organization| self.membership(organization))
    }
}
