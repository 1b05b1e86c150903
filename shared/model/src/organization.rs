//! Organizations.

use serde::{Deserialize, Serialize};

use crate::{
    Extensible, Metadata, Millis, OrganizationId, Text,
    life::Life,
    people::{self, Names, People, Rest},
    rights::Holders,
};

/// An organization of a tenant.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// The caller's id.
    pub organization_id: OrganizationId,
    /// Display name.
    pub organization_name: Option<Text>,
    /// Whether its end users are locked out; the server API is not affected.
    #[serde(default)]
    pub disabled: bool,
    /// Creation time.
    pub created_at: Millis,
    /// Time of the last change.
    pub last_updated: Millis,
    /// Custom members.
    #[serde(default)]
    pub metadata: Metadata,
    /// Whether it was never added: it exists because of a write to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_implied: bool,
    /// The rights of groups here.
    #[serde(default, skip_serializing_if = "Holders::is_empty")]
    pub holders: Holders,
    /// Life of the organization; the first is not stored.
    #[serde(rename = "_since", default, skip_serializing_if = "Life::is_first")]
    pub since: Life,
    /// The newest life of a document, folder or group that was added to it again: it ends later.
    #[serde(rename = "_newest", default, skip_serializing_if = "Life::is_first")]
    pub newest: Life,
    /// Whether its threads and notifications are found by everybody whom they name. Earlier versions
    /// did not write all the rows, and a clean-up removes them before what they lead to; the first
    /// erasure adds them.
    #[serde(rename = "_findsPeople", default, skip_serializing_if = "std::ops::Not::not")]
    pub finds_people: bool,
}

impl Extensible for Organization {
    const OWN: &'static [&'static str] =
        &["id", "organizationId", "organizationName", "disabled", "createdAt", "lastUpdated"];
}

impl Names for Organization {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            organization_id: _,
            organization_name: _,
            disabled: _,
            created_at: _,
            last_updated: _,
            is_implied: _,
            finds_people: _,
            holders: _,
            since: _,
            newest: _,
            metadata,
        } = self;
        people::members(walk, metadata);
        Rest::Stays
    }
}

impl Organization {
    /// An organization implied by a write to it.
    pub fn implied(id: OrganizationId, now: Millis) -> Self {
        Self {
            organization_id: id,
            organization_name: None,
            disabled: false,
            created_at: now,
            last_updated: now,
            metadata: Metadata::new(),
            is_implied: false,
            holders: Holders::new(),
            since: Life::FIRST,
            newest: Life::FIRST,
            finds_people: true,
        }
    }
}
