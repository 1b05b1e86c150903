//! Tokens of end users (siblings 6.1).

use std::collections::BTreeSet;

use error::{Error, Result};
use keyring::{MAX_TOKEN_BYTES, Purpose};
use model::{
    ApiKeyId, Email, Text, UserId, access::Level, document::Document, organization::Organization,
    resource::Resource,
};
use serde::Serialize;

use super::scope::TenantStore;
use crate::layout::{Entity, Table};

/// How long a token is good for, in seconds.
const LIFETIME: u64 = 48 * 60 * 60;

/// What a token says of its user.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EndUser {
    /// Who it is.
    #[serde(rename = "sub")]
    pub user_id: UserId,
    /// Display name.
    pub name: Option<Text>,
    /// E-mail address.
    pub email: Option<Email>,
    /// Whether the user administers.
    pub is_admin: bool,
    /// What the user may reach with it.
    pub permissions: Permissions,
}

/// Rights that travel in a token.
#[derive(Debug, Serialize)]
pub struct Permissions {
    /// What they are for.
    pub resources: Vec<Resource>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Claims<'a> {
    #[serde(flatten)]
    user: &'a EndUser,
    api_key: &'a ApiKeyId,
    /// Epoch seconds.
    iat: u64,
    /// Epoch seconds.
    exp: u64,
}

impl TenantStore {
    /// Issues a token to an end user, unless it is for something disabled. What does not exist
    /// is not disabled.
    ///
    /// # Errors
    /// PERMISSION_DENIED; INVALID_ARGUMENT when it would be larger than a token can be.
    pub async fn issue_user_token(&self, user: &EndUser) -> Result<String> {
        self.refuse_disabled(&user.permissions.resources).await?;
        let iat = self.db.clock.now() / 1000;
        let claims = Claims { user, api_key: &self.api_key().id, iat, exp: iat + LIFETIME };
        let token = self.db.keyring.issue_jwt(Purpose::UserToken, &claims);
        match token.len() {
            0..=MAX_TOKEN_BYTES => Ok(token),
            size => Err(Error::invalid(format!(
                "The token would be {size} bytes large, at most {MAX_TOKEN_BYTES} are possible; \
                 name fewer resources or grant them beforehand."
            ))),
        }
    }

    async fn refuse_disabled(&self, resources: &[Resource]) -> Result<()> {
        let mut places = BTreeSet::new();
        for Resource { organization_id, level, .. } in resources {
            places.insert((self.partition(), Organization::place(organization_id).0));
            if let Level::Document(id) = level {
                places
                    .insert((self.organization(organization_id).partition, Document::place(id).0));
            }
        }
        let found = self.db.get_across(Table::Resources, places).await?;
        for Resource { organization_id, level, .. } in resources {
            let organization = self.organization(organization_id);
            let item = |partition: String, sort: String| found.get(&(partition, sort)).cloned();
            let stored =
                item(self.partition().into(), Organization::place(organization_id).0.into());
            let stored = stored.map(|item| self.organizations().decode(item)).transpose()?;
            if stored.is_some_and(|organization| organization.disabled) {
                let message = format!("The organization {organization_id} is disabled.");
                return Err(Error::denied(message));
            }
            let Level::Document(id) = level else { continue };
            let stored = item(organization.partition.clone().into(), Document::place(id).0.into());
            let stored = stored.map(|item| organization.documents().decode(item)).transpose()?;
            if stored.is_some_and(|document| document.disabled) {
                return Err(Error::denied(format!("The document {id} is disabled.")));
            }
        }
        Ok(())
    }
}
