//! `POST /v2/organizations/folders/add`: replies with one entry per folder.
//!
//! The parent of a folder may be an earlier folder of the same request.
//!
//! # Errors
//! - An entry fails when its folder exists, its parent does not, or the organization is full.

use model::{FolderId, Text, folder::Folder, permissions::AccessType};
use service::prelude::*;

pub enum AddFolders {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Whether to create a missing organization.
    create_organization: Option<bool>,
    folders: Batch<NewFolder>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewFolder {
    folder_id: FolderId,
    folder_name: Option<Text>,
    /// The parent folder; `root` when absent.
    parent_folder_id: Option<FolderId>,
    /// The access type; inherited from the parent when absent.
    access_type: Option<AccessType>,
}

impl Operation for AddFolders {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/folders/add", "/v1/organizations/folders/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<FolderId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let now = cx.now();
        let folders: Vec<Folder> =
            request.folders.into_iter().map(|sent| sent.folder(now)).collect();
        let create = request.create_organization == Some(true);
        let results = match organization.folders().add(&folders, create).await {
            Ok(results) => results,
            Err(refused) => refused.for_each(&folders)?,
        };
        let mut entries = Items::new();
        for (folder, result) in folders.into_iter().zip(&results) {
            let id = folder.folder_id;
            let entry = Entry::new(id.clone(), result, "Folder added.");
            entries.entry(id).or_insert(entry);
        }
        Ok(success("Folders added.", Data(entries)))
    }
}

impl NewFolder {
    fn folder(self, now: u64) -> Folder {
        let parent = self.parent_folder_id.unwrap_or_else(FolderId::root);
        let inherits = self.access_type.is_none();
        Folder {
            access_type: self.access_type,
            inherit_access_from_parent: inherits,
            ..Folder::new(self.folder_id, self.folder_name, parent, now)
        }
    }
}
