//! The organization of a document that a call names without it.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use model::{DocumentId, OrganizationId, document::Document, organization::Organization};
use tenancy::{layout::Entity, prelude::*};

use crate::{organizations::Organizations, prelude::*};

/// Organizations of a key that are looked through; each costs a read.
const MAX_ORGANIZATIONS: usize = 500;

impl Organizations<'_> {
    /// The only organization that has a document.
    ///
    /// # Errors
    /// INVALID_ARGUMENT, which names `organizationId`, when several have it or there are too many to
    /// look; NOT_FOUND when none has it.
    pub async fn having(self, document: &DocumentId) -> Result<OrganizationId> {
        let refused = |reason: &str| {
            Error::invalid(format!("data.organizationId is required here: {reason}.")).with_details(
                serde_json::json!({ "issues": [{
                        "path": ["data", "organizationId"], "code": "required",
                        "message": "is required here",
                    }] })
                .to_string(),
            )
        };
        let collection = self.all();
        let rows = collection.rows();
        let query = rows.under(format!("{}#", Organization::KIND));
        let items = rows.first_items(query, MAX_ORGANIZATIONS + 1).await?;
        if items.len() > MAX_ORGANIZATIONS {
            return Err(refused("the API key has more than 500 organizations"));
        }
        rows.learn(&items).await?;
        let mut wanted = BTreeSet::new();
        let mut places: BTreeMap<(String, String), OrganizationId> = BTreeMap::new();
        for item in items {
            if let Some(found) = rows.visible(item)? {
                let documents = self.0.organization(&found.organization_id).documents().all();
                let (partition, sort) = documents.rows().place_of(document);
                wanted.insert((partition.clone(), sort.clone()));
                places.insert((partition.into(), sort.into()), found.organization_id);
            }
        }
        let found = self.0.db().get_across(Document::TABLE, wanted).await?;
        let mut having = Vec::new();
        for place in found.keys() {
            let Some(id) = places.get(place) else { continue };
            // The row may be of an earlier life of the organization.
            if self.0.organization(id).documents().all().find(document).await?.is_some() {
                having.push(id.clone());
            }
        }
        match having.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(Error::not_found(format!("There is no document {document}."))),
            _ => Err(refused("several organizations have this document")),
        }
    }
}
