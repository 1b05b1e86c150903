//! `POST /v2/organizations/folders/get`: folders, flat or nested.
//!
//! Without `folderId` and `maxDepth`, the list has every folder. With `folderId`, it has that
//! folder with one level of `subFolders`, or as many as `maxDepth` says. With `maxDepth` alone, it
//! has the top-level folders, nested. Pages count all folders, the children of the named folder, or
//! the top-level folders.
//!
//! # Errors
//! - NOT_FOUND: the folder does not exist.
//! - FAILED_PRECONDITION: advanced queries are switched off for the API key.

use model::{
    ApiKeyId, Bounded, FolderId, Millis, PageSize, PageToken, folder::Folder,
    permissions::AccessType,
};
use service::{prelude::*, store::folders::FolderPage};

pub enum GetFolders {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Only this folder.
    folder_id: Option<FolderId>,
    /// Levels of `subFolders`.
    max_depth: Option<Bounded<1, 32>>,
    page_size: Option<PageSize>,
    page_token: Option<PageToken>,
}

/// One page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<FolderView>,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

/// A folder of an organization.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Folder")]
struct FolderView {
    folder_id: FolderId,
    /// Empty when unset.
    folder_name: String,
    organization_id: OrganizationId,
    /// `root` at the top.
    parent_folder_id: FolderId,
    api_key: ApiKeyId,
    /// Epoch milliseconds.
    created_at: Millis,
    /// Epoch milliseconds.
    last_updated: Millis,
    /// From `root` down to the direct parent.
    ancestors: Vec<FolderId>,
    /// The effective access type, inherited or not.
    access_type: AccessType,
    inherit_access_from_parent: bool,
    /// Present in nested lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_folders: Option<Vec<FolderView>>,
}

impl Operation for GetFolders {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/folders/get", "/v1/organizations/folders/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        if !cx.tenant().api_key().settings.features.advanced_queries {
            return Err(Error::precondition("Advanced queries are switched off for this API key."));
        }
        let organization = cx.organization(&request.organization_id);
        let Request { organization_id, folder_id, max_depth, page_size, page_token } = request;
        let depth = max_depth.map(Bounded::get);
        let page =
            cx.page(page_size, page_token.as_ref(), &(&organization_id, &folder_id, depth))?;
        let folders = organization.folders();
        let found = match (&folder_id, depth) {
            (None, None) => folders.list(&page).await?,
            (Some(id), depth) => folders.below(Some(id), depth > Some(1), &page).await?,
            (None, Some(_)) => folders.below(None, true, &page).await?,
        };
        let view = View {
            page: &found,
            api_key: &cx.tenant().api_key().id,
            organization: &organization_id,
            default: cx.tenant().api_key().settings.default_document_access_type,
        };
        let data = match (&folder_id, depth) {
            (None, None) => view.listed().map(|folder| view.of(folder)).collect(),
            (None, Some(depth)) => view.listed().map(|it| view.nested(it, depth)).collect(),
            (Some(id), depth) => view.below(id, depth.unwrap_or(1)).into_iter().collect(),
        };
        Ok(success("Folders retrieved.", Response { data, next_page_token: found.next.clone() }))
    }
}

struct View<'a> {
    page: &'a FolderPage,
    api_key: &'a ApiKeyId,
    organization: &'a OrganizationId,
    default: AccessType,
}

impl View<'_> {
    fn listed(&self) -> impl Iterator<Item = &Folder> {
        self.page.listed.iter().filter_map(|id| self.page.tree.get(id))
    }

    fn of(&self, folder: &Folder) -> FolderView {
        FolderView {
            folder_id: folder.folder_id.clone(),
            folder_name: folder.folder_name.as_ref().map(ToString::to_string).unwrap_or_default(),
            organization_id: self.organization.clone(),
            parent_folder_id: folder.parent_folder_id.clone(),
            api_key: self.api_key.clone(),
            created_at: folder.created_at,
            last_updated: folder.last_updated,
            ancestors: self.page.tree.ancestors(folder),
            access_type: self.page.tree.access_type(folder, self.default),
            inherit_access_from_parent: folder.inherit_access_from_parent,
            sub_folders: None,
        }
    }

    /// A folder with what is listed below it.
    fn below(&self, id: &FolderId, depth: u64) -> Option<FolderView> {
        let below = self.listed().map(|it| self.nested(it, depth - 1)).collect();
        let folder = self.of(self.page.tree.get(id)?);
        Some(FolderView { sub_folders: Some(below), ..folder })
    }

    fn nested(&self, folder: &Folder, depth: u64) -> FolderView {
        let below = || self.page.tree.shown_in(&folder.folder_id);
        let sub_folders = match depth {
            0 => vec![],
            _ => below().map(|child| self.nested(child, depth - 1)).collect(),
        };
        FolderView { sub_folders: Some(sub_folders), ..self.of(folder) }
    }
}
