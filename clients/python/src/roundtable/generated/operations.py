"""Written by clients/generate from openapi.json."""

from collections.abc import Iterator
from typing import Unpack

from .. import _pages as paging
from .._call import Call, CallOptions, Operation
from . import types


class Operator:
    """Start here: the operator of the deployment creates workspaces with the admin token, and sets their limits. A workspace replaces its own token here."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def workspace_create(self, data: types.OperatorWorkspaceCreateRequest, **options: Unpack[CallOptions]) -> types.OperatorWorkspaceCreateResult:
        """Creates a workspace with its first API key.

        A workspace with its first API key.

        Only this reply has the auth token of the workspace: the service stores its hash.
        """
        operation = Operation("operator.workspace_create", "/v2/workspace/create", True)
        result: types.OperatorWorkspaceCreateResult = self._call(operation, data, options)
        return result

    def workspace_update(self, data: types.OperatorWorkspaceUpdateRequest, **options: Unpack[CallOptions]) -> types.OperatorWorkspaceUpdateResult:
        """Changes the plan and limits of a workspace.

        Replies with the settings after the change.

        A member that is left out keeps its value. A maximum below the present number removes nothing.

        **Errors**

        - NOT_FOUND: the workspace does not exist.
        """
        operation = Operation("operator.workspace_update", "/v2/workspace/update", True)
        result: types.OperatorWorkspaceUpdateResult = self._call(operation, data, options)
        return result

    def auth_token_rotate(self, data: types.OperatorAuthTokenRotateRequest, **options: Unpack[CallOptions]) -> types.OperatorAuthTokenRotateResult:
        """Replaces the auth token of the workspace by a new one.

        Replies with the new token.

        The holder of the workspace token makes the call, or the operator of the deployment with `x-service-admin-token`. Only this reply has the token: the service stores its hash.

        **Errors**

        - RESOURCE_EXHAUSTED: five old tokens are still valid.
        """
        operation = Operation("operator.auth_token_rotate", "/v2/workspace/authtoken/rotate", True)
        result: types.OperatorAuthTokenRotateResult = self._call(operation, data, options)
        return result

    def api_key_limits_update(self, data: types.OperatorApiKeyLimitsUpdateRequest, **options: Unpack[CallOptions]) -> types.OperatorApiKeyLimitsUpdateResult:
        """Sets the rate limits of an API key.

        Replies with the effective limits.

        A member that is left out keeps its value, `null` returns to the default of the deployment, and 0 means no limit. Limits take effect within ten seconds, the time for which a function caches keys.

        **Errors**

        - NOT_FOUND: the API key does not exist.
        """
        operation = Operation("operator.api_key_limits_update", "/v2/workspace/apikey/limits/update", True)
        result: types.OperatorApiKeyLimitsUpdateResult = self._call(operation, data, options)
        return result

    def secrets_reseal(self, data: types.OperatorSecretsResealRequest | None = None, **options: Unpack[CallOptions]) -> types.OperatorSecretsResealResult:
        """Seals the secrets of all tenants with the current key.

        Seals the secrets of all tenants with the current key, so that older keys can be dropped.

        Each call processes what its time allows and replies with where the next call continues.
        """
        operation = Operation("operator.secrets_reseal", "/v2/workspace/secrets/reseal", True)
        result: types.OperatorSecretsResealResult = self._call(operation, data, options)
        return result

    def deletions_repair(self, data: types.OperatorDeletionsRepairRequest | None = None, **options: Unpack[CallOptions]) -> types.OperatorDeletionsRepairResult:
        """Repeats deletions of earlier versions that left something.

        Repeats deletions of earlier versions that left something behind, once after the update from such a version. The ordinary clean-up does the rest.

        Each call processes what its time allows and replies with where the next call continues.
        """
        operation = Operation("operator.deletions_repair", "/v2/workspace/deletions/repair", True)
        result: types.OperatorDeletionsRepairResult = self._call(operation, data, options)
        return result


class Workspace:
    """A workspace has API keys, each a tenant of its own with auth tokens and settings."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, **options: Unpack[CallOptions]) -> types.WorkspaceGetResult:
        """Shows the workspace and its API keys.

        The workspace that makes the call.

        The reply is that of its creation without `authToken`: the service stores its hash only.
        """
        operation = Operation("workspace.get", "/v2/workspace/get", False)
        result: types.WorkspaceGetResult = self._call(operation, None, options)
        return result

    def api_key_create(self, data: types.WorkspaceApiKeyCreateRequest, **options: Unpack[CallOptions]) -> types.WorkspaceApiKeyCreateResult:
        """Creates an API key.

        Creates a key with the given configurations.

        **Errors**

        - PERMISSION_DENIED: the workspace may not create production keys itself.
        - FAILED_PRECONDITION: a production key needs a paid plan.
        - RESOURCE_EXHAUSTED: the workspace has the maximum number of keys of this type, or the domains have more than 16,384 characters.
        """
        operation = Operation("workspace.api_key_create", "/v2/workspace/apikey/create", True)
        result: types.WorkspaceApiKeyCreateResult = self._call(operation, data, options)
        return result

    def api_key_update(self, data: types.WorkspaceApiKeyUpdateRequest, **options: Unpack[CallOptions]) -> types.EmptyResult:
        """Renames an API key.

        Changes the name of the key, and whether it may be used.

        Calls with a disabled key are refused within ten seconds, the time for which a function caches keys. Background work that has started continues.

        **Errors**

        - NOT_FOUND: the workspace has no such API key.
        """
        operation = Operation("workspace.api_key_update", "/v2/workspace/apikey/update", True)
        result: types.EmptyResult = self._call(operation, data, options)
        return result

    def api_keys_get(self, data: types.WorkspaceApiKeysGetRequest | None = None, **options: Unpack[CallOptions]) -> types.WorkspaceApiKeysGetResult:
        """Lists the API keys of the workspace.

        The API keys of the workspace that makes the call.

        Paged by `pageToken`.
        """
        operation = Operation("workspace.api_keys_get", "/v2/workspace/apikeys/get", False)
        result: types.WorkspaceApiKeysGetResult = self._call(operation, data, options)
        return result

    def api_keys_get_pages(self, data: types.WorkspaceApiKeysGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.WorkspaceApiKeysGetResult]:
        """The pages of `api_keys_get`."""
        return paging.pages(self.api_keys_get, data, "pageToken", ['nextPageToken'], options)

    def api_keys_get_all(self, data: types.WorkspaceApiKeysGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.ApiKey]:
        """The items of `api_keys_get`, from page to page; what does not exist is left out."""
        return paging.items(self.api_keys_get_pages(data, **options), ['data'])

    def auth_tokens_get(self, data: types.WorkspaceAuthTokensGetRequest, **options: Unpack[CallOptions]) -> types.WorkspaceAuthTokensGetResult:
        """Lists the auth tokens of an API key.

        The tokens of one API key.

        **Errors**

        - NOT_FOUND: the workspace has no such API key.
        """
        operation = Operation("workspace.auth_tokens_get", "/v2/workspace/authtokens/get", False)
        result: types.WorkspaceAuthTokensGetResult = self._call(operation, data, options)
        return result

    def auth_token_reset(self, data: types.WorkspaceAuthTokenResetRequest, **options: Unpack[CallOptions]) -> types.WorkspaceAuthTokenResetResult:
        """Replaces every auth token of an API key by a new one.

        Replies with the new token.

        Other tokens stay valid for `gracePeriodSeconds`. Without a grace period they are refused within ten seconds, the time for which a function caches tokens, and so are all tokens of end users that were issued with them, also within these seconds, because whoever has an auth token can issue them.

        **Errors**

        - NOT_FOUND: the workspace has no such API key.
        - RESOURCE_EXHAUSTED: five old tokens are still valid.
        """
        operation = Operation("workspace.auth_token_reset", "/v2/workspace/authtoken/reset", True)
        result: types.WorkspaceAuthTokenResetResult = self._call(operation, data, options)
        return result

    def api_key_config_get(self, **options: Unpack[CallOptions]) -> types.WorkspaceApiKeyConfigGetResult:
        """Shows the settings of the API key.

        The settings of the API key that makes the call.
        """
        operation = Operation("workspace.api_key_config_get", "/v2/workspace/apikeyconfig/get", False)
        result: types.WorkspaceApiKeyConfigGetResult = self._call(operation, None, options)
        return result

    def api_key_config_update(self, data: types.WorkspaceApiKeyConfigUpdateRequest, **options: Unpack[CallOptions]) -> types.WorkspaceApiKeyConfigUpdateResult:
        """Changes settings of the API key.

        Replies with the settings that were sent.

        A member that is left out keeps its value, also within `features` and among the keys of AI providers. The reply masks the keys of AI providers.
        """
        operation = Operation("workspace.api_key_config_update", "/v2/workspace/apikeyconfig/update", True)
        result: types.WorkspaceApiKeyConfigUpdateResult = self._call(operation, data, options)
        return result

    def domains_add(self, data: types.WorkspaceDomainsAddRequest, **options: Unpack[CallOptions]) -> types.WorkspaceDomainsAddResult:
        """Allows domains to use the API key.

        Allows pages of the domains to use the API key.

        `localhost` and `127.0.0.1` are one switch of the key. Adding a known domain succeeds.

        **Errors**

        - RESOURCE_EXHAUSTED: the key would have more than 200 domains, or 16,384 characters of them.
        """
        operation = Operation("workspace.domains_add", "/v2/workspace/domains/add", True)
        result: types.WorkspaceDomainsAddResult = self._call(operation, data, options)
        return result

    def domains_delete(self, data: types.WorkspaceDomainsDeleteRequest, **options: Unpack[CallOptions]) -> types.WorkspaceDomainsDeleteResult:
        """Removes allowed domains of the API key.

        Pages of the domains may no longer use the API key.

        `localhost` and `127.0.0.1` are one switch of the key. Removing an unknown domain succeeds.
        """
        operation = Operation("workspace.domains_delete", "/v2/workspace/domains/delete", True)
        result: types.WorkspaceDomainsDeleteResult = self._call(operation, data, options)
        return result

    def domains_get(self, **options: Unpack[CallOptions]) -> types.WorkspaceDomainsGetResult:
        """Lists the allowed domains of the API key.

        The domains whose pages may use the API key.
        """
        operation = Operation("workspace.domains_get", "/v2/workspace/domains/get", False)
        result: types.WorkspaceDomainsGetResult = self._call(operation, None, options)
        return result

    def api_key_delete(self, data: types.WorkspaceApiKeyDeleteRequest, **options: Unpack[CallOptions]) -> types.EmptyResult:
        """Deletes an API key with all data of its tenant.

        Deletes the key and all data of its tenant.

        The key leaves the list at once. Calls with it are refused within ten seconds, the time for which a function caches keys. A background job deletes its data, and its own record a day later.

        **Errors**

        - NOT_FOUND: the workspace has no such API key.
        """
        operation = Operation("workspace.api_key_delete", "/v2/workspace/apikey/delete", True)
        result: types.EmptyResult = self._call(operation, data, options)
        return result


class Organizations:
    """An organization is a customer of the tenant. Users, documents and folders belong to one."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.OrganizationsAddRequest, **options: Unpack[CallOptions]) -> types.OrganizationResults:
        """Adds organizations.

        Replies with one entry per organization.

        Custom members are stored as they are sent, except `null`.

        **Errors**

        - An entry fails when its organization exists.
        """
        operation = Operation("organizations.add", "/v2/organizations/add", True)
        result: types.OrganizationResults = self._call(operation, data, options)
        return result

    def get(self, data: types.OrganizationsGetRequest | None = None, **options: Unpack[CallOptions]) -> types.OrganizationsGetResult:
        """Lists organizations, page by page or by id.

        Organizations with their custom members, in the order of their ids.

        `organizationIds` lists those that exist; without it the list has all.

        Paged by `pageToken`.
        """
        operation = Operation("organizations.get", "/v2/organizations/get", False)
        result: types.OrganizationsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.OrganizationsGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.OrganizationsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['nextPageToken'], options)

    def get_all(self, data: types.OrganizationsGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Organization]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def update(self, data: types.OrganizationsUpdateRequest, **options: Unpack[CallOptions]) -> types.OrganizationResults:
        """Renames organizations and changes their custom members.

        Replies with one entry per organization.

        A member that is left out keeps its value. A custom member replaces the stored one as a whole; `null` removes it. The name cannot be removed: `null` keeps it.

        **Errors**

        - An entry fails when its organization does not exist.
        """
        operation = Operation("organizations.update", "/v2/organizations/update", True)
        result: types.OrganizationResults = self._call(operation, data, options)
        return result

    def delete(self, data: types.OrganizationsDeleteRequest, **options: Unpack[CallOptions]) -> types.OrganizationResults:
        """Deletes organizations, and their data in the background.

        Replies with one entry per organization.

        The organizations are gone at once; a background job deletes what they contain.

        **Errors**

        - An entry fails when its organization does not exist.
        """
        operation = Operation("organizations.delete", "/v2/organizations/delete", True)
        result: types.OrganizationResults = self._call(operation, data, options)
        return result

    def disable(self, data: types.OrganizationsDisableRequest, **options: Unpack[CallOptions]) -> types.OrganizationsDisableResult:
        """Locks the end users of organizations out, or lets them in again.

        Replies with one entry per organization.

        **Errors**

        - An entry fails when its organization does not exist.
        """
        operation = Operation("organizations.disable", "/v2/organizations/access/disablestate/update", True)
        result: types.OrganizationsDisableResult = self._call(operation, data, options)
        return result


class Documents:
    """A document is what users collaborate on: a page, a file, a design. It has custom members."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.DocumentsAddRequest, **options: Unpack[CallOptions]) -> types.DocumentResults:
        """Adds documents to an organization or a folder of it.

        Replies with one entry per document.

        Custom members are stored as they are sent, except `null`.

        **Errors**

        - An entry fails when its document exists, or the organization or the folder does not.
        """
        operation = Operation("documents.add", "/v2/organizations/documents/add", True)
        result: types.DocumentResults = self._call(operation, data, options)
        return result

    def get(self, data: types.DocumentsGetRequest, **options: Unpack[CallOptions]) -> types.DocumentsGetResult:
        """Lists documents by id, by folder or all, page by page.

        Documents with their custom members, in the order of their ids.

        `documentIds` lists those that exist; the ids of others are in `missing`, beside `data`. `folderId` lists the documents directly in the folder, `root` those in no folder. Filters combine; without a filter the list has all documents.

        Paged by `pageToken`.
        """
        operation = Operation("documents.get", "/v2/organizations/documents/get", False)
        result: types.DocumentsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.DocumentsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.DocumentsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['pageToken'], options)

    def get_all(self, data: types.DocumentsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.Document]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def count(self, data: types.DocumentsCountRequest, **options: Unpack[CallOptions]) -> types.CountResult:
        """Counts documents of an organization, of a folder or of none.

        The number of documents that `documents.get` lists.

        An unknown organization has none. A count reads the whole list.
        """
        operation = Operation("documents.count", "/v2/organizations/documents/count/get", False)
        result: types.CountResult = self._call(operation, data, options)
        return result

    def update(self, data: types.DocumentsUpdateRequest, **options: Unpack[CallOptions]) -> types.DocumentResults:
        """Renames documents and changes their custom members.

        Replies with one entry per document.

        A member that is left out keeps its value. A custom member replaces the stored one as a whole; `null` removes it. The name cannot be removed. Other operations change the folder and the access.

        **Errors**

        - An entry fails when its document does not exist.
        """
        operation = Operation("documents.update", "/v2/organizations/documents/update", True)
        result: types.DocumentResults = self._call(operation, data, options)
        return result

    def delete(self, data: types.DocumentsDeleteRequest, **options: Unpack[CallOptions]) -> types.DocumentResults:
        """Deletes documents, and their data in the background.

        Replies with one entry per document.

        The documents are gone at once; a background job deletes their data.

        **Errors**

        - An entry fails when its document does not exist.
        """
        operation = Operation("documents.delete", "/v2/organizations/documents/delete", True)
        result: types.DocumentResults = self._call(operation, data, options)
        return result

    def move_documents(self, data: types.DocumentsMoveDocumentsRequest, **options: Unpack[CallOptions]) -> types.Success:
        """Moves documents into a folder or out of any, all of them or none.

        Moves all documents or none.

        **Errors**

        - NOT_FOUND: a document or the folder does not exist.
        """
        operation = Operation("documents.move_documents", "/v2/organizations/documents/move", True)
        result: types.Success = self._call(operation, data, options)
        return result

    def access_update(self, data: types.DocumentsAccessUpdateRequest, **options: Unpack[CallOptions]) -> types.DocumentsAccessUpdateResult:
        """Sets the access type of documents.

        Replies with one entry per document.

        **Errors**

        - An entry fails when its document does not exist.
        """
        operation = Operation("documents.access_update", "/v2/organizations/documents/access/update", True)
        result: types.DocumentsAccessUpdateResult = self._call(operation, data, options)
        return result

    def disable(self, data: types.DocumentsDisableRequest, **options: Unpack[CallOptions]) -> types.DocumentsDisableResult:
        """Locks the end users of documents out, or lets them in again.

        Replies with one entry per document.

        **Errors**

        - An entry fails when its document does not exist.
        """
        operation = Operation("documents.disable", "/v2/organizations/documents/access/disablestate/update", True)
        result: types.DocumentsDisableResult = self._call(operation, data, options)
        return result


class Folders:
    """Folders contain documents and folders. Access is inherited from the parent."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.FoldersAddRequest, **options: Unpack[CallOptions]) -> types.FolderResults:
        """Adds folders to an organization.

        Replies with one entry per folder.

        The parent of a folder may be an earlier folder of the same request.

        **Errors**

        - An entry fails when its folder exists, its parent does not, or the organization is full.
        """
        operation = Operation("folders.add", "/v2/organizations/folders/add", True)
        result: types.FolderResults = self._call(operation, data, options)
        return result

    def get(self, data: types.FoldersGetRequest, **options: Unpack[CallOptions]) -> types.FoldersGetResult:
        """Lists the folders of an organization, flat or as a tree.

        Folders, flat or nested.

        Without `folderId` and `maxDepth`, the list has every folder. With `folderId`, it has that folder with one level of `subFolders`, or as many as `maxDepth` says. With `maxDepth` alone, it has the top-level folders, nested. Pages count all folders, the children of the named folder, or the top-level folders.

        **Errors**

        - NOT_FOUND: the folder does not exist.
        - FAILED_PRECONDITION: advanced queries are switched off for the API key.

        Paged by `pageToken`.
        """
        operation = Operation("folders.get", "/v2/organizations/folders/get", False)
        result: types.FoldersGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.FoldersGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.FoldersGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['nextPageToken'], options)

    def get_all(self, data: types.FoldersGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.Folder]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def update(self, data: types.FoldersUpdateRequest, **options: Unpack[CallOptions]) -> types.FolderResults:
        """Renames folders, or moves them with everything below them.

        Replies with one entry per folder.

        A member that is left out keeps its value. A folder moves with everything in it. It cannot move into itself or below itself.

        **Errors**

        - An entry fails when its folder or the new parent does not exist.
        """
        operation = Operation("folders.update", "/v2/organizations/folders/update", True)
        result: types.FolderResults = self._call(operation, data, options)
        return result

    def access_update(self, data: types.FoldersAccessUpdateRequest, **options: Unpack[CallOptions]) -> types.FoldersAccessUpdateResult:
        """Sets the access type of folders, or lets them inherit it.

        Replies with one entry per folder.

        **Errors**

        - An entry fails when its folder does not exist.
        """
        operation = Operation("folders.access_update", "/v2/organizations/folders/access/update", True)
        result: types.FoldersAccessUpdateResult = self._call(operation, data, options)
        return result

    def delete(self, data: types.FoldersDeleteRequest, **options: Unpack[CallOptions]) -> types.EmptyResult:
        """Deletes a folder, and its contents in the background.

        Deletes the folder and everything in it.

        The folder is gone at once; a background job deletes its subfolders and documents.

        **Errors**

        - NOT_FOUND: the folder does not exist.
        """
        operation = Operation("folders.delete", "/v2/organizations/folders/delete", True)
        result: types.EmptyResult = self._call(operation, data, options)
        return result


class Users:
    """Users of organizations, documents and folders, and tokens for them."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.UsersAddRequest, **options: Unpack[CallOptions]) -> types.UserResults:
        """Adds users to an organization, a document or a folder.

        Replies with one entry per user.

        An existing user is replaced; the role stays unless one is sent. An organization that does not exist is created.

        **Errors**

        - An entry fails when the document or folder does not exist.
        """
        operation = Operation("users.add", "/v2/users/add", True)
        result: types.UserResults = self._call(operation, data, options)
        return result

    def get(self, data: types.UsersGetRequest, **options: Unpack[CallOptions]) -> types.UsersGetResult:
        """Lists users of an organization, of a document, of a folder or of all documents.

        Users of the organization, or of a document, a folder or all documents when named.

        Filters combine; an empty filter does not apply.

        An end user names users by id or by the beginning of their names, in an organization or a document in which the caller has a right as well, and learns who they are, but no address and no role.

        Paged by `pageToken`.
        """
        operation = Operation("users.get", "/v2/users/get", False)
        result: types.UsersGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.UsersGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.UsersGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['nextPageToken'], options)

    def get_all(self, data: types.UsersGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.User]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def count(self, data: types.UsersCountRequest, **options: Unpack[CallOptions]) -> types.CountResult:
        """Counts users of an organization, of a document or of all documents.

        The number of users that `users.get` lists with the same filters.

        An unknown organization has none. A count reads the whole list.
        """
        operation = Operation("users.count", "/v2/users/count/get", False)
        result: types.CountResult = self._call(operation, data, options)
        return result

    def update(self, data: types.UsersUpdateRequest, **options: Unpack[CallOptions]) -> types.UserResults:
        """Changes users.

        Replies with one entry per user.

        A member that is left out keeps its value. Only the v2 path changes roles.

        **Errors**

        - An entry fails when its user does not exist.
        """
        operation = Operation("users.update", "/v2/users/update", True)
        result: types.UserResults = self._call(operation, data, options)
        return result

    def delete(self, data: types.UsersDeleteRequest, **options: Unpack[CallOptions]) -> types.ItemOutcomes:
        """Removes users from an organization, a document or a folder.

        Replies with one entry per user.

        A user who leaves the organization leaves its documents, folders and groups, too, in the background. A user who leaves a document or a folder leaves nothing else. Rights of the user in tokens that were issued before end, too: all in the organization, or those in the document or folder. They end at once for later calls, and within ten seconds on connections of the live channel (contract `access.removal`).

        **Errors**

        - An entry fails when its user does not exist.
        """
        operation = Operation("users.delete", "/v2/users/delete", True)
        result: types.ItemOutcomes = self._call(operation, data, options)
        return result

    def generate_token(self, data: types.UsersGenerateTokenRequest, **options: Unpack[CallOptions]) -> types.UsersGenerateTokenResult:
        """Issues a token to an end user.

        A token that is valid for 48 hours, or for `expiresIn`.

        A user id names one person in all organizations of the key: the token acts as this person wherever stored rights, its resources or a public document let it. `POST /v1/auth/token/get` takes the credentials in the body, and one organization instead of resources; that token is valid in its organization only.

        With the setting `requireAutoOrgUser` of the key, a user becomes a member of an organization with the first access, if the token names the organization itself, without `expiresAt`.

        **Errors**

        - PERMISSION_DENIED: a resource is a disabled organization, in one, or a disabled document.
        """
        operation = Operation("users.generate_token", "/v2/auth/generate_token", False)
        result: types.UsersGenerateTokenResult = self._call(operation, data, options)
        return result


class UserGroups:
    """Groups of the users of an organization."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.UserGroupsAddRequest, **options: Unpack[CallOptions]) -> types.UserGroupsAddResult:
        """Adds user groups to an organization.

        Replies with one entry per group.

        An existing group takes the name that is sent, and keeps its own without one.

        **Errors**

        - An entry fails when the organization does not exist and `createOrganization` is not true.
        """
        operation = Operation("user_groups.add", "/v2/organizations/usergroups/add", True)
        result: types.UserGroupsAddResult = self._call(operation, data, options)
        return result

    def get(self, data: types.UserGroupsGetRequest, **options: Unpack[CallOptions]) -> types.UserGroupsGetResult:
        """Lists user groups with their members.

        Groups with their members.

        An end user of the organization names groups, and learns their names.

        Paged by `pageToken`.
        """
        operation = Operation("user_groups.get", "/v2/organizations/usergroups/get", False)
        result: types.UserGroupsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.UserGroupsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.UserGroupsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['nextPageToken'], options)

    def get_all(self, data: types.UserGroupsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.UserGroup]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def delete(self, data: types.UserGroupsDeleteRequest, **options: Unpack[CallOptions]) -> types.ItemOutcomes:
        """Deletes user groups; their memberships end in the background.

        Replies with one entry per group.

        A background job ends the memberships.

        **Errors**

        - An entry fails when its group does not exist.
        """
        operation = Operation("user_groups.delete", "/v2/organizations/usergroups/delete", True)
        result: types.ItemOutcomes = self._call(operation, data, options)
        return result

    def users_add(self, data: types.UserGroupsUsersAddRequest, **options: Unpack[CallOptions]) -> types.UserGroupMemberResults:
        """Adds users of the organization to a user group.

        Replies with one entry per user.

        Only users of the organization can join. A user can be in many groups.

        **Errors**

        - NOT_FOUND: the group or the organization does not exist.
        - An entry fails when its user is not in the organization, or the group is full.
        """
        operation = Operation("user_groups.users_add", "/v2/organizations/usergroups/users/add", True)
        result: types.UserGroupMemberResults = self._call(operation, data, options)
        return result

    def users_delete(self, data: types.UserGroupsUsersDeleteRequest, **options: Unpack[CallOptions]) -> types.UserGroupMemberResults:
        """Removes users from a user group, or all of them.

        Replies with one entry per user, or per removed user with `deleteAll`.

        **Errors**

        - NOT_FOUND: the group or the organization does not exist.
        - An entry fails when its user is not in the group.
        """
        operation = Operation("user_groups.users_delete", "/v2/organizations/usergroups/users/delete", True)
        result: types.UserGroupMemberResults = self._call(operation, data, options)
        return result


class Permissions:
    """Rights of a user for an organization, a folder or a document, apart from membership."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.PermissionsAddRequest, **options: Unpack[CallOptions]) -> types.Success:
        """Gives a user or a user group rights for organizations, folders and documents.

        Adds rights of a user or a group, or changes their role and expiry.

        A right of a user may precede its resource. One of a group stands with the resource.

        **Errors**

        - NOT_FOUND: the group or a resource of its rights does not exist.
        - RESOURCE_EXHAUSTED: a resource has the maximum number of groups with a right.
        """
        operation = Operation("permissions.add", "/v2/auth/permissions/add", True)
        result: types.Success = self._call(operation, data, options)
        return result

    def get(self, data: types.PermissionsGetRequest, **options: Unpack[CallOptions]) -> types.PermissionsGetResult:
        """Lists the rights of users or user groups in an organization, its folders and its documents.

        Rights of users by membership, by grant and by their groups, or those that groups give.

        **Errors**

        - NOT_FOUND: a folder or a document does not exist, unless `skipResourceExistenceValidation` is true. `error.details` holds the permissions that were found.
        """
        operation = Operation("permissions.get", "/v2/auth/permissions/get", False)
        result: types.PermissionsGetResult = self._call(operation, data, options)
        return result

    def remove(self, data: types.PermissionsRemoveRequest, **options: Unpack[CallOptions]) -> types.Success:
        """Removes rights of a user or a user group.

        Removes granted rights.

        A right that was not granted is no error. A right of the user in a token that was issued before ends, too: at once for later calls, and within ten seconds on connections of the live channel (contract `access.removal`).
        """
        operation = Operation("permissions.remove", "/v2/auth/permissions/remove", True)
        result: types.Success = self._call(operation, data, options)
        return result


class Comments:
    """A comment annotation is a thread of comments, with status, priority, assignee, reactions and subscriptions."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def annotations_add(self, data: types.CommentsAnnotationsAddRequest, **options: Unpack[CallOptions]) -> types.CommentsAnnotationsAddResult:
        """Adds threads of comments to a document.

        Replies with one entry per thread.

        The author of a thread is the author of its first comment.

        **Errors**

        - PERMISSION_DENIED: an end user begins a private thread, and the API key does not allow that (`enablePrivateComments`).
        - An entry fails when the organization, the document or an agent does not exist, the id is taken, or, with `verifyUserPermissions`, an author has no right to the document; and when its anchor is not in the text, or has a mark that the API key does not name.

        **Events**

        `comment_annotation.add`, `comment.add`
        """
        operation = Operation("comments.annotations_add", "/v2/commentannotations/add", True)
        result: types.CommentsAnnotationsAddResult = self._call(operation, data, options)
        return result

    def annotations_get(self, data: types.CommentsAnnotationsGetRequest, **options: Unpack[CallOptions]) -> types.CommentsAnnotationsGetResult:
        """Lists threads of comments, the newest first.

        Threads with their comments, the newest thread first unless `order` says otherwise.

        Threads are sorted by creation time: a reply does not move a thread. With `annotationIds`, the list has their order, and `null` for an id that does not exist. The list comes from an index: a thread added a moment ago may be missing unless document and id are named.

        The list shows the first and the newest comments of a long thread, at most 100 if the thread is selected by id. `commentsCount` is the number of all comments; `comments/get` lists them.

        An end user learns which threads are `unread`.

        Paged by `pageToken`.
        """
        operation = Operation("comments.annotations_get", "/v2/commentannotations/get", False)
        result: types.CommentsAnnotationsGetResult = self._call(operation, data, options)
        return result

    def annotations_get_pages(self, data: types.CommentsAnnotationsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.CommentsAnnotationsGetResult]:
        """The pages of `annotations_get`."""
        return paging.pages(self.annotations_get, data, "pageToken", ['nextPageToken'], options)

    def annotations_get_all(self, data: types.CommentsAnnotationsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.CommentAnnotation]:
        """The items of `annotations_get`, from page to page; what does not exist is left out."""
        return paging.items(self.annotations_get_pages(data, **options), ['data'])

    def annotations_update(self, data: types.CommentsAnnotationsUpdateRequest, **options: Unpack[CallOptions]) -> types.CommentAnnotationResults:
        """Changes threads of comments: status, priority, assignee, visibility and more.

        Replies with one entry per thread.

        A member that is left out keeps its value; `null` clears it. Without `annotationIds`, the call changes every thread of the document that the other filters match.

        **Errors**

        - An entry fails when its thread does not exist, or the change does not fit its state.

        **Events**

        `comment_annotation.assign`, `comment_annotation.status_change`, `comment_annotation.priority_change`, `comment_annotation.suggestion_accept`, `comment_annotation.suggestion_reject`
        """
        operation = Operation("comments.annotations_update", "/v2/commentannotations/update", True)
        result: types.CommentAnnotationResults = self._call(operation, data, options)
        return result

    def annotations_delete(self, data: types.CommentsAnnotationsDeleteRequest, **options: Unpack[CallOptions]) -> types.CommentAnnotationResults:
        """Deletes threads of comments.

        Replies with one entry per thread.

        Without `annotationIds`, the call deletes every thread of the document that the other filters match.

        An end user names threads, and deletes those that the user began and in which nobody else commented.

        Without `organizationId`, it is the only organization that has the document.

        **Errors**

        - NOT_FOUND: no organization is named, and none has the document.
        - INVALID_ARGUMENT: no organization is named, and several have the document.
        - NOT_FOUND: threads are selected by agent while advanced queries are switched off.
        - An entry fails when its thread does not exist, or an end user may not delete it.
        """
        operation = Operation("comments.annotations_delete", "/v2/commentannotations/delete", True)
        result: types.CommentAnnotationResults = self._call(operation, data, options)
        return result

    def annotations_count(self, data: types.CommentsAnnotationsCountRequest, **options: Unpack[CallOptions]) -> types.CommentsAnnotationsCountResult:
        """Counts threads of comments by document, and those a user has not read.

        Counts by document.

        Only threads that the user may see are counted. A thread is unread when its latest comment is by another user and newer than the user's seen mark.
        """
        operation = Operation("comments.annotations_count", "/v2/commentannotations/count/get", False)
        result: types.CommentsAnnotationsCountResult = self._call(operation, data, options)
        return result

    def annotations_subscribe(self, data: types.CommentsAnnotationsSubscribeRequest, **options: Unpack[CallOptions]) -> types.DoneResult:
        """Subscribes a user to a thread of comments.

        Subscribes a user explicitly.

        A user who was subscribed by a mention or as an author then counts as subscribed explicitly.

        **Errors**

        - NOT_FOUND: the thread does not exist.

        **Events**

        `comment_annotation.subscribe`
        """
        operation = Operation("comments.annotations_subscribe", "/v2/commentannotations/subscribe", True)
        result: types.DoneResult = self._call(operation, data, options)
        return result

    def annotations_unsubscribe(self, data: types.CommentsAnnotationsUnsubscribeRequest, **options: Unpack[CallOptions]) -> types.DoneResult:
        """Unsubscribes a user from a thread of comments.

        Mentions do not subscribe the user again.

        The user can subscribe again.

        **Errors**

        - NOT_FOUND: the thread does not exist.

        **Events**

        `comment_annotation.unsubscribe`
        """
        operation = Operation("comments.annotations_unsubscribe", "/v2/commentannotations/unsubscribe", True)
        result: types.DoneResult = self._call(operation, data, options)
        return result

    def add(self, data: types.CommentsAddRequest, **options: Unpack[CallOptions]) -> types.CommentsAddResult:
        """Adds comments to a thread.

        Replies with the ids of the comments.

        Up to 50 comments are added together or not at all. Of a call with more, an interrupted one may have added the first ones; the same call again adds the rest (decision 24).

        **Errors**

        - NOT_FOUND: the organization, the document, the thread or an agent does not exist.
        - ALREADY_EXISTS: the thread has a comment with the id.
        - PERMISSION_DENIED: with `verifyUserPermissions`, an author has no right to the document.

        **Events**

        `comment.add`
        """
        operation = Operation("comments.add", "/v2/commentannotations/comments/add", True)
        result: types.CommentsAddResult = self._call(operation, data, options)
        return result

    def get(self, data: types.CommentsGetRequest, **options: Unpack[CallOptions]) -> types.CommentsGetResult:
        """Lists the comments of a thread.

        Comments in the order of the thread.

        With `commentIds`, the list has their order, and `null` for an id that does not exist.

        Paged by `pageToken`.
        """
        operation = Operation("comments.get", "/v2/commentannotations/comments/get", False)
        result: types.CommentsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.CommentsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.CommentsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['nextPageToken'], options)

    def get_all(self, data: types.CommentsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.Comment]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def update(self, data: types.CommentsUpdateRequest, **options: Unpack[CallOptions]) -> types.CommentResults:
        """Edits comments of a thread.

        Replies with one entry per comment.

        A member that is left out keeps its value; `null` clears it.

        **Errors**

        - An entry fails when its comment or the thread does not exist.

        **Events**

        `comment.update`
        """
        operation = Operation("comments.update", "/v2/commentannotations/comments/update", True)
        result: types.CommentResults = self._call(operation, data, options)
        return result

    def delete(self, data: types.CommentsDeleteRequest, **options: Unpack[CallOptions]) -> types.CommentResults:
        """Deletes comments of a thread.

        Replies with one entry per comment.

        Without `commentIds`, the call deletes all comments. The thread stays.

        **Errors**

        - NOT_FOUND: `commentIds` is absent, and the thread does not exist.
        - An entry fails when its comment does not exist.

        **Events**

        `comment.delete`
        """
        operation = Operation("comments.delete", "/v2/commentannotations/comments/delete", True)
        result: types.CommentResults = self._call(operation, data, options)
        return result

    def reactions_add(self, data: types.CommentsReactionsAddRequest, **options: Unpack[CallOptions]) -> types.CommentsReactionsAddResult:
        """Adds a reaction of a user to a comment.

        A comment has one reaction per icon, with every user who chose it.

        A second reaction of the user with the icon changes nothing.

        **Errors**

        - NOT_FOUND: the thread or the comment does not exist.

        **Events**

        `comment.reaction_add`
        """
        operation = Operation("comments.reactions_add", "/v2/commentannotations/comments/reactions/add", True)
        result: types.CommentsReactionsAddResult = self._call(operation, data, options)
        return result

    def reactions_delete(self, data: types.CommentsReactionsDeleteRequest, **options: Unpack[CallOptions]) -> types.CommentsReactionsDeleteResult:
        """Removes a reaction of a user from a comment.

        Removes the user from the reaction.

        The reaction is deleted with its last user.

        **Errors**

        - NOT_FOUND: the thread, the comment or the reaction does not exist.

        **Events**

        `comment.reaction_delete`
        """
        operation = Operation("comments.reactions_delete", "/v2/commentannotations/comments/reactions/delete", True)
        result: types.CommentsReactionsDeleteResult = self._call(operation, data, options)
        return result


class Notifications:
    """Notifications of users, their preferences, and the trace that explains each delivery."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.NotificationsAddRequest, **options: Unpack[CallOptions]) -> types.NotificationsAddResult:
        """Adds a notification for named users, or for everyone with access to its document.

        Stores a custom notification.

        An existing id adds nothing. The notification is stored even if the notification service is off, and may also be sent by mail.

        **Errors**

        - NOT_FOUND: the organization or the document does not exist.

        **Events**

        `notification.add`
        """
        operation = Operation("notifications.add", "/v2/notifications/add", True)
        result: types.NotificationsAddResult = self._call(operation, data, options)
        return result

    def get(self, data: types.NotificationsGetRequest, **options: Unpack[CallOptions]) -> types.NotificationsGetResult:
        """Lists notifications by document, location, user or id.

        Notifications, the newest first.

        The v2 path has pages and an order; the v1 path replies with up to 1,000 notifications. With `userId`, the list contains only notifications the user may see: a notification about a thread requires access to the thread.

        Paged by `pageToken`.
        """
        operation = Operation("notifications.get", "/v2/notifications/get", False)
        result: types.NotificationsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.NotificationsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.NotificationsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['pageToken'], options)

    def get_all(self, data: types.NotificationsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.Notification]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def count(self, data: types.NotificationsCountRequest, **options: Unpack[CallOptions]) -> types.NotificationsCountResult:
        """Counts the unread notifications of a user.

        How many notifications of a user are unread, and how many of them came after the user saw the inbox last.

        Only notifications that the user may see are counted: the newest hundred since all were read. `hasMore` says that there are older ones.
        """
        operation = Operation("notifications.count", "/v2/notifications/count/get", False)
        result: types.NotificationsCountResult = self._call(operation, data, options)
        return result

    def update(self, data: types.NotificationsUpdateRequest, **options: Unpack[CallOptions]) -> types.NotificationsUpdateResult:
        """Changes notifications and marks them read.

        Replies with one entry per notification.

        A member that is left out keeps its value; `readByUserIds` are added to the stored ones. Filters limit the call to notifications that pass them.

        With `all` instead of `notifications`, up to a hundred unread notifications of `userId` are marked as read by that user, and the reply has no entries: repeat the call while `hasMore` is true.

        **Errors**

        - An entry fails when its notification does not exist or does not pass the filters.
        """
        operation = Operation("notifications.update", "/v2/notifications/update", True)
        result: types.NotificationsUpdateResult = self._call(operation, data, options)
        return result

    def delete(self, data: types.NotificationsDeleteRequest, **options: Unpack[CallOptions]) -> types.NotificationsDeleteResult:
        """Deletes notifications by id, or those of a document, a location or a user.

        Replies with one entry per notification.

        With ids, the call deletes those that pass the other filters; without ids, up to 500 that pass them: repeat the call for the rest. With `userId`, a notification of an event is deleted for that user alone, and a custom one for all; without ids, one to everybody that does not name the user stays. An end user names notifications, and deletes them for nobody else.

        **Errors**

        - An entry fails when its notification does not exist or does not pass the filters.
        """
        operation = Operation("notifications.delete", "/v2/notifications/delete", True)
        result: types.NotificationsDeleteResult = self._call(operation, data, options)
        return result

    def seen(self, data: types.NotificationsSeenRequest, **options: Unpack[CallOptions]) -> types.DoneResult:
        """Marks a thread, or the inbox, as seen by a user.

        Sets the user's seen mark of a thread to now, or, without a thread, that of the inbox.

        A mark never moves backwards. For the tenant's own server the thread need not exist. An end user gets NOT_FOUND for a thread that does not exist, and for one that the user may not see.
        """
        operation = Operation("notifications.seen", "/v2/notifications/seen", True)
        result: types.DoneResult = self._call(operation, data, options)
        return result

    def config_set(self, data: types.NotificationsConfigSetRequest, **options: Unpack[CallOptions]) -> types.NotificationsConfigSetResult:
        """Sets notification preferences of users.

        Replies with one entry per user.

        The preference applies to the named documents, or, without documents, to all documents without a preference of their own. A channel that is left out keeps its value. Users and documents need not exist.

        **Errors**

        - PERMISSION_DENIED: an end user sets the preference of an organization without any right there.
        - FAILED_PRECONDITION: preferences of users are switched off for the API key.
        """
        operation = Operation("notifications.config_set", "/v2/notifications/config/set", True)
        result: types.NotificationsConfigSetResult = self._call(operation, data, options)
        return result

    def config_get(self, data: types.NotificationsConfigGetRequest, **options: Unpack[CallOptions]) -> types.NotificationsConfigGetResult:
        """Shows the notification preferences of a user.

        The effective preferences.

        A document has its own preference, or else that of the organization, or else the default, channel by channel.
        """
        operation = Operation("notifications.config_get", "/v2/notifications/config/get", False)
        result: types.NotificationsConfigGetResult = self._call(operation, data, options)
        return result

    def trace_get(self, data: types.NotificationsTraceGetRequest, **options: Unpack[CallOptions]) -> types.NotificationsTraceGetResult:
        """Shows the delivery state of events, for each recipient and channel.

        The delivery state of each event, for each recipient and channel.

        A decision (pending, delivered, dropped) is kept for two weeks, an event for 90 days. A user whose preference excluded an event when it happened is not recorded (rule N4). Ask for an event by its id to learn that the service or its trigger was off.

        Paged by `pageToken`.
        """
        operation = Operation("notifications.trace_get", "/v2/notifications/trace/get", False)
        result: types.NotificationsTraceGetResult = self._call(operation, data, options)
        return result

    def trace_get_pages(self, data: types.NotificationsTraceGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.NotificationsTraceGetResult]:
        """The pages of `trace_get`."""
        return paging.pages(self.trace_get, data, "pageToken", ['pageToken'], options)

    def trace_get_all(self, data: types.NotificationsTraceGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.TraceRow]:
        """The items of `trace_get`, from page to page; what does not exist is left out."""
        return paging.items(self.trace_get_pages(data, **options), ['data'])


class Activities:
    """The activity log of a document."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.ActivitiesAddRequest, **options: Unpack[CallOptions]) -> types.ActivitiesAddResult:
        """Adds activities to a document, or replaces them.

        Replies with one entry per activity.

        An existing activity is replaced, including its time, unless it is immutable. The current configuration decides whether the new record is immutable. The document need not exist.

        **Errors**

        - FAILED_PRECONDITION: the activity service is not enabled.
        """
        operation = Operation("activities.add", "/v2/activities/add", True)
        result: types.ActivitiesAddResult = self._call(operation, data, options)
        return result

    def get(self, data: types.ActivitiesGetRequest, **options: Unpack[CallOptions]) -> types.ActivitiesGetResult:
        """Lists activities by document, target, user, kind or id, page by page.

        Activities by time, the newest first unless `order` says otherwise.

        Filters combine. The list comes from an index: an activity added a moment ago may be missing unless its id is named. A page may hold fewer activities than `pageSize` when filters combine.

        Paged by `pageToken`.
        """
        operation = Operation("activities.get", "/v2/activities/get", False)
        result: types.ActivitiesGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.ActivitiesGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.ActivitiesGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['pageToken'], options)

    def get_all(self, data: types.ActivitiesGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.Activity]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def update(self, data: types.ActivitiesUpdateRequest, **options: Unpack[CallOptions]) -> types.ItemOutcomes:
        """Changes activities.

        Replies with one entry per activity.

        A member that is left out keeps its value; a member that is sent replaces the stored one as a whole. Immutable activities stay as they are.

        **Errors**

        - An entry fails when its activity does not exist or is immutable.
        """
        operation = Operation("activities.update", "/v2/activities/update", True)
        result: types.ItemOutcomes = self._call(operation, data, options)
        return result

    def delete(self, data: types.ActivitiesDeleteRequest, **options: Unpack[CallOptions]) -> types.ActivitiesDeleteResult:
        """Deletes activities by id, or those of a document or about a target.

        Replies with one entry per activity.

        Filters combine: an activity is deleted when all of them match. Immutable activities stay. Without ids, one call deletes up to about 2,500 activities in 10 seconds; repeat the call while `hasMore` is true.

        **Errors**

        - An entry fails when its activity does not exist or is immutable.
        """
        operation = Operation("activities.delete", "/v2/activities/delete", True)
        result: types.ActivitiesDeleteResult = self._call(operation, data, options)
        return result


class WebhookEndpoints:
    """Endpoints that receive events, and their signing secrets."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, data: types.WebhookEndpointsCreateRequest, **options: Unpack[CallOptions]) -> types.WebhookEndpointResult:
        """Adds a webhook endpoint.

        Creates an endpoint with its own signing secret.

        **Errors**

        - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
        - ALREADY_EXISTS: another endpoint has the uid.
        - RESOURCE_EXHAUSTED: the API key has the maximum number of endpoints.

        **Events**

        `endpoint.created`
        """
        operation = Operation("webhook_endpoints.create", "/v2/workspace/advancedwebhook/endpoints/create", True)
        result: types.WebhookEndpointResult = self._call(operation, data, options)
        return result

    def get(self, data: types.WebhookEndpointsGetRequest | None = None, **options: Unpack[CallOptions]) -> types.WebhookEndpointsGetResult:
        """Lists webhook endpoints, newest first.

        Endpoints, the newest first.

        **Errors**

        - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
        """
        operation = Operation("webhook_endpoints.get", "/v2/workspace/advancedwebhook/endpoints/get", False)
        result: types.WebhookEndpointsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.WebhookEndpointsGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.WebhookEndpointsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "iterator", ['data', 'iterator'], options)

    def get_all(self, data: types.WebhookEndpointsGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.WebhookEndpoint]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data', 'endpoints'])

    def update(self, data: types.WebhookEndpointsUpdateRequest, **options: Unpack[CallOptions]) -> types.WebhookEndpointResult:
        """Changes a webhook endpoint.

        Replies with the endpoint after the change.

        A member that is left out keeps its value; `null` clears an optional one. Metadata is replaced as a whole.

        **Errors**

        - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
        - NOT_FOUND: the endpoint does not exist.

        **Events**

        `endpoint.updated`, `endpoint.disabled`
        """
        operation = Operation("webhook_endpoints.update", "/v2/workspace/advancedwebhook/endpoints/update", True)
        result: types.WebhookEndpointResult = self._call(operation, data, options)
        return result

    def delete(self, data: types.WebhookEndpointsDeleteRequest, **options: Unpack[CallOptions]) -> types.WebhookEndpointsDeleteResult:
        """Deletes a webhook endpoint with its signing secrets.

        Deletes the endpoint permanently.

        The signing secrets of the endpoint are deleted, and its uid can be used again.

        **Errors**

        - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
        - NOT_FOUND: the endpoint does not exist.

        **Events**

        `endpoint.deleted`
        """
        operation = Operation("webhook_endpoints.delete", "/v2/workspace/advancedwebhook/endpoints/delete", True)
        result: types.WebhookEndpointsDeleteResult = self._call(operation, data, options)
        return result

    def secret_get(self, data: types.WebhookEndpointsSecretGetRequest, **options: Unpack[CallOptions]) -> types.WebhookSecretResult:
        """Shows the signing secret of a webhook endpoint.

        The key that signs deliveries to the endpoint.

        **Errors**

        - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
        - NOT_FOUND: the endpoint does not exist.
        """
        operation = Operation("webhook_endpoints.secret_get", "/v2/workspace/advancedwebhook/endpoints/secret/get", False)
        result: types.WebhookSecretResult = self._call(operation, data, options)
        return result

    def secret_rotate(self, data: types.WebhookEndpointsSecretRotateRequest, **options: Unpack[CallOptions]) -> types.WebhookSecretResult:
        """Replaces the signing secret of a webhook endpoint.

        Replies with the new secret.

        Deliveries carry signatures of both secrets until the grace period of the old one ends.

        **Errors**

        - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
        - NOT_FOUND: the endpoint does not exist.
        - RESOURCE_EXHAUSTED: ten old secrets are still valid.

        **Events**

        `endpoint.updated`
        """
        operation = Operation("webhook_endpoints.secret_rotate", "/v2/workspace/advancedwebhook/endpoints/secret/rotate", True)
        result: types.WebhookSecretResult = self._call(operation, data, options)
        return result


class Deliveries:
    """Messages to endpoints, the attempts to deliver them, and sending them again."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def messages_get(self, data: types.DeliveriesMessagesGetRequest | None = None, **options: Unpack[CallOptions]) -> types.DeliveriesMessagesGetResult:
        """Lists webhook messages, newest first.

        Messages with the bodies of their webhooks, the newest first.

        **Errors**

        - FAILED_PRECONDITION: neither advanced nor basic webhooks are enabled.
        """
        operation = Operation("deliveries.messages_get", "/v2/workspace/advancedwebhook/messages/get", False)
        result: types.DeliveriesMessagesGetResult = self._call(operation, data, options)
        return result

    def messages_get_pages(self, data: types.DeliveriesMessagesGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.DeliveriesMessagesGetResult]:
        """The pages of `messages_get`."""
        return paging.pages(self.messages_get, data, "iterator", ['data', 'iterator'], options)

    def messages_get_all(self, data: types.DeliveriesMessagesGetRequest | None = None, **options: Unpack[CallOptions]) -> Iterator[types.WebhookMessage]:
        """The items of `messages_get`, from page to page; what does not exist is left out."""
        return paging.items(self.messages_get_pages(data, **options), ['data', 'messages'])

    def attempts_get(self, data: types.DeliveriesAttemptsGetRequest, **options: Unpack[CallOptions]) -> types.DeliveriesAttemptsGetResult:
        """Lists attempts to deliver webhook messages, newest first.

        Attempts with their results, those of the newest message first.

        **Errors**

        - FAILED_PRECONDITION: neither advanced nor basic webhooks are enabled.
        - NOT_FOUND: the message does not exist.
        """
        operation = Operation("deliveries.attempts_get", "/v2/workspace/advancedwebhook/attempts/get", False)
        result: types.DeliveriesAttemptsGetResult = self._call(operation, data, options)
        return result

    def attempts_get_pages(self, data: types.DeliveriesAttemptsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.DeliveriesAttemptsGetResult]:
        """The pages of `attempts_get`."""
        return paging.pages(self.attempts_get, data, "iterator", ['data', 'iterator'], options)

    def attempts_get_all(self, data: types.DeliveriesAttemptsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.DeliveryAttempt]:
        """The items of `attempts_get`, from page to page; what does not exist is left out."""
        return paging.items(self.attempts_get_pages(data, **options), ['data', 'attempts'])

    def messages_resend(self, data: types.DeliveriesMessagesResendRequest, **options: Unpack[CallOptions]) -> types.DeliveriesMessagesResendResult:
        """Sends a webhook message to an endpoint once more.

        Sends the message regardless of the event types of the endpoint.

        **Errors**

        - FAILED_PRECONDITION: the endpoint is disabled, or advanced webhooks are not configured or disabled.
        - NOT_FOUND: the message or the endpoint does not exist.
        """
        operation = Operation("deliveries.messages_resend", "/v2/workspace/advancedwebhook/messages/resend", True)
        result: types.DeliveriesMessagesResendResult = self._call(operation, data, options)
        return result

    def endpoints_recover(self, data: types.DeliveriesEndpointsRecoverRequest, **options: Unpack[CallOptions]) -> types.DeliveriesEndpointsRecoverResult:
        """Sends all messages again that an endpoint missed since a time.

        Sends every failed or skipped message since a time again.

        The messages are sent in the background.

        **Errors**

        - FAILED_PRECONDITION: the endpoint is disabled, or advanced webhooks are not configured or disabled.
        - NOT_FOUND: the endpoint does not exist.
        """
        operation = Operation("deliveries.endpoints_recover", "/v2/workspace/advancedwebhook/endpoints/recover", True)
        result: types.DeliveriesEndpointsRecoverResult = self._call(operation, data, options)
        return result


class Configuration:
    """Services of an API key: activities, mails, notifications and webhooks."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def email_update(self, data: types.ConfigurationEmailUpdateRequest, **options: Unpack[CallOptions]) -> types.EmailConfigResult:
        """Changes the email configuration.

        Merges the request into the stored configuration.

        When the service is enabled and no triggers are stored, the standard triggers are switched on; members of the request take precedence. While it is on with the type `thirdparty`, it needs `apiKey` and `fromEmail`.
        """
        operation = Operation("configuration.email_update", "/v2/workspace/emailconfig/update", True)
        result: types.EmailConfigResult = self._call(operation, data, options)
        return result

    def email_get(self, **options: Unpack[CallOptions]) -> types.EmailConfigResult:
        """Shows the email configuration.

        The stored configuration.
        """
        operation = Operation("configuration.email_get", "/v2/workspace/emailconfig/get", False)
        result: types.EmailConfigResult = self._call(operation, None, options)
        return result

    def notifications_update(self, data: types.ConfigurationNotificationsUpdateRequest, **options: Unpack[CallOptions]) -> types.NotificationConfigResult:
        """Changes the notification configuration.

        Merges the request into the stored configuration.

        When the service is enabled and no triggers are stored, the standard triggers are switched on; members of the request take precedence. Delay and batching stay off.
        """
        operation = Operation("configuration.notifications_update", "/v2/workspace/notificationconfig/update", True)
        result: types.NotificationConfigResult = self._call(operation, data, options)
        return result

    def notifications_get(self, **options: Unpack[CallOptions]) -> types.NotificationConfigResult:
        """Shows the notification configuration.

        The stored configuration.

        A number that was never set is shown as the minimum.
        """
        operation = Operation("configuration.notifications_get", "/v2/workspace/notificationconfig/get", False)
        result: types.NotificationConfigResult = self._call(operation, None, options)
        return result

    def activities_update(self, data: types.ConfigurationActivitiesUpdateRequest, **options: Unpack[CallOptions]) -> types.ActivityConfigResult:
        """Changes the activity configuration.

        Merges the request into the stored configuration.

        When the service is enabled and no triggers are stored, the triggers of comments are switched on and records become immutable; members of the request take precedence.
        """
        operation = Operation("configuration.activities_update", "/v2/workspace/activityconfig/update", True)
        result: types.ActivityConfigResult = self._call(operation, data, options)
        return result

    def activities_get(self, **options: Unpack[CallOptions]) -> types.ActivityConfigResult:
        """Shows the activity configuration.

        The stored configuration.

        Before the first update it is `{ isEnabled: false }`.
        """
        operation = Operation("configuration.activities_get", "/v2/workspace/activityconfig/get", False)
        result: types.ActivityConfigResult = self._call(operation, None, options)
        return result

    def webhooks_update(self, data: types.ConfigurationWebhooksUpdateRequest, **options: Unpack[CallOptions]) -> types.WebhookConfigResult:
        """Changes the basic webhook configuration.

        Merges the request into the stored configuration.

        When the service is enabled and no triggers are stored, the standard triggers are switched on; members of the request take precedence. `encryptData` needs a `publicKey`.
        """
        operation = Operation("configuration.webhooks_update", "/v2/workspace/webhookconfig/update", True)
        result: types.WebhookConfigResult = self._call(operation, data, options)
        return result

    def webhooks_get(self, **options: Unpack[CallOptions]) -> types.WebhookConfigResult:
        """Shows the basic webhook configuration.

        The stored configuration.
        """
        operation = Operation("configuration.webhooks_get", "/v2/workspace/webhookconfig/get", False)
        result: types.WebhookConfigResult = self._call(operation, None, options)
        return result

    def advanced_webhooks_update(self, data: types.ConfigurationAdvancedWebhooksUpdateRequest, **options: Unpack[CallOptions]) -> types.AdvancedWebhookConfigResult:
        """Changes the advanced webhook configuration.

        Merges the request into the stored configuration.

        The first update has to enable advanced webhooks. Disabling them keeps their endpoints. `encryptData` needs a `publicKey`.

        **Errors**

        - FAILED_PRECONDITION: advanced webhooks were never configured, and `isEnabled` is not true.
        """
        operation = Operation("configuration.advanced_webhooks_update", "/v2/workspace/advancedwebhookconfig/update", True)
        result: types.AdvancedWebhookConfigResult = self._call(operation, data, options)
        return result

    def advanced_webhooks_get(self, **options: Unpack[CallOptions]) -> types.AdvancedWebhookConfigResult:
        """Shows the advanced webhook configuration.

        The stored configuration.
        """
        operation = Operation("configuration.advanced_webhooks_get", "/v2/workspace/advancedwebhookconfig/get", False)
        result: types.AdvancedWebhookConfigResult = self._call(operation, None, options)
        return result


class Presence:
    """Which users are in a document, and what they do there."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.PresenceAddRequest, **options: Unpack[CallOptions]) -> types.DoneResult:
        """Sets the presence of users in a document.

        Writes the whole presence record of each user.

        A stored record is replaced. If a request contains a user twice, the later record wins. A record expires 24 hours after its last write. Organization, document and users need not exist.
        """
        operation = Operation("presence.add", "/v2/presence/add", True)
        result: types.DoneResult = self._call(operation, data, options)
        return result

    def update(self, data: types.PresenceUpdateRequest, **options: Unpack[CallOptions]) -> types.DoneResult:
        """Changes the presence of users in a document.

        Changes presence records.

        A member that is left out keeps its value. A user without a record is added. Changes of the same user are merged in order. A record expires 24 hours after its last write.
        """
        operation = Operation("presence.update", "/v2/presence/update", True)
        result: types.DoneResult = self._call(operation, data, options)
        return result

    def get(self, data: types.PresenceGetRequest, **options: Unpack[CallOptions]) -> types.PresenceGetResult:
        """Lists the users in a document.

        Users in the order of their ids.

        `userIds` lists those that are present. A record expires 24 hours after its last write.

        Paged by `pageToken`.
        """
        operation = Operation("presence.get", "/v2/presence/get", False)
        result: types.PresenceGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.PresenceGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.PresenceGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['pageToken'], options)

    def get_all(self, data: types.PresenceGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.PresenceUser]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def delete(self, data: types.PresenceDeleteRequest, **options: Unpack[CallOptions]) -> types.DoneResult:
        """Removes the presence of users from a document.

        Removes presence records.

        A user without a record is no error.
        """
        operation = Operation("presence.delete", "/v2/presence/delete", True)
        result: types.DoneResult = self._call(operation, data, options)
        return result


class LiveState:
    """JSON that the users of a document share."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def broadcast(self, data: types.LiveStateBroadcastRequest, **options: Unpack[CallOptions]) -> types.DoneResult:
        """Replaces live state of a document, or merges into it.

        Writes one entry of live state.

        The parameters stand in `data`, or at the top level of the body when `organizationId` stands there; `data` is then the payload. `merge` applies JSON Merge Patch (RFC 7396) to the stored object, or to an empty one. Live state lasts as long as its document. Organization and document need not exist.
        """
        operation = Operation("live_state.broadcast", "/v2/livestate/broadcast", True)
        result: types.DoneResult = self._call(operation, data, options)
        return result

    def get(self, data: types.LiveStateGetRequest, **options: Unpack[CallOptions]) -> types.LiveStateGetResult:
        """Lists the live state of a document.

        Entries in the order of their ids.

        Paged by `pageToken`.
        """
        operation = Operation("live_state.get", "/v2/livestate/get", False)
        result: types.LiveStateGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.LiveStateGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.LiveStateGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['pageToken'], options)

    def get_all(self, data: types.LiveStateGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.LiveState]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])


class Editors:
    """Content of shared editors (CRDT): replaced by callers, edited by peers with Yjs updates."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.EditorsAddRequest, **options: Unpack[CallOptions]) -> types.Success:
        """Adds the data of an editor.

        Stores the first content of an editor.

        **Errors**

        - ALREADY_EXISTS: the editor has content.
        - RESOURCE_EXHAUSTED: the content is too large.

        **Events**

        `crdt.update_data`
        """
        operation = Operation("editors.add", "/v2/crdt/add", True)
        result: types.Success = self._call(operation, data, options)
        return result

    def get(self, data: types.EditorsGetRequest, **options: Unpack[CallOptions]) -> types.EditorsGetResult:
        """Lists the data of the editors of a document.

        Editors with their content.

        The content of an editor that peers added is what they edit as text, if there is any: maps and arrays beside it are read by `contentKey`. Type and name in the reply are those of the content.

        **Errors**

        - RESOURCE_EXHAUSTED: the editor named by `editorId` has too much data for one reply.

        Paged by `pageToken`.
        """
        operation = Operation("editors.get", "/v2/crdt/get", False)
        result: types.EditorsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.EditorsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.EditorsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['nextPageToken'], options)

    def get_all(self, data: types.EditorsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.Editor]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def update(self, data: types.EditorsUpdateRequest, **options: Unpack[CallOptions]) -> types.Success:
        """Replaces the content of an editor, and keeps concurrent edits of peers.

        Replaces the content of an editor.

        The service writes the differences as operations, so peers keep their cursors and their concurrent edits. Equal content writes nothing.

        `type` is that of the editor. With `contentKey` a call may name another shared type, which becomes the content of the editor: one that has content of this type, unless that is a map or an array beside a text; and any one while only peers edited the editor and it has no text yet.

        **Errors**

        - NOT_FOUND: the editor does not exist.
        - RESOURCE_EXHAUSTED: the content is too large.

        **Events**

        `crdt.update_data`
        """
        operation = Operation("editors.update", "/v2/crdt/update", True)
        result: types.Success = self._call(operation, data, options)
        return result

    def delete(self, data: types.EditorsDeleteRequest, **options: Unpack[CallOptions]) -> types.EditorsDeleteResult:
        """Deletes the data of editors.

        Replies with one entry per editor.

        The content is gone at once; a background job deletes its parts.

        **Errors**

        - An entry fails when its editor does not exist.
        """
        operation = Operation("editors.delete", "/v2/crdt/delete", True)
        result: types.EditorsDeleteResult = self._call(operation, data, options)
        return result

    def state_get(self, data: types.EditorsStateGetRequest, **options: Unpack[CallOptions]) -> types.EditorsStateGetResult:
        """Shows the updates of an editor that a peer lacks.

        One Yjs v1 update with everything that the peer lacks, or with the beginning of that.

        **Errors**

        - NOT_FOUND: the editor does not exist.
        """
        operation = Operation("editors.state_get", "/v2/crdt/state/get", False)
        result: types.EditorsStateGetResult = self._call(operation, data, options)
        return result

    def updates_add(self, data: types.EditorsUpdatesAddRequest, **options: Unpack[CallOptions]) -> types.Success:
        """Appends updates of a peer to an editor.

        Appends all Yjs v1 updates or none.

        The service checks that the updates are readable and stores them as they are. No accepted update is lost, in whatever order updates arrive.

        Edits of peers decide the type of an editor that no caller named: the first text or XML, whatever maps and arrays are beside it. Of several texts in the first update, `default` comes first, then `content`, then XML, then by name. Until text arrives, the first map or array counts.

        **Errors**

        - NOT_FOUND: the editor does not exist, and its type is not sent. For an end user the editor is then added with the type of the updates, if these lack no others. It is also the error for an end user's updates of an editor that was deleted.
        - ABORTED: the editor does not exist, and the updates of an end user lack others; all of them together are accepted.
        - PERMISSION_DENIED: an update of an end user has new structs under the Yjs client of another user. They are left out, and the rest is stored. Those that are stored already are ignored, because peers repeat what they have.
        - RESOURCE_EXHAUSTED: the editor is too large, or too many updates wait for missing ones.

        **Events**

        `crdt.update_data`
        """
        operation = Operation("editors.updates_add", "/v2/crdt/updates/add", True)
        result: types.Success = self._call(operation, data, options)
        return result

    def versions_list(self, data: types.EditorsVersionsListRequest, **options: Unpack[CallOptions]) -> types.EditorsVersionsListResult:
        """Lists the versions of an editor.

        The newest version first, page by page.

        Successive edits are one version: up to a pause of ten minutes, within an hour. What is unknown is an empty list.

        Paged by `pageToken`.
        """
        operation = Operation("editors.versions_list", "/v2/crdt/versions/list", False)
        result: types.EditorsVersionsListResult = self._call(operation, data, options)
        return result

    def versions_list_pages(self, data: types.EditorsVersionsListRequest, **options: Unpack[CallOptions]) -> Iterator[types.EditorsVersionsListResult]:
        """The pages of `versions_list`."""
        return paging.pages(self.versions_list, data, "pageToken", ['nextPageToken'], options)

    def versions_list_all(self, data: types.EditorsVersionsListRequest, **options: Unpack[CallOptions]) -> Iterator[types.EditorVersion]:
        """The items of `versions_list`, from page to page; what does not exist is left out."""
        return paging.items(self.versions_list_pages(data, **options), ['data'])

    def versions_get(self, data: types.EditorsVersionsGetRequest, **options: Unpack[CallOptions]) -> types.EditorsVersionsGetResult:
        """Shows an editor as it was.

        An editor as it was.

        **Errors**

        - NOT_FOUND: the editor or the version does not exist, or is not kept any more.
        - RESOURCE_EXHAUSTED: more edits are behind the version than one call reads, or its content is too large for a reply.
        """
        operation = Operation("editors.versions_get", "/v2/crdt/versions/get", False)
        result: types.EditorsVersionsGetResult = self._call(operation, data, options)
        return result

    def versions_add(self, data: types.EditorsVersionsAddRequest, **options: Unpack[CallOptions]) -> types.EditorVersionResult:
        """Adds the present content of an editor as a version.

        Keeps the present content until the version is deleted.

        **Errors**

        - NOT_FOUND: the editor does not exist.
        - RESOURCE_EXHAUSTED: the editor has 100 versions that were added, or too much of it waits to be merged.

        **Events**

        `crdt.version_added`
        """
        operation = Operation("editors.versions_add", "/v2/crdt/versions/add", True)
        result: types.EditorVersionResult = self._call(operation, data, options)
        return result

    def versions_update(self, data: types.EditorsVersionsUpdateRequest, **options: Unpack[CallOptions]) -> types.EditorVersionResult:
        """Gives a version of an editor another name.

        Gives a version another name.

        **Errors**

        - NOT_FOUND: the editor has no such version that was added.
        """
        operation = Operation("editors.versions_update", "/v2/crdt/versions/update", True)
        result: types.EditorVersionResult = self._call(operation, data, options)
        return result

    def versions_delete(self, data: types.EditorsVersionsDeleteRequest, **options: Unpack[CallOptions]) -> types.Success:
        """Deletes a version of an editor.

        The version is gone at once, its data within the hour.

        **Errors**

        - NOT_FOUND: the editor has no such version that was added.
        """
        operation = Operation("editors.versions_delete", "/v2/crdt/versions/delete", True)
        result: types.Success = self._call(operation, data, options)
        return result

    def versions_restore(self, data: types.EditorsVersionsRestoreRequest, **options: Unpack[CallOptions]) -> types.MadeEditorVersionResult:
        """Makes an editor what it was.

        Makes an editor what it was.

        The service writes an edit that undoes what came after, so peers keep their cursors and what they do meanwhile; it is a version of its own, and can be undone like any other.

        **Errors**

        - NOT_FOUND: the editor or the version does not exist, or is not kept any more.
        - RESOURCE_EXHAUSTED: more edits are behind the version than one call reads, or the editor would be too large.

        **Events**

        `crdt.update_data`, `crdt.restored`
        """
        operation = Operation("editors.versions_restore", "/v2/crdt/versions/restore", True)
        result: types.MadeEditorVersionResult = self._call(operation, data, options)
        return result

    def changes_get(self, data: types.EditorsChangesGetRequest, **options: Unpack[CallOptions]) -> types.EditorsChangesGetResult:
        """Shows who changed what in an editor.

        Who changed what, for editors that show it.

        **Errors**

        - NOT_FOUND: the editor does not exist, or its history does not reach back to `from`.
        - RESOURCE_EXHAUSTED: more edits are behind `from` than one call reads, or they are too large for a reply.
        """
        operation = Operation("editors.changes_get", "/v2/crdt/changes/get", False)
        result: types.EditorsChangesGetResult = self._call(operation, data, options)
        return result

    def changes_revert(self, data: types.EditorsChangesRevertRequest, **options: Unpack[CallOptions]) -> types.MadeEditorVersionResult:
        """Takes back what a user did in an editor.

        Takes back what a user did.

        What the user inserted goes, what the user deleted comes back, and what others did stays, also within it. It is an edit of the service, as a restored version is.

        **Errors**

        - NOT_FOUND: the editor does not exist, or its history does not reach back to `from`.
        - RESOURCE_EXHAUSTED: more edits are behind `from` than one call reads, or the editor would be too large.

        **Events**

        `crdt.update_data`, `crdt.reverted`
        """
        operation = Operation("editors.changes_revert", "/v2/crdt/changes/revert", True)
        result: types.MadeEditorVersionResult = self._call(operation, data, options)
        return result

    def authors_get(self, data: types.EditorsAuthorsGetRequest, **options: Unpack[CallOptions]) -> types.EditorsAuthorsGetResult:
        """Shows who wrote what is in an editor.

        Who wrote what is in an editor.

        The author is the authenticated user who first delivered the items to the service.

        **Errors**

        - NOT_FOUND: the editor does not exist.
        - RESOURCE_EXHAUSTED: too much of the editor waits to be merged.
        """
        operation = Operation("editors.authors_get", "/v2/crdt/authors/get", False)
        result: types.EditorsAuthorsGetResult = self._call(operation, data, options)
        return result


class Recordings:
    """Recordings of screen, video and sound, with versions."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def add(self, data: types.RecordingsAddRequest, **options: Unpack[CallOptions]) -> types.RecordingsAddResult:
        """Adds recordings to a document, or a new version of existing ones.

        Replies with one entry per recording.

        An existing recording gets its next version; members that are left out keep the values of the previous version. The document has to exist. Each recording emits one event, however many of its versions the request has.

        **Errors**

        - An entry fails when the document does not exist, or another document has its recording.

        **Events**

        `recorder.done`
        """
        operation = Operation("recordings.add", "/v2/recordings/add", True)
        result: types.RecordingsAddResult = self._call(operation, data, options)
        return result

    def get(self, data: types.RecordingsGetRequest, **options: Unpack[CallOptions]) -> types.RecordingsGetResult:
        """Lists recordings by id, by document or all, the oldest first, page by page.

        Recordings, the oldest first.

        `recordingIds` lists those that exist, `documentId` those of the document. Filters combine; without a filter the list has all recordings of the organization. The list comes from an index: a recording added a moment ago may be missing unless its id is named.

        Paged by `pageToken`.
        """
        operation = Operation("recordings.get", "/v2/recordings/get", False)
        result: types.RecordingsGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.RecordingsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.RecordingsGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['pageToken'], options)

    def get_all(self, data: types.RecordingsGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.Recording]:
        """The items of `get`, from page to page; what does not exist is left out."""
        return paging.items(self.get_pages(data, **options), ['data'])

    def delete(self, data: types.RecordingsDeleteRequest, **options: Unpack[CallOptions]) -> types.ItemOutcomes:
        """Deletes recordings with all their versions.

        Replies with one entry per recording.

        **Errors**

        - An entry fails when its recording does not exist.
        """
        operation = Operation("recordings.delete", "/v2/recordings/delete", True)
        result: types.ItemOutcomes = self._call(operation, data, options)
        return result


class Agents:
    """Agents that comment on documents, and their versions."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, data: types.AgentsCreateRequest, **options: Unpack[CallOptions]) -> types.AgentReferenceResult:
        """Creates a custom agent with its first version.

        The agent starts with version 1.

        **Errors**

        - RESOURCE_EXHAUSTED: the API key has 100 custom agents.
        """
        operation = Operation("agents.create", "/v2/agents/create", True)
        result: types.AgentReferenceResult = self._call(operation, data, options)
        return result

    def get(self, data: types.AgentsGetRequest | None = None, **options: Unpack[CallOptions]) -> types.AgentsGetResult:
        """Shows an agent, or lists agents.

        With `agentId` one agent with its current version, otherwise a list without versions.

        **Errors**

        - NOT_FOUND: the agent or the group does not exist.
        """
        operation = Operation("agents.get", "/v2/agents/get", False)
        result: types.AgentsGetResult = self._call(operation, data, options)
        return result

    def update(self, data: types.AgentsUpdateRequest, **options: Unpack[CallOptions]) -> types.AgentReferenceResult:
        """Renames an agent, or enables or disables it.

        No version is created.

        A member that is left out keeps its value; members that belong to a version are ignored. Of a built-in agent only `enabled` can be changed, and it is required.

        **Errors**

        - NOT_FOUND: the workspace of the API key does not exist.
        - INTERNAL: the agent does not exist.
        """
        operation = Operation("agents.update", "/v2/agents/update", True)
        result: types.AgentReferenceResult = self._call(operation, data, options)
        return result

    def delete(self, data: types.AgentsDeleteRequest, **options: Unpack[CallOptions]) -> types.AgentReferenceResult:
        """Deletes a custom agent with its versions.

        Deletes the agent and all its versions.

        The call is idempotent: it succeeds when the agent does not exist.
        """
        operation = Operation("agents.delete", "/v2/agents/delete", True)
        result: types.AgentReferenceResult = self._call(operation, data, options)
        return result

    def version_update(self, data: types.AgentsVersionUpdateRequest, **options: Unpack[CallOptions]) -> types.CurrentAgentVersionResult:
        """Adds a version to a custom agent.

        Creates the next version of a custom agent.

        The merge is one level deep: within a block, each member that is sent replaces the stored member as a whole. Metadata is replaced as a whole and is not part of a version.

        **Errors**

        - NOT_FOUND: there is no such custom agent.
        - RESOURCE_EXHAUSTED: the agent has 1,000 versions.
        """
        operation = Operation("agents.version_update", "/v2/agents/version/update", True)
        result: types.CurrentAgentVersionResult = self._call(operation, data, options)
        return result

    def versions_list(self, data: types.AgentsVersionsListRequest, **options: Unpack[CallOptions]) -> types.AgentsVersionsListResult:
        """Lists the versions of a custom agent.

        The newest version first.

        The list of an unknown agent is empty.

        **Errors**

        - RESOURCE_EXHAUSTED: the versions are too large for one reply.
        """
        operation = Operation("agents.versions_list", "/v2/agents/versions/list", False)
        result: types.AgentsVersionsListResult = self._call(operation, data, options)
        return result

    def versions_restore(self, data: types.AgentsVersionsRestoreRequest, **options: Unpack[CallOptions]) -> types.CurrentAgentVersionResult:
        """Restores the previous version of a custom agent.

        Deletes the current version; the previous one becomes current.

        **Errors**

        - NOT_FOUND: there is no such custom agent.
        - FAILED_PRECONDITION: the agent has no version before the current one.
        """
        operation = Operation("agents.versions_restore", "/v2/agents/versions/restore", True)
        result: types.CurrentAgentVersionResult = self._call(operation, data, options)
        return result


class UserData:
    """Everything that is stored about a user: export and erasure."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, data: types.UserDataGetRequest, **options: Unpack[CallOptions]) -> types.UserDataGetResult:
        """Lists all stored data of a user in an organization.

        Four lists, paged together.

        A list that has ended is empty on later pages. A list may be shorter than `pageSize` because of its size. Visibility is not checked: the data is the user's own.

        Paged by `pageToken`.
        """
        operation = Operation("user_data.get", "/v2/users/data/get", False)
        result: types.UserDataGetResult = self._call(operation, data, options)
        return result

    def get_pages(self, data: types.UserDataGetRequest, **options: Unpack[CallOptions]) -> Iterator[types.UserDataGetResult]:
        """The pages of `get`."""
        return paging.pages(self.get, data, "pageToken", ['nextPageToken'], options)

    def delete(self, data: types.UserDataDeleteRequest, **options: Unpack[CallOptions]) -> types.UserDataDeleteResult:
        """Starts the erasure of users' data.

        Starts a background job that erases users.

        The job ends memberships, rights and contacts, deletes what the users wrote and recorded, and replaces their name elsewhere by a deleted user. It also deletes what is written while it runs. An unknown user is no error. The reply has the members of `result` beside it, too, where callers of older clients read them.
        """
        operation = Operation("user_data.delete", "/v2/users/data/delete", True)
        result: types.UserDataDeleteResult = self._call(operation, data, options)
        return result

    def delete_status(self, data: types.UserDataDeleteStatusRequest, **options: Unpack[CallOptions]) -> types.UserDataDeleteStatusResult:
        """Shows the progress of an erasure.

        The progress of the job and of each of its tasks.

        **Errors**

        - NOT_FOUND: the job does not exist.
        """
        operation = Operation("user_data.delete_status", "/v2/users/data/delete/status", False)
        result: types.UserDataDeleteStatusResult = self._call(operation, data, options)
        return result


class Schedule:
    """Time travel for testing keys."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def test_clock_advance(self, data: types.ScheduleTestClockAdvanceRequest, **options: Unpack[CallOptions]) -> types.ScheduleTestClockAdvanceResult:
        """Moves the clock of a testing key.

        Moves the clock of a `testing` key forward.

        Delays, batch windows, retries and expiry follow that clock. Work that becomes due starts in the background. Timestamps of signatures keep the real time.

        **Errors**

        - FAILED_PRECONDITION: the API key is a production key.
        - RESOURCE_EXHAUSTED: all advances together exceed 100 years.
        """
        operation = Operation("schedule.test_clock_advance", "/v2/workspace/testclock/advance", True)
        result: types.ScheduleTestClockAdvanceResult = self._call(operation, data, options)
        return result


class Operations:
    """Every operation, by family."""

    def __init__(self, call: Call) -> None:
        self.operator = Operator(call)
        """Start here: the operator of the deployment creates workspaces with the admin token, and sets their limits. A workspace replaces its own token here."""
        self.workspace = Workspace(call)
        """A workspace has API keys, each a tenant of its own with auth tokens and settings."""
        self.organizations = Organizations(call)
        """An organization is a customer of the tenant. Users, documents and folders belong to one."""
        self.documents = Documents(call)
        """A document is what users collaborate on: a page, a file, a design. It has custom members."""
        self.folders = Folders(call)
        """Folders contain documents and folders. Access is inherited from the parent."""
        self.users = Users(call)
        """Users of organizations, documents and folders, and tokens for them."""
        self.user_groups = UserGroups(call)
        """Groups of the users of an organization."""
        self.permissions = Permissions(call)
        """Rights of a user for an organization, a folder or a document, apart from membership."""
        self.comments = Comments(call)
        """A comment annotation is a thread of comments, with status, priority, assignee, reactions and subscriptions."""
        self.notifications = Notifications(call)
        """Notifications of users, their preferences, and the trace that explains each delivery."""
        self.activities = Activities(call)
        """The activity log of a document."""
        self.webhook_endpoints = WebhookEndpoints(call)
        """Endpoints that receive events, and their signing secrets."""
        self.deliveries = Deliveries(call)
        """Messages to endpoints, the attempts to deliver them, and sending them again."""
        self.configuration = Configuration(call)
        """Services of an API key: activities, mails, notifications and webhooks."""
        self.presence = Presence(call)
        """Which users are in a document, and what they do there."""
        self.live_state = LiveState(call)
        """JSON that the users of a document share."""
        self.editors = Editors(call)
        """Content of shared editors (CRDT): replaced by callers, edited by peers with Yjs updates."""
        self.recordings = Recordings(call)
        """Recordings of screen, video and sound, with versions."""
        self.agents = Agents(call)
        """Agents that comment on documents, and their versions."""
        self.user_data = UserData(call)
        """Everything that is stored about a user: export and erasure."""
        self.schedule = Schedule(call)
        """Time travel for testing keys."""
