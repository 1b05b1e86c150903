// Written by clients/generate from openapi.json.

import type { Call, CallOptions } from "../call.js";
import { Family } from "../family.js";
import { items, pages } from "../pages.js";
import type * as types from "./types.js";

/**
 * Start here: the operator of the deployment creates workspaces with the admin token, and sets their limits. A workspace replaces its own token here.
 */
export class Operator extends Family {
  /**
   * Creates a workspace with its first API key.
   *
   * A workspace with its first API key.
   *
   * Only this reply has the auth token of the workspace: the service stores its hash.
   */
  workspaceCreate(data: types.OperatorWorkspaceCreateRequest, options?: CallOptions): Promise<types.OperatorWorkspaceCreateResult> {
    return this.writes("workspace_create", data, options);
  }

  /**
   * Changes the plan and limits of a workspace.
   *
   * Replies with the settings after the change.
   *
   * A member that is left out keeps its value. A maximum below the present number removes nothing.
   *
   * **Errors**
   *
   * - NOT_FOUND: the workspace does not exist.
   */
  workspaceUpdate(data: types.OperatorWorkspaceUpdateRequest, options?: CallOptions): Promise<types.OperatorWorkspaceUpdateResult> {
    return this.writes("workspace_update", data, options);
  }

  /**
   * Replaces the auth token of the workspace by a new one.
   *
   * Replies with the new token.
   *
   * The holder of the workspace token makes the call, or the operator of the deployment with `x-service-admin-token`. Only this reply has the token: the service stores its hash.
   *
   * **Errors**
   *
   * - RESOURCE_EXHAUSTED: five old tokens are still valid.
   */
  authTokenRotate(data: types.OperatorAuthTokenRotateRequest, options?: CallOptions): Promise<types.OperatorAuthTokenRotateResult> {
    return this.writes("auth_token_rotate", data, options, "/workspace/authtoken/rotate");
  }

  /**
   * Sets the rate limits of an API key.
   *
   * Replies with the effective limits.
   *
   * A member that is left out keeps its value, `null` returns to the default of the deployment, and 0 means no limit. Limits take effect within ten seconds, the time for which a function caches keys.
   *
   * **Errors**
   *
   * - NOT_FOUND: the API key does not exist.
   */
  apiKeyLimitsUpdate(data: types.OperatorApiKeyLimitsUpdateRequest, options?: CallOptions): Promise<types.OperatorApiKeyLimitsUpdateResult> {
    return this.writes("api_key_limits_update", data, options, "/workspace/apikey/limits/update");
  }

  /**
   * Seals the secrets of all tenants with the current key.
   *
   * Seals the secrets of all tenants with the current key, so that older keys can be dropped.
   *
   * Each call processes what its time allows and replies with where the next call continues.
   */
  secretsReseal(data?: types.OperatorSecretsResealRequest, options?: CallOptions): Promise<types.OperatorSecretsResealResult> {
    return this.writes("secrets_reseal", data, options, "/workspace/secrets/reseal");
  }

  /**
   * Repeats deletions of earlier versions that left something.
   *
   * Repeats deletions of earlier versions that left something behind, once after the update from such a version. The ordinary clean-up does the rest.
   *
   * Each call processes what its time allows and replies with where the next call continues.
   */
  deletionsRepair(data?: types.OperatorDeletionsRepairRequest, options?: CallOptions): Promise<types.OperatorDeletionsRepairResult> {
    return this.writes("deletions_repair", data, options, "/workspace/deletions/repair");
  }
}

/**
 * A workspace has API keys, each a tenant of its own with auth tokens and settings.
 */
export class Workspace extends Family {
  /**
   * Shows the workspace and its API keys.
   *
   * The workspace that makes the call.
   *
   * The reply is that of its creation without `authToken`: the service stores its hash only.
   */
  get(options?: CallOptions): Promise<types.WorkspaceGetResult> {
    return this.reads("get", {}, options);
  }

  /**
   * Creates an API key.
   *
   * Creates a key with the given configurations.
   *
   * **Errors**
   *
   * - PERMISSION_DENIED: the workspace may not create production keys itself.
   * - FAILED_PRECONDITION: a production key needs a paid plan.
   * - RESOURCE_EXHAUSTED: the workspace has the maximum number of keys of this type, or the domains have more than 16,384 characters.
   */
  apiKeyCreate(data: types.WorkspaceApiKeyCreateRequest, options?: CallOptions): Promise<types.WorkspaceApiKeyCreateResult> {
    return this.writes("api_key_create", data, options, "/workspace/apikey/create");
  }

  /**
   * Renames an API key.
   *
   * Changes the name of the key, and whether it may be used.
   *
   * Calls with a disabled key are refused within ten seconds, the time for which a function caches keys. Background work that has started continues.
   *
   * **Errors**
   *
   * - NOT_FOUND: the workspace has no such API key.
   */
  apiKeyUpdate(data: types.WorkspaceApiKeyUpdateRequest, options?: CallOptions): Promise<types.EmptyResult> {
    return this.writes("api_key_update", data, options, "/workspace/apikey/update");
  }

  /**
   * Lists the API keys of the workspace.
   *
   * The API keys of the workspace that makes the call.
   *
   * Paged by `pageToken`.
   */
  apiKeysGet(data?: types.WorkspaceApiKeysGetRequest, options?: CallOptions): Promise<types.WorkspaceApiKeysGetResult> {
    return this.reads("api_keys_get", data, options, "/workspace/apikeys/get");
  }

  /** The pages of `apiKeysGet`. */
  apiKeysGetPages(data?: types.WorkspaceApiKeysGetRequest, options?: CallOptions): AsyncGenerator<types.WorkspaceApiKeysGetResult, void> {
    const get = (page: object) => this.apiKeysGet({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `apiKeysGet`, from page to page, without unknown ones. */
  apiKeysGetAll(data?: types.WorkspaceApiKeysGetRequest, options?: CallOptions): AsyncGenerator<types.ApiKey, void> {
    return items(this.apiKeysGetPages(data, options));
  }

  /**
   * Lists the auth tokens of an API key.
   *
   * The tokens of one API key.
   *
   * **Errors**
   *
   * - NOT_FOUND: the workspace has no such API key.
   */
  authTokensGet(data: types.WorkspaceAuthTokensGetRequest, options?: CallOptions): Promise<types.WorkspaceAuthTokensGetResult> {
    return this.reads("auth_tokens_get", data, options, "/workspace/authtokens/get");
  }

  /**
   * Replaces every auth token of an API key by a new one.
   *
   * Replies with the new token.
   *
   * Other tokens stay valid for `gracePeriodSeconds`. Without a grace period they are refused within ten seconds, the time for which a function caches tokens, and so are all tokens of end users that were issued with them, also within these seconds, because whoever has an auth token can issue them.
   *
   * **Errors**
   *
   * - NOT_FOUND: the workspace has no such API key.
   * - RESOURCE_EXHAUSTED: five old tokens are still valid.
   */
  authTokenReset(data: types.WorkspaceAuthTokenResetRequest, options?: CallOptions): Promise<types.WorkspaceAuthTokenResetResult> {
    return this.writes("auth_token_reset", data, options, "/workspace/authtoken/reset");
  }

  /**
   * Shows the settings of the API key.
   *
   * The settings of the API key that makes the call.
   */
  apiKeyConfigGet(options?: CallOptions): Promise<types.WorkspaceApiKeyConfigGetResult> {
    return this.reads("api_key_config_get", {}, options, "/workspace/apikeyconfig/get");
  }

  /**
   * Changes settings of the API key.
   *
   * Replies with the settings that were sent.
   *
   * A member that is left out keeps its value, also within `features` and among the keys of AI providers. The reply masks the keys of AI providers.
   */
  apiKeyConfigUpdate(data: types.WorkspaceApiKeyConfigUpdateRequest, options?: CallOptions): Promise<types.WorkspaceApiKeyConfigUpdateResult> {
    return this.writes("api_key_config_update", data, options, "/workspace/apikeyconfig/update");
  }

  /**
   * Allows domains to use the API key.
   *
   * Allows pages of the domains to use the API key.
   *
   * `localhost` and `127.0.0.1` are one switch of the key. Adding a known domain succeeds.
   *
   * **Errors**
   *
   * - RESOURCE_EXHAUSTED: the key would have more than 200 domains, or 16,384 characters of them.
   */
  domainsAdd(data: types.WorkspaceDomainsAddRequest, options?: CallOptions): Promise<types.WorkspaceDomainsAddResult> {
    return this.writes("domains_add", data, options);
  }

  /**
   * Removes allowed domains of the API key.
   *
   * Pages of the domains may no longer use the API key.
   *
   * `localhost` and `127.0.0.1` are one switch of the key. Removing an unknown domain succeeds.
   */
  domainsDelete(data: types.WorkspaceDomainsDeleteRequest, options?: CallOptions): Promise<types.WorkspaceDomainsDeleteResult> {
    return this.writes("domains_delete", data, options);
  }

  /**
   * Lists the allowed domains of the API key.
   *
   * The domains whose pages may use the API key.
   */
  domainsGet(options?: CallOptions): Promise<types.WorkspaceDomainsGetResult> {
    return this.reads("domains_get", {}, options);
  }

  /**
   * Deletes an API key with all data of its tenant.
   *
   * Deletes the key and all data of its tenant.
   *
   * The key leaves the list at once. Calls with it are refused within ten seconds, the time for which a function caches keys. A background job deletes its data, and its own record a day later.
   *
   * **Errors**
   *
   * - NOT_FOUND: the workspace has no such API key.
   */
  apiKeyDelete(data: types.WorkspaceApiKeyDeleteRequest, options?: CallOptions): Promise<types.EmptyResult> {
    return this.writes("api_key_delete", data, options, "/workspace/apikey/delete");
  }
}

/**
 * An organization is a customer of the tenant. Users, documents and folders belong to one.
 */
export class Organizations extends Family {
  /**
   * Adds organizations.
   *
   * Replies with one entry per organization.
   *
   * Custom members are stored as they are sent, except `null`.
   *
   * **Errors**
   *
   * - An entry fails when its organization exists.
   */
  add(data: types.OrganizationsAddRequest, options?: CallOptions): Promise<types.OrganizationResults> {
    return this.writes("add", data, options);
  }

  /**
   * Lists organizations, page by page or by id.
   *
   * Organizations with their custom members, in the order of their ids.
   *
   * `organizationIds` lists those that exist; without it the list has all.
   *
   * Paged by `pageToken`.
   */
  get(data?: types.OrganizationsGetRequest, options?: CallOptions): Promise<types.OrganizationsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data?: types.OrganizationsGetRequest, options?: CallOptions): AsyncGenerator<types.OrganizationsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data?: types.OrganizationsGetRequest, options?: CallOptions): AsyncGenerator<types.Organization, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Renames organizations and changes their custom members.
   *
   * Replies with one entry per organization.
   *
   * A member that is left out keeps its value. A custom member replaces the stored one as a whole; `null` removes it. The name cannot be removed: `null` keeps it.
   *
   * **Errors**
   *
   * - An entry fails when its organization does not exist.
   */
  update(data: types.OrganizationsUpdateRequest, options?: CallOptions): Promise<types.OrganizationResults> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes organizations, and their data in the background.
   *
   * Replies with one entry per organization.
   *
   * The organizations are gone at once; a background job deletes what they contain.
   *
   * **Errors**
   *
   * - An entry fails when its organization does not exist.
   */
  delete(data: types.OrganizationsDeleteRequest, options?: CallOptions): Promise<types.OrganizationResults> {
    return this.writes("delete", data, options);
  }

  /**
   * Locks the end users of organizations out, or lets them in again.
   *
   * Replies with one entry per organization.
   *
   * **Errors**
   *
   * - An entry fails when its organization does not exist.
   */
  disable(data: types.OrganizationsDisableRequest, options?: CallOptions): Promise<types.OrganizationsDisableResult> {
    return this.writes("disable", data, options, "/organizations/access/disablestate/update");
  }
}

/**
 * A document is what users collaborate on: a page, a file, a design. It has custom members.
 */
export class Documents extends Family {
  /**
   * Adds documents to an organization or a folder of it.
   *
   * Replies with one entry per document.
   *
   * Custom members are stored as they are sent, except `null`.
   *
   * **Errors**
   *
   * - An entry fails when its document exists, or the organization or the folder does not.
   */
  add(data: types.DocumentsAddRequest, options?: CallOptions): Promise<types.DocumentResults> {
    return this.writes("add", data, options);
  }

  /**
   * Lists documents by id, by folder or all, page by page.
   *
   * Documents with their custom members, in the order of their ids.
   *
   * `documentIds` lists those that exist; the ids of others are in `missing`, beside `data`. `folderId` lists the documents directly in the folder, `root` those in no folder. Filters combine; without a filter the list has all documents.
   *
   * Paged by `pageToken`.
   */
  get(data: types.DocumentsGetRequest, options?: CallOptions): Promise<types.DocumentsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.DocumentsGetRequest, options?: CallOptions): AsyncGenerator<types.DocumentsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.DocumentsGetRequest, options?: CallOptions): AsyncGenerator<types.Document, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Counts documents of an organization, of a folder or of none.
   *
   * The number of documents that `documents.get` lists.
   *
   * An unknown organization has none. A count reads the whole list.
   */
  count(data: types.DocumentsCountRequest, options?: CallOptions): Promise<types.CountResult> {
    return this.reads("count", data, options, "/organizations/documents/count/get");
  }

  /**
   * Renames documents and changes their custom members.
   *
   * Replies with one entry per document.
   *
   * A member that is left out keeps its value. A custom member replaces the stored one as a whole; `null` removes it. The name cannot be removed. Other operations change the folder and the access.
   *
   * **Errors**
   *
   * - An entry fails when its document does not exist.
   */
  update(data: types.DocumentsUpdateRequest, options?: CallOptions): Promise<types.DocumentResults> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes documents, and their data in the background.
   *
   * Replies with one entry per document.
   *
   * The documents are gone at once; a background job deletes their data.
   *
   * **Errors**
   *
   * - An entry fails when its document does not exist.
   */
  delete(data: types.DocumentsDeleteRequest, options?: CallOptions): Promise<types.DocumentResults> {
    return this.writes("delete", data, options);
  }

  /**
   * Moves documents into a folder or out of any, all of them or none.
   *
   * Moves all documents or none.
   *
   * **Errors**
   *
   * - NOT_FOUND: a document or the folder does not exist.
   */
  moveDocuments(data: types.DocumentsMoveDocumentsRequest, options?: CallOptions): Promise<types.Success> {
    return this.writes("move_documents", data, options, "/organizations/documents/move");
  }

  /**
   * Sets the access type of documents.
   *
   * Replies with one entry per document.
   *
   * **Errors**
   *
   * - An entry fails when its document does not exist.
   */
  accessUpdate(data: types.DocumentsAccessUpdateRequest, options?: CallOptions): Promise<types.DocumentsAccessUpdateResult> {
    return this.writes("access_update", data, options);
  }

  /**
   * Locks the end users of documents out, or lets them in again.
   *
   * Replies with one entry per document.
   *
   * **Errors**
   *
   * - An entry fails when its document does not exist.
   */
  disable(data: types.DocumentsDisableRequest, options?: CallOptions): Promise<types.DocumentsDisableResult> {
    return this.writes("disable", data, options, "/organizations/documents/access/disablestate/update");
  }
}

/**
 * Folders contain documents and folders. Access is inherited from the parent.
 */
export class Folders extends Family {
  /**
   * Adds folders to an organization.
   *
   * Replies with one entry per folder.
   *
   * The parent of a folder may be an earlier folder of the same request.
   *
   * **Errors**
   *
   * - An entry fails when its folder exists, its parent does not, or the organization is full.
   */
  add(data: types.FoldersAddRequest, options?: CallOptions): Promise<types.FolderResults> {
    return this.writes("add", data, options);
  }

  /**
   * Lists the folders of an organization, flat or as a tree.
   *
   * Folders, flat or nested.
   *
   * Without `folderId` and `maxDepth`, the list has every folder. With `folderId`, it has that folder with one level of `subFolders`, or as many as `maxDepth` says. With `maxDepth` alone, it has the top-level folders, nested. Pages count all folders, the children of the named folder, or the top-level folders.
   *
   * **Errors**
   *
   * - NOT_FOUND: the folder does not exist.
   * - FAILED_PRECONDITION: advanced queries are switched off for the API key.
   *
   * Paged by `pageToken`.
   */
  get(data: types.FoldersGetRequest, options?: CallOptions): Promise<types.FoldersGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.FoldersGetRequest, options?: CallOptions): AsyncGenerator<types.FoldersGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.FoldersGetRequest, options?: CallOptions): AsyncGenerator<types.Folder, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Renames folders, or moves them with everything below them.
   *
   * Replies with one entry per folder.
   *
   * A member that is left out keeps its value. A folder moves with everything in it. It cannot move into itself or below itself.
   *
   * **Errors**
   *
   * - An entry fails when its folder or the new parent does not exist.
   */
  update(data: types.FoldersUpdateRequest, options?: CallOptions): Promise<types.FolderResults> {
    return this.writes("update", data, options);
  }

  /**
   * Sets the access type of folders, or lets them inherit it.
   *
   * Replies with one entry per folder.
   *
   * **Errors**
   *
   * - An entry fails when its folder does not exist.
   */
  accessUpdate(data: types.FoldersAccessUpdateRequest, options?: CallOptions): Promise<types.FoldersAccessUpdateResult> {
    return this.writes("access_update", data, options);
  }

  /**
   * Deletes a folder, and its contents in the background.
   *
   * Deletes the folder and everything in it.
   *
   * The folder is gone at once; a background job deletes its subfolders and documents.
   *
   * **Errors**
   *
   * - NOT_FOUND: the folder does not exist.
   */
  delete(data: types.FoldersDeleteRequest, options?: CallOptions): Promise<types.EmptyResult> {
    return this.writes("delete", data, options);
  }
}

/**
 * Users of organizations, documents and folders, and tokens for them.
 */
export class Users extends Family {
  /**
   * Adds users to an organization, a document or a folder.
   *
   * Replies with one entry per user.
   *
   * An existing user is replaced; the role stays unless one is sent. An organization that does not exist is created.
   *
   * **Errors**
   *
   * - An entry fails when the document or folder does not exist.
   */
  add(data: types.UsersAddRequest, options?: CallOptions): Promise<types.UserResults> {
    return this.writes("add", data, options);
  }

  /**
   * Lists users of an organization, of a document, of a folder or of all documents.
   *
   * Users of the organization, or of a document, a folder or all documents when named.
   *
   * Filters combine; an empty filter does not apply.
   *
   * An end user names users by id or by the beginning of their names, in an organization or a document in which the caller has a right as well, and learns who they are, but no address and no role.
   *
   * Paged by `pageToken`.
   */
  get(data: types.UsersGetRequest & { groupByDocumentId?: false | null }, options?: CallOptions): Promise<Omit<types.UsersGetResult, "data"> & { data: Extract<types.UsersGetResult["data"], unknown[]> }>;
  get(data: types.UsersGetRequest, options?: CallOptions): Promise<types.UsersGetResult>;
  get(data: types.UsersGetRequest, options?: CallOptions): Promise<types.UsersGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.UsersGetRequest, options?: CallOptions): AsyncGenerator<types.UsersGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.UsersGetRequest, options?: CallOptions): AsyncGenerator<types.User, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Counts users of an organization, of a document or of all documents.
   *
   * The number of users that `users.get` lists with the same filters.
   *
   * An unknown organization has none. A count reads the whole list.
   */
  count(data: types.UsersCountRequest, options?: CallOptions): Promise<types.CountResult> {
    return this.reads("count", data, options, "/users/count/get");
  }

  /**
   * Changes users.
   *
   * Replies with one entry per user.
   *
   * A member that is left out keeps its value. Only the v2 path changes roles.
   *
   * **Errors**
   *
   * - An entry fails when its user does not exist.
   */
  update(data: types.UsersUpdateRequest, options?: CallOptions): Promise<types.UserResults> {
    return this.writes("update", data, options);
  }

  /**
   * Removes users from an organization, a document or a folder.
   *
   * Replies with one entry per user.
   *
   * A user who leaves the organization leaves its documents, folders and groups, too, in the background. A user who leaves a document or a folder leaves nothing else. Rights of the user in tokens that were issued before end, too: all in the organization, or those in the document or folder. They end at once for later calls, and within ten seconds on connections of the live channel (contract `access.removal`).
   *
   * **Errors**
   *
   * - An entry fails when its user does not exist.
   */
  delete(data: types.UsersDeleteRequest, options?: CallOptions): Promise<types.ItemOutcomes> {
    return this.writes("delete", data, options);
  }

  /**
   * Issues a token to an end user.
   *
   * A token that is valid for 48 hours, or for `expiresIn`.
   *
   * A user id names one person in all organizations of the key: the token acts as this person wherever stored rights, its resources or a public document let it. `POST /v1/auth/token/get` takes the credentials in the body, and one organization instead of resources; that token is valid in its organization only.
   *
   * With the setting `requireAutoOrgUser` of the key, a user becomes a member of an organization with the first access, if the token names the organization itself, without `expiresAt`.
   *
   * **Errors**
   *
   * - PERMISSION_DENIED: a resource is a disabled organization, in one, or a disabled document.
   */
  generateToken(data: types.UsersGenerateTokenRequest, options?: CallOptions): Promise<types.UsersGenerateTokenResult> {
    return this.reads("generate_token", data, options, "/auth/generate_token");
  }
}

/**
 * Groups of the users of an organization.
 */
export class UserGroups extends Family {
  /**
   * Adds user groups to an organization.
   *
   * Replies with one entry per group.
   *
   * An existing group takes the name that is sent, and keeps its own without one.
   *
   * **Errors**
   *
   * - An entry fails when the organization does not exist and `createOrganization` is not true.
   */
  add(data: types.UserGroupsAddRequest, options?: CallOptions): Promise<types.UserGroupsAddResult> {
    return this.writes("add", data, options);
  }

  /**
   * Lists user groups with their members.
   *
   * Groups with their members.
   *
   * An end user of the organization names groups, and learns their names.
   *
   * Paged by `pageToken`.
   */
  get(data: types.UserGroupsGetRequest, options?: CallOptions): Promise<types.UserGroupsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.UserGroupsGetRequest, options?: CallOptions): AsyncGenerator<types.UserGroupsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.UserGroupsGetRequest, options?: CallOptions): AsyncGenerator<types.UserGroup, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Deletes user groups; their memberships end in the background.
   *
   * Replies with one entry per group.
   *
   * A background job ends the memberships.
   *
   * **Errors**
   *
   * - An entry fails when its group does not exist.
   */
  delete(data: types.UserGroupsDeleteRequest, options?: CallOptions): Promise<types.ItemOutcomes> {
    return this.writes("delete", data, options);
  }

  /**
   * Adds users of the organization to a user group.
   *
   * Replies with one entry per user.
   *
   * Only users of the organization can join. A user can be in many groups.
   *
   * **Errors**
   *
   * - NOT_FOUND: the group or the organization does not exist.
   * - An entry fails when its user is not in the organization, or the group is full.
   */
  usersAdd(data: types.UserGroupsUsersAddRequest, options?: CallOptions): Promise<types.UserGroupMemberResults> {
    return this.writes("users_add", data, options);
  }

  /**
   * Removes users from a user group, or all of them.
   *
   * Replies with one entry per user, or per removed user with `deleteAll`.
   *
   * **Errors**
   *
   * - NOT_FOUND: the group or the organization does not exist.
   * - An entry fails when its user is not in the group.
   */
  usersDelete(data: types.UserGroupsUsersDeleteRequest, options?: CallOptions): Promise<types.UserGroupMemberResults> {
    return this.writes("users_delete", data, options);
  }
}

/**
 * Rights of a user for an organization, a folder or a document, apart from membership.
 */
export class Permissions extends Family {
  /**
   * Gives a user or a user group rights for organizations, folders and documents.
   *
   * Adds rights of a user or a group, or changes their role and expiry.
   *
   * A right of a user may precede its resource. One of a group stands with the resource.
   *
   * **Errors**
   *
   * - NOT_FOUND: the group or a resource of its rights does not exist.
   * - RESOURCE_EXHAUSTED: a resource has the maximum number of groups with a right.
   */
  add(data: types.PermissionsAddRequest, options?: CallOptions): Promise<types.Success> {
    return this.writes("add", data, options);
  }

  /**
   * Lists the rights of users or user groups in an organization, its folders and its documents.
   *
   * Rights of users by membership, by grant and by their groups, or those that groups give.
   *
   * **Errors**
   *
   * - NOT_FOUND: a folder or a document does not exist, unless `skipResourceExistenceValidation` is true. `error.details` holds the permissions that were found.
   */
  get(data: types.PermissionsGetRequest, options?: CallOptions): Promise<types.PermissionsGetResult> {
    return this.reads("get", data, options);
  }

  /**
   * Removes rights of a user or a user group.
   *
   * Removes granted rights.
   *
   * A right that was not granted is no error. A right of the user in a token that was issued before ends, too: at once for later calls, and within ten seconds on connections of the live channel (contract `access.removal`).
   */
  remove(data: types.PermissionsRemoveRequest, options?: CallOptions): Promise<types.Success> {
    return this.writes("remove", data, options);
  }
}

/**
 * A comment annotation is a thread of comments, with status, priority, assignee, reactions and subscriptions.
 */
export class Comments extends Family {
  /**
   * Adds threads of comments to a document.
   *
   * Replies with one entry per thread.
   *
   * The author of a thread is the author of its first comment.
   *
   * **Errors**
   *
   * - PERMISSION_DENIED: an end user begins a private thread, and the API key does not allow that (`enablePrivateComments`).
   * - An entry fails when the organization, the document or an agent does not exist, the id is taken, or, with `verifyUserPermissions`, an author has no right to the document; and when its anchor is not in the text, or has a mark that the API key does not name.
   *
   * **Events**
   *
   * `comment_annotation.add`, `comment.add`
   */
  annotationsAdd(data: types.CommentsAnnotationsAddRequest, options?: CallOptions): Promise<types.CommentsAnnotationsAddResult> {
    return this.writes("annotations_add", data, options, "/commentannotations/add");
  }

  /**
   * Lists threads of comments, the newest first.
   *
   * Threads with their comments, the newest thread first unless `order` says otherwise.
   *
   * Threads are sorted by creation time: a reply does not move a thread. With `annotationIds`, the list has their order, and `null` for an id that does not exist. The list comes from an index: a thread added a moment ago may be missing unless document and id are named.
   *
   * The list shows the first and the newest comments of a long thread, at most 100 if the thread is selected by id. `commentsCount` is the number of all comments; `comments/get` lists them.
   *
   * An end user learns which threads are `unread`.
   *
   * Paged by `pageToken`.
   */
  annotationsGet(data: types.CommentsAnnotationsGetRequest & { groupByDocumentId?: false | null }, options?: CallOptions): Promise<Omit<types.CommentsAnnotationsGetResult, "data"> & { data: Extract<types.CommentsAnnotationsGetResult["data"], unknown[]> }>;
  annotationsGet(data: types.CommentsAnnotationsGetRequest, options?: CallOptions): Promise<types.CommentsAnnotationsGetResult>;
  annotationsGet(data: types.CommentsAnnotationsGetRequest, options?: CallOptions): Promise<types.CommentsAnnotationsGetResult> {
    return this.reads("annotations_get", data, options, "/commentannotations/get");
  }

  /** The pages of `annotationsGet`. */
  annotationsGetPages(data: types.CommentsAnnotationsGetRequest, options?: CallOptions): AsyncGenerator<types.CommentsAnnotationsGetResult, void> {
    const get = (page: object) => this.annotationsGet({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `annotationsGet`, from page to page, without unknown ones. */
  annotationsGetAll(data: types.CommentsAnnotationsGetRequest, options?: CallOptions): AsyncGenerator<types.CommentAnnotation, void> {
    return items(this.annotationsGetPages(data, options));
  }

  /**
   * Changes threads of comments: status, priority, assignee, visibility and more.
   *
   * Replies with one entry per thread.
   *
   * A member that is left out keeps its value; `null` clears it. Without `annotationIds`, the call changes every thread of the document that the other filters match.
   *
   * **Errors**
   *
   * - An entry fails when its thread does not exist, or the change does not fit its state.
   *
   * **Events**
   *
   * `comment_annotation.assign`, `comment_annotation.status_change`, `comment_annotation.priority_change`, `comment_annotation.suggestion_accept`, `comment_annotation.suggestion_reject`
   */
  annotationsUpdate(data: types.CommentsAnnotationsUpdateRequest, options?: CallOptions): Promise<types.CommentAnnotationResults> {
    return this.writes("annotations_update", data, options, "/commentannotations/update");
  }

  /**
   * Deletes threads of comments.
   *
   * Replies with one entry per thread.
   *
   * Without `annotationIds`, the call deletes every thread of the document that the other filters match.
   *
   * An end user names threads, and deletes those that the user began and in which nobody else commented.
   *
   * Without `organizationId`, it is the only organization that has the document.
   *
   * **Errors**
   *
   * - NOT_FOUND: no organization is named, and none has the document.
   * - INVALID_ARGUMENT: no organization is named, and several have the document.
   * - NOT_FOUND: threads are selected by agent while advanced queries are switched off.
   * - An entry fails when its thread does not exist, or an end user may not delete it.
   */
  annotationsDelete(data: types.CommentsAnnotationsDeleteRequest, options?: CallOptions): Promise<types.CommentAnnotationResults> {
    return this.writes("annotations_delete", data, options, "/commentannotations/delete");
  }

  /**
   * Counts threads of comments by document, and those a user has not read.
   *
   * Counts by document.
   *
   * Only threads that the user may see are counted. A thread is unread when its latest comment is by another user and newer than the user's seen mark.
   */
  annotationsCount(data: types.CommentsAnnotationsCountRequest, options?: CallOptions): Promise<types.CommentsAnnotationsCountResult> {
    return this.reads("annotations_count", data, options, "/commentannotations/count/get");
  }

  /**
   * Subscribes a user to a thread of comments.
   *
   * Subscribes a user explicitly.
   *
   * A user who was subscribed by a mention or as an author then counts as subscribed explicitly.
   *
   * **Errors**
   *
   * - NOT_FOUND: the thread does not exist.
   *
   * **Events**
   *
   * `comment_annotation.subscribe`
   */
  annotationsSubscribe(data: types.CommentsAnnotationsSubscribeRequest, options?: CallOptions): Promise<types.DoneResult> {
    return this.writes("annotations_subscribe", data, options, "/commentannotations/subscribe");
  }

  /**
   * Unsubscribes a user from a thread of comments.
   *
   * Mentions do not subscribe the user again.
   *
   * The user can subscribe again.
   *
   * **Errors**
   *
   * - NOT_FOUND: the thread does not exist.
   *
   * **Events**
   *
   * `comment_annotation.unsubscribe`
   */
  annotationsUnsubscribe(data: types.CommentsAnnotationsUnsubscribeRequest, options?: CallOptions): Promise<types.DoneResult> {
    return this.writes("annotations_unsubscribe", data, options, "/commentannotations/unsubscribe");
  }

  /**
   * Adds comments to a thread.
   *
   * Replies with the ids of the comments.
   *
   * Up to 50 comments are added together or not at all. Of a call with more, an interrupted one may have added the first ones; the same call again adds the rest (decision 24).
   *
   * **Errors**
   *
   * - NOT_FOUND: the organization, the document, the thread or an agent does not exist.
   * - ALREADY_EXISTS: the thread has a comment with the id.
   * - PERMISSION_DENIED: with `verifyUserPermissions`, an author has no right to the document.
   *
   * **Events**
   *
   * `comment.add`
   */
  add(data: types.CommentsAddRequest, options?: CallOptions): Promise<types.CommentsAddResult> {
    return this.writes("add", data, options);
  }

  /**
   * Lists the comments of a thread.
   *
   * Comments in the order of the thread.
   *
   * With `commentIds`, the list has their order, and `null` for an id that does not exist.
   *
   * Paged by `pageToken`.
   */
  get(data: types.CommentsGetRequest, options?: CallOptions): Promise<types.CommentsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.CommentsGetRequest, options?: CallOptions): AsyncGenerator<types.CommentsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.CommentsGetRequest, options?: CallOptions): AsyncGenerator<types.Comment, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Edits comments of a thread.
   *
   * Replies with one entry per comment.
   *
   * A member that is left out keeps its value; `null` clears it.
   *
   * **Errors**
   *
   * - An entry fails when its comment or the thread does not exist.
   *
   * **Events**
   *
   * `comment.update`
   */
  update(data: types.CommentsUpdateRequest, options?: CallOptions): Promise<types.CommentResults> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes comments of a thread.
   *
   * Replies with one entry per comment.
   *
   * Without `commentIds`, the call deletes all comments. The thread stays.
   *
   * **Errors**
   *
   * - NOT_FOUND: `commentIds` is absent, and the thread does not exist.
   * - An entry fails when its comment does not exist.
   *
   * **Events**
   *
   * `comment.delete`
   */
  delete(data: types.CommentsDeleteRequest, options?: CallOptions): Promise<types.CommentResults> {
    return this.writes("delete", data, options);
  }

  /**
   * Adds a reaction of a user to a comment.
   *
   * A comment has one reaction per icon, with every user who chose it.
   *
   * A second reaction of the user with the icon changes nothing.
   *
   * **Errors**
   *
   * - NOT_FOUND: the thread or the comment does not exist.
   *
   * **Events**
   *
   * `comment.reaction_add`
   */
  reactionsAdd(data: types.CommentsReactionsAddRequest, options?: CallOptions): Promise<types.CommentsReactionsAddResult> {
    return this.writes("reactions_add", data, options);
  }

  /**
   * Removes a reaction of a user from a comment.
   *
   * Removes the user from the reaction.
   *
   * The reaction is deleted with its last user.
   *
   * **Errors**
   *
   * - NOT_FOUND: the thread, the comment or the reaction does not exist.
   *
   * **Events**
   *
   * `comment.reaction_delete`
   */
  reactionsDelete(data: types.CommentsReactionsDeleteRequest, options?: CallOptions): Promise<types.CommentsReactionsDeleteResult> {
    return this.writes("reactions_delete", data, options);
  }
}

/**
 * Notifications of users, their preferences, and the trace that explains each delivery.
 */
export class Notifications extends Family {
  /**
   * Adds a notification for named users, or for everyone with access to its document.
   *
   * Stores a custom notification.
   *
   * An existing id adds nothing. The notification is stored even if the notification service is off, and may also be sent by mail.
   *
   * **Errors**
   *
   * - NOT_FOUND: the organization or the document does not exist.
   *
   * **Events**
   *
   * `notification.add`
   */
  add(data: types.NotificationsAddRequest, options?: CallOptions): Promise<types.NotificationsAddResult> {
    return this.writes("add", data, options);
  }

  /**
   * Lists notifications by document, location, user or id.
   *
   * Notifications, the newest first.
   *
   * The v2 path has pages and an order; the v1 path replies with up to 1,000 notifications. With `userId`, the list contains only notifications the user may see: a notification about a thread requires access to the thread.
   *
   * Paged by `pageToken`.
   */
  get(data: types.NotificationsGetRequest, options?: CallOptions): Promise<types.NotificationsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.NotificationsGetRequest, options?: CallOptions): AsyncGenerator<types.NotificationsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.NotificationsGetRequest, options?: CallOptions): AsyncGenerator<types.Notification, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Counts the unread notifications of a user.
   *
   * How many notifications of a user are unread, and how many of them came after the user saw the inbox last.
   *
   * Only notifications that the user may see are counted: the newest hundred since all were read. `hasMore` says that there are older ones.
   */
  count(data: types.NotificationsCountRequest, options?: CallOptions): Promise<types.NotificationsCountResult> {
    return this.reads("count", data, options, "/notifications/count/get");
  }

  /**
   * Changes notifications and marks them read.
   *
   * Replies with one entry per notification.
   *
   * A member that is left out keeps its value; `readByUserIds` are added to the stored ones. Filters limit the call to notifications that pass them.
   *
   * With `all` instead of `notifications`, up to a hundred unread notifications of `userId` are marked as read by that user, and the reply has no entries: repeat the call while `hasMore` is true.
   *
   * **Errors**
   *
   * - An entry fails when its notification does not exist or does not pass the filters.
   */
  update(data: types.NotificationsUpdateRequest, options?: CallOptions): Promise<types.NotificationsUpdateResult> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes notifications by id, or those of a document, a location or a user.
   *
   * Replies with one entry per notification.
   *
   * With ids, the call deletes those that pass the other filters; without ids, up to 500 that pass them: repeat the call for the rest. With `userId`, a notification of an event is deleted for that user alone, and a custom one for all; without ids, one to everybody that does not name the user stays. An end user names notifications, and deletes them for nobody else.
   *
   * **Errors**
   *
   * - An entry fails when its notification does not exist or does not pass the filters.
   */
  delete(data: types.NotificationsDeleteRequest, options?: CallOptions): Promise<types.NotificationsDeleteResult> {
    return this.writes("delete", data, options);
  }

  /**
   * Marks a thread, or the inbox, as seen by a user.
   *
   * Sets the user's seen mark of a thread to now, or, without a thread, that of the inbox.
   *
   * A mark never moves backwards. For the tenant's own server the thread need not exist. An end user gets NOT_FOUND for a thread that does not exist, and for one that the user may not see.
   */
  seen(data: types.NotificationsSeenRequest, options?: CallOptions): Promise<types.DoneResult> {
    return this.writes("seen", data, options);
  }

  /**
   * Sets notification preferences of users.
   *
   * Replies with one entry per user.
   *
   * The preference applies to the named documents, or, without documents, to all documents without a preference of their own. A channel that is left out keeps its value. Users and documents need not exist.
   *
   * **Errors**
   *
   * - PERMISSION_DENIED: an end user sets the preference of an organization without any right there.
   * - FAILED_PRECONDITION: preferences of users are switched off for the API key.
   */
  configSet(data: types.NotificationsConfigSetRequest, options?: CallOptions): Promise<types.NotificationsConfigSetResult> {
    return this.writes("config_set", data, options);
  }

  /**
   * Shows the notification preferences of a user.
   *
   * The effective preferences.
   *
   * A document has its own preference, or else that of the organization, or else the default, channel by channel.
   */
  configGet(data: types.NotificationsConfigGetRequest, options?: CallOptions): Promise<types.NotificationsConfigGetResult> {
    return this.reads("config_get", data, options);
  }

  /**
   * Shows the delivery state of events, for each recipient and channel.
   *
   * The delivery state of each event, for each recipient and channel.
   *
   * A decision (pending, delivered, dropped) is kept for two weeks, an event for 90 days. A user whose preference excluded an event when it happened is not recorded (rule N4). Ask for an event by its id to learn that the service or its trigger was off.
   *
   * Paged by `pageToken`.
   */
  traceGet(data: types.NotificationsTraceGetRequest, options?: CallOptions): Promise<types.NotificationsTraceGetResult> {
    return this.reads("trace_get", data, options);
  }

  /** The pages of `traceGet`. */
  traceGetPages(data: types.NotificationsTraceGetRequest, options?: CallOptions): AsyncGenerator<types.NotificationsTraceGetResult, void> {
    const get = (page: object) => this.traceGet({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `traceGet`, from page to page, without unknown ones. */
  traceGetAll(data: types.NotificationsTraceGetRequest, options?: CallOptions): AsyncGenerator<types.TraceRow, void> {
    return items(this.traceGetPages(data, options));
  }
}

/**
 * The activity log of a document.
 */
export class Activities extends Family {
  /**
   * Adds activities to a document, or replaces them.
   *
   * Replies with one entry per activity.
   *
   * An existing activity is replaced, including its time, unless it is immutable. The current configuration decides whether the new record is immutable. The document need not exist.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: the activity service is not enabled.
   */
  add(data: types.ActivitiesAddRequest, options?: CallOptions): Promise<types.ActivitiesAddResult> {
    return this.writes("add", data, options);
  }

  /**
   * Lists activities by document, target, user, kind or id, page by page.
   *
   * Activities by time, the newest first unless `order` says otherwise.
   *
   * Filters combine. The list comes from an index: an activity added a moment ago may be missing unless its id is named. A page may hold fewer activities than `pageSize` when filters combine.
   *
   * Paged by `pageToken`.
   */
  get(data: types.ActivitiesGetRequest, options?: CallOptions): Promise<types.ActivitiesGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.ActivitiesGetRequest, options?: CallOptions): AsyncGenerator<types.ActivitiesGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.ActivitiesGetRequest, options?: CallOptions): AsyncGenerator<types.Activity, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Changes activities.
   *
   * Replies with one entry per activity.
   *
   * A member that is left out keeps its value; a member that is sent replaces the stored one as a whole. Immutable activities stay as they are.
   *
   * **Errors**
   *
   * - An entry fails when its activity does not exist or is immutable.
   */
  update(data: types.ActivitiesUpdateRequest, options?: CallOptions): Promise<types.ItemOutcomes> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes activities by id, or those of a document or about a target.
   *
   * Replies with one entry per activity.
   *
   * Filters combine: an activity is deleted when all of them match. Immutable activities stay. Without ids, one call deletes up to about 2,500 activities in 10 seconds; repeat the call while `hasMore` is true.
   *
   * **Errors**
   *
   * - An entry fails when its activity does not exist or is immutable.
   */
  delete(data: types.ActivitiesDeleteRequest, options?: CallOptions): Promise<types.ActivitiesDeleteResult> {
    return this.writes("delete", data, options);
  }
}

/**
 * Endpoints that receive events, and their signing secrets.
 */
export class WebhookEndpoints extends Family {
  /**
   * Adds a webhook endpoint.
   *
   * Creates an endpoint with its own signing secret.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
   * - ALREADY_EXISTS: another endpoint has the uid.
   * - RESOURCE_EXHAUSTED: the API key has the maximum number of endpoints.
   *
   * **Events**
   *
   * `endpoint.created`
   */
  create(data: types.WebhookEndpointsCreateRequest, options?: CallOptions): Promise<types.WebhookEndpointResult> {
    return this.writes("create", data, options);
  }

  /**
   * Lists webhook endpoints, newest first.
   *
   * Endpoints, the newest first.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
   */
  get(data?: types.WebhookEndpointsGetRequest, options?: CallOptions): Promise<types.WebhookEndpointsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data?: types.WebhookEndpointsGetRequest, options?: CallOptions): AsyncGenerator<types.WebhookEndpointsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get, "iterator", (result) => result.data.iterator);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data?: types.WebhookEndpointsGetRequest, options?: CallOptions): AsyncGenerator<types.WebhookEndpoint, void> {
    return items(this.getPages(data, options), (result) => result.data.endpoints);
  }

  /**
   * Changes a webhook endpoint.
   *
   * Replies with the endpoint after the change.
   *
   * A member that is left out keeps its value; `null` clears an optional one. Metadata is replaced as a whole.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
   * - NOT_FOUND: the endpoint does not exist.
   *
   * **Events**
   *
   * `endpoint.updated`, `endpoint.disabled`
   */
  update(data: types.WebhookEndpointsUpdateRequest, options?: CallOptions): Promise<types.WebhookEndpointResult> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes a webhook endpoint with its signing secrets.
   *
   * Deletes the endpoint permanently.
   *
   * The signing secrets of the endpoint are deleted, and its uid can be used again.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
   * - NOT_FOUND: the endpoint does not exist.
   *
   * **Events**
   *
   * `endpoint.deleted`
   */
  delete(data: types.WebhookEndpointsDeleteRequest, options?: CallOptions): Promise<types.WebhookEndpointsDeleteResult> {
    return this.writes("delete", data, options);
  }

  /**
   * Shows the signing secret of a webhook endpoint.
   *
   * The key that signs deliveries to the endpoint.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
   * - NOT_FOUND: the endpoint does not exist.
   */
  secretGet(data: types.WebhookEndpointsSecretGetRequest, options?: CallOptions): Promise<types.WebhookSecretResult> {
    return this.reads("secret_get", data, options);
  }

  /**
   * Replaces the signing secret of a webhook endpoint.
   *
   * Replies with the new secret.
   *
   * Deliveries carry signatures of both secrets until the grace period of the old one ends.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
   * - NOT_FOUND: the endpoint does not exist.
   * - RESOURCE_EXHAUSTED: ten old secrets are still valid.
   *
   * **Events**
   *
   * `endpoint.updated`
   */
  secretRotate(data: types.WebhookEndpointsSecretRotateRequest, options?: CallOptions): Promise<types.WebhookSecretResult> {
    return this.writes("secret_rotate", data, options);
  }
}

/**
 * Messages to endpoints, the attempts to deliver them, and sending them again.
 */
export class Deliveries extends Family {
  /**
   * Lists webhook messages, newest first.
   *
   * Messages with the bodies of their webhooks, the newest first.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: neither advanced nor basic webhooks are enabled.
   */
  messagesGet(data?: types.DeliveriesMessagesGetRequest, options?: CallOptions): Promise<types.DeliveriesMessagesGetResult> {
    return this.reads("messages_get", data, options);
  }

  /** The pages of `messagesGet`. */
  messagesGetPages(data?: types.DeliveriesMessagesGetRequest, options?: CallOptions): AsyncGenerator<types.DeliveriesMessagesGetResult, void> {
    const get = (page: object) => this.messagesGet({ ...data, ...page }, options);
    return pages(get, "iterator", (result) => result.data.iterator);
  }

  /** The items of `messagesGet`, from page to page, without unknown ones. */
  messagesGetAll(data?: types.DeliveriesMessagesGetRequest, options?: CallOptions): AsyncGenerator<types.WebhookMessage, void> {
    return items(this.messagesGetPages(data, options), (result) => result.data.messages);
  }

  /**
   * Lists attempts to deliver webhook messages, newest first.
   *
   * Attempts with their results, those of the newest message first.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: neither advanced nor basic webhooks are enabled.
   * - NOT_FOUND: the message does not exist.
   */
  attemptsGet(data: types.DeliveriesAttemptsGetRequest, options?: CallOptions): Promise<types.DeliveriesAttemptsGetResult> {
    return this.reads("attempts_get", data, options);
  }

  /** The pages of `attemptsGet`. */
  attemptsGetPages(data: types.DeliveriesAttemptsGetRequest, options?: CallOptions): AsyncGenerator<types.DeliveriesAttemptsGetResult, void> {
    const get = (page: object) => this.attemptsGet({ ...data, ...page }, options);
    return pages(get, "iterator", (result) => result.data.iterator);
  }

  /** The items of `attemptsGet`, from page to page, without unknown ones. */
  attemptsGetAll(data: types.DeliveriesAttemptsGetRequest, options?: CallOptions): AsyncGenerator<types.DeliveryAttempt, void> {
    return items(this.attemptsGetPages(data, options), (result) => result.data.attempts);
  }

  /**
   * Sends a webhook message to an endpoint once more.
   *
   * Sends the message regardless of the event types of the endpoint.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: the endpoint is disabled, or advanced webhooks are not configured or disabled.
   * - NOT_FOUND: the message or the endpoint does not exist.
   */
  messagesResend(data: types.DeliveriesMessagesResendRequest, options?: CallOptions): Promise<types.DeliveriesMessagesResendResult> {
    return this.writes("messages_resend", data, options);
  }

  /**
   * Sends all messages again that an endpoint missed since a time.
   *
   * Sends every failed or skipped message since a time again.
   *
   * The messages are sent in the background.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: the endpoint is disabled, or advanced webhooks are not configured or disabled.
   * - NOT_FOUND: the endpoint does not exist.
   */
  endpointsRecover(data: types.DeliveriesEndpointsRecoverRequest, options?: CallOptions): Promise<types.DeliveriesEndpointsRecoverResult> {
    return this.writes("endpoints_recover", data, options);
  }
}

/**
 * Services of an API key: activities, mails, notifications and webhooks.
 */
export class Configuration extends Family {
  /**
   * Changes the email configuration.
   *
   * Merges the request into the stored configuration.
   *
   * When the service is enabled and no triggers are stored, the standard triggers are switched on; members of the request take precedence. While it is on with the type `thirdparty`, it needs `apiKey` and `fromEmail`.
   */
  emailUpdate(data: types.ConfigurationEmailUpdateRequest, options?: CallOptions): Promise<types.EmailConfigResult> {
    return this.writes("email_update", data, options, "/workspace/emailconfig/update");
  }

  /**
   * Shows the email configuration.
   *
   * The stored configuration.
   */
  emailGet(options?: CallOptions): Promise<types.EmailConfigResult> {
    return this.reads("email_get", {}, options, "/workspace/emailconfig/get");
  }

  /**
   * Changes the notification configuration.
   *
   * Merges the request into the stored configuration.
   *
   * When the service is enabled and no triggers are stored, the standard triggers are switched on; members of the request take precedence. Delay and batching stay off.
   */
  notificationsUpdate(data: types.ConfigurationNotificationsUpdateRequest, options?: CallOptions): Promise<types.NotificationConfigResult> {
    return this.writes("notifications_update", data, options, "/workspace/notificationconfig/update");
  }

  /**
   * Shows the notification configuration.
   *
   * The stored configuration.
   *
   * A number that was never set is shown as the minimum.
   */
  notificationsGet(options?: CallOptions): Promise<types.NotificationConfigResult> {
    return this.reads("notifications_get", {}, options, "/workspace/notificationconfig/get");
  }

  /**
   * Changes the activity configuration.
   *
   * Merges the request into the stored configuration.
   *
   * When the service is enabled and no triggers are stored, the triggers of comments are switched on and records become immutable; members of the request take precedence.
   */
  activitiesUpdate(data: types.ConfigurationActivitiesUpdateRequest, options?: CallOptions): Promise<types.ActivityConfigResult> {
    return this.writes("activities_update", data, options, "/workspace/activityconfig/update");
  }

  /**
   * Shows the activity configuration.
   *
   * The stored configuration.
   *
   * Before the first update it is `{ isEnabled: false }`.
   */
  activitiesGet(options?: CallOptions): Promise<types.ActivityConfigResult> {
    return this.reads("activities_get", {}, options, "/workspace/activityconfig/get");
  }

  /**
   * Changes the basic webhook configuration.
   *
   * Merges the request into the stored configuration.
   *
   * When the service is enabled and no triggers are stored, the standard triggers are switched on; members of the request take precedence. `encryptData` needs a `publicKey`.
   */
  webhooksUpdate(data: types.ConfigurationWebhooksUpdateRequest, options?: CallOptions): Promise<types.WebhookConfigResult> {
    return this.writes("webhooks_update", data, options, "/workspace/webhookconfig/update");
  }

  /**
   * Shows the basic webhook configuration.
   *
   * The stored configuration.
   */
  webhooksGet(options?: CallOptions): Promise<types.WebhookConfigResult> {
    return this.reads("webhooks_get", {}, options, "/workspace/webhookconfig/get");
  }

  /**
   * Changes the advanced webhook configuration.
   *
   * Merges the request into the stored configuration.
   *
   * The first update has to enable advanced webhooks. Disabling them keeps their endpoints. `encryptData` needs a `publicKey`.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: advanced webhooks were never configured, and `isEnabled` is not true.
   */
  advancedWebhooksUpdate(data: types.ConfigurationAdvancedWebhooksUpdateRequest, options?: CallOptions): Promise<types.AdvancedWebhookConfigResult> {
    return this.writes("advanced_webhooks_update", data, options, "/workspace/advancedwebhookconfig/update");
  }

  /**
   * Shows the advanced webhook configuration.
   *
   * The stored configuration.
   */
  advancedWebhooksGet(options?: CallOptions): Promise<types.AdvancedWebhookConfigResult> {
    return this.reads("advanced_webhooks_get", {}, options, "/workspace/advancedwebhookconfig/get");
  }
}

/**
 * Which users are in a document, and what they do there.
 */
export class Presence extends Family {
  /**
   * Sets the presence of users in a document.
   *
   * Writes the whole presence record of each user.
   *
   * A stored record is replaced. If a request contains a user twice, the later record wins. A record expires 24 hours after its last write. Organization, document and users need not exist.
   */
  add(data: types.PresenceAddRequest, options?: CallOptions): Promise<types.DoneResult> {
    return this.writes("add", data, options);
  }

  /**
   * Changes the presence of users in a document.
   *
   * Changes presence records.
   *
   * A member that is left out keeps its value. A user without a record is added. Changes of the same user are merged in order. A record expires 24 hours after its last write.
   */
  update(data: types.PresenceUpdateRequest, options?: CallOptions): Promise<types.DoneResult> {
    return this.writes("update", data, options);
  }

  /**
   * Lists the users in a document.
   *
   * Users in the order of their ids.
   *
   * `userIds` lists those that are present. A record expires 24 hours after its last write.
   *
   * Paged by `pageToken`.
   */
  get(data: types.PresenceGetRequest, options?: CallOptions): Promise<types.PresenceGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.PresenceGetRequest, options?: CallOptions): AsyncGenerator<types.PresenceGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.PresenceGetRequest, options?: CallOptions): AsyncGenerator<types.PresenceUser, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Removes the presence of users from a document.
   *
   * Removes presence records.
   *
   * A user without a record is no error.
   */
  delete(data: types.PresenceDeleteRequest, options?: CallOptions): Promise<types.DoneResult> {
    return this.writes("delete", data, options);
  }
}

/**
 * JSON that the users of a document share.
 */
export class LiveState extends Family {
  /**
   * Replaces live state of a document, or merges into it.
   *
   * Writes one entry of live state.
   *
   * The parameters stand in `data`, or at the top level of the body when `organizationId` stands there; `data` is then the payload. `merge` applies JSON Merge Patch (RFC 7396) to the stored object, or to an empty one. Live state lasts as long as its document. Organization and document need not exist.
   */
  broadcast(data: types.LiveStateBroadcastRequest, options?: CallOptions): Promise<types.DoneResult> {
    return this.writes("broadcast", data, options);
  }

  /**
   * Lists the live state of a document.
   *
   * Entries in the order of their ids.
   *
   * Paged by `pageToken`.
   */
  get(data: types.LiveStateGetRequest, options?: CallOptions): Promise<types.LiveStateGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.LiveStateGetRequest, options?: CallOptions): AsyncGenerator<types.LiveStateGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.LiveStateGetRequest, options?: CallOptions): AsyncGenerator<types.LiveState, void> {
    return items(this.getPages(data, options));
  }
}

/**
 * Content of shared editors (CRDT): replaced by callers, edited by peers with Yjs updates.
 */
export class Editors extends Family {
  /**
   * Adds the data of an editor.
   *
   * Stores the first content of an editor.
   *
   * **Errors**
   *
   * - ALREADY_EXISTS: the editor has content.
   * - RESOURCE_EXHAUSTED: the content is too large.
   *
   * **Events**
   *
   * `crdt.update_data`
   */
  add(data: types.EditorsAddRequest, options?: CallOptions): Promise<types.Success> {
    return this.writes("add", data, options);
  }

  /**
   * Lists the data of the editors of a document.
   *
   * Editors with their content.
   *
   * The content of an editor that peers added is what they edit as text, if there is any: maps and arrays beside it are read by `contentKey`. Type and name in the reply are those of the content.
   *
   * **Errors**
   *
   * - RESOURCE_EXHAUSTED: the editor named by `editorId` has too much data for one reply.
   *
   * Paged by `pageToken`.
   */
  get(data: types.EditorsGetRequest, options?: CallOptions): Promise<types.EditorsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.EditorsGetRequest, options?: CallOptions): AsyncGenerator<types.EditorsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.EditorsGetRequest, options?: CallOptions): AsyncGenerator<types.Editor, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Replaces the content of an editor, and keeps concurrent edits of peers.
   *
   * Replaces the content of an editor.
   *
   * The service writes the differences as operations, so peers keep their cursors and their concurrent edits. Equal content writes nothing.
   *
   * `type` is that of the editor. With `contentKey` a call may name another shared type, which becomes the content of the editor: one that has content of this type, unless that is a map or an array beside a text; and any one while only peers edited the editor and it has no text yet.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor does not exist.
   * - RESOURCE_EXHAUSTED: the content is too large.
   *
   * **Events**
   *
   * `crdt.update_data`
   */
  update(data: types.EditorsUpdateRequest, options?: CallOptions): Promise<types.Success> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes the data of editors.
   *
   * Replies with one entry per editor.
   *
   * The content is gone at once; a background job deletes its parts.
   *
   * **Errors**
   *
   * - An entry fails when its editor does not exist.
   */
  delete(data: types.EditorsDeleteRequest, options?: CallOptions): Promise<types.EditorsDeleteResult> {
    return this.writes("delete", data, options);
  }

  /**
   * Shows the updates of an editor that a peer lacks.
   *
   * One Yjs v1 update with everything that the peer lacks, or with the beginning of that.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor does not exist.
   */
  stateGet(data: types.EditorsStateGetRequest, options?: CallOptions): Promise<types.EditorsStateGetResult> {
    return this.reads("state_get", data, options);
  }

  /**
   * Appends updates of a peer to an editor.
   *
   * Appends all Yjs v1 updates or none.
   *
   * The service checks that the updates are readable and stores them as they are. No accepted update is lost, in whatever order updates arrive.
   *
   * Edits of peers decide the type of an editor that no caller named: the first text or XML, whatever maps and arrays are beside it. Of several texts in the first update, `default` comes first, then `content`, then XML, then by name. Until text arrives, the first map or array counts.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor does not exist, and its type is not sent. For an end user the editor is then added with the type of the updates, if these lack no others. It is also the error for an end user's updates of an editor that was deleted.
   * - ABORTED: the editor does not exist, and the updates of an end user lack others; all of them together are accepted.
   * - PERMISSION_DENIED: an update of an end user has new structs under the Yjs client of another user. They are left out, and the rest is stored. Those that are stored already are ignored, because peers repeat what they have.
   * - RESOURCE_EXHAUSTED: the editor is too large, or too many updates wait for missing ones.
   *
   * **Events**
   *
   * `crdt.update_data`
   */
  updatesAdd(data: types.EditorsUpdatesAddRequest, options?: CallOptions): Promise<types.Success> {
    return this.writes("updates_add", data, options);
  }

  /**
   * Lists the versions of an editor.
   *
   * The newest version first, page by page.
   *
   * Successive edits are one version: up to a pause of ten minutes, within an hour. What is unknown is an empty list.
   *
   * Paged by `pageToken`.
   */
  versionsList(data: types.EditorsVersionsListRequest, options?: CallOptions): Promise<types.EditorsVersionsListResult> {
    return this.reads("versions_list", data, options);
  }

  /** The pages of `versionsList`. */
  versionsListPages(data: types.EditorsVersionsListRequest, options?: CallOptions): AsyncGenerator<types.EditorsVersionsListResult, void> {
    const get = (page: object) => this.versionsList({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `versionsList`, from page to page, without unknown ones. */
  versionsListAll(data: types.EditorsVersionsListRequest, options?: CallOptions): AsyncGenerator<types.EditorVersion, void> {
    return items(this.versionsListPages(data, options));
  }

  /**
   * Shows an editor as it was.
   *
   * An editor as it was.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor or the version does not exist, or is not kept any more.
   * - RESOURCE_EXHAUSTED: more edits are behind the version than one call reads, or its content is too large for a reply.
   */
  versionsGet(data: types.EditorsVersionsGetRequest, options?: CallOptions): Promise<types.EditorsVersionsGetResult> {
    return this.reads("versions_get", data, options);
  }

  /**
   * Adds the present content of an editor as a version.
   *
   * Keeps the present content until the version is deleted.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor does not exist.
   * - RESOURCE_EXHAUSTED: the editor has 100 versions that were added, or too much of it waits to be merged.
   *
   * **Events**
   *
   * `crdt.version_added`
   */
  versionsAdd(data: types.EditorsVersionsAddRequest, options?: CallOptions): Promise<types.EditorVersionResult> {
    return this.writes("versions_add", data, options);
  }

  /**
   * Gives a version of an editor another name.
   *
   * Gives a version another name.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor has no such version that was added.
   */
  versionsUpdate(data: types.EditorsVersionsUpdateRequest, options?: CallOptions): Promise<types.EditorVersionResult> {
    return this.writes("versions_update", data, options);
  }

  /**
   * Deletes a version of an editor.
   *
   * The version is gone at once, its data within the hour.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor has no such version that was added.
   */
  versionsDelete(data: types.EditorsVersionsDeleteRequest, options?: CallOptions): Promise<types.Success> {
    return this.writes("versions_delete", data, options);
  }

  /**
   * Makes an editor what it was.
   *
   * Makes an editor what it was.
   *
   * The service writes an edit that undoes what came after, so peers keep their cursors and what they do meanwhile; it is a version of its own, and can be undone like any other.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor or the version does not exist, or is not kept any more.
   * - RESOURCE_EXHAUSTED: more edits are behind the version than one call reads, or the editor would be too large.
   *
   * **Events**
   *
   * `crdt.update_data`, `crdt.restored`
   */
  versionsRestore(data: types.EditorsVersionsRestoreRequest, options?: CallOptions): Promise<types.MadeEditorVersionResult> {
    return this.writes("versions_restore", data, options);
  }

  /**
   * Shows who changed what in an editor.
   *
   * Who changed what, for editors that show it.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor does not exist, or its history does not reach back to `from`.
   * - RESOURCE_EXHAUSTED: more edits are behind `from` than one call reads, or they are too large for a reply.
   */
  changesGet(data: types.EditorsChangesGetRequest, options?: CallOptions): Promise<types.EditorsChangesGetResult> {
    return this.reads("changes_get", data, options);
  }

  /**
   * Takes back what a user did in an editor.
   *
   * Takes back what a user did.
   *
   * What the user inserted goes, what the user deleted comes back, and what others did stays, also within it. It is an edit of the service, as a restored version is.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor does not exist, or its history does not reach back to `from`.
   * - RESOURCE_EXHAUSTED: more edits are behind `from` than one call reads, or the editor would be too large.
   *
   * **Events**
   *
   * `crdt.update_data`, `crdt.reverted`
   */
  changesRevert(data: types.EditorsChangesRevertRequest, options?: CallOptions): Promise<types.MadeEditorVersionResult> {
    return this.writes("changes_revert", data, options);
  }

  /**
   * Shows who wrote what is in an editor.
   *
   * Who wrote what is in an editor.
   *
   * The author is the authenticated user who first delivered the items to the service.
   *
   * **Errors**
   *
   * - NOT_FOUND: the editor does not exist.
   * - RESOURCE_EXHAUSTED: too much of the editor waits to be merged.
   */
  authorsGet(data: types.EditorsAuthorsGetRequest, options?: CallOptions): Promise<types.EditorsAuthorsGetResult> {
    return this.reads("authors_get", data, options);
  }
}

/**
 * Recordings of screen, video and sound, with versions.
 */
export class Recordings extends Family {
  /**
   * Adds recordings to a document, or a new version of existing ones.
   *
   * Replies with one entry per recording.
   *
   * An existing recording gets its next version; members that are left out keep the values of the previous version. The document has to exist. Each recording emits one event, however many of its versions the request has.
   *
   * **Errors**
   *
   * - An entry fails when the document does not exist, or another document has its recording.
   *
   * **Events**
   *
   * `recorder.done`
   */
  add(data: types.RecordingsAddRequest, options?: CallOptions): Promise<types.RecordingsAddResult> {
    return this.writes("add", data, options);
  }

  /**
   * Lists recordings by id, by document or all, the oldest first, page by page.
   *
   * Recordings, the oldest first.
   *
   * `recordingIds` lists those that exist, `documentId` those of the document. Filters combine; without a filter the list has all recordings of the organization. The list comes from an index: a recording added a moment ago may be missing unless its id is named.
   *
   * Paged by `pageToken`.
   */
  get(data: types.RecordingsGetRequest, options?: CallOptions): Promise<types.RecordingsGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.RecordingsGetRequest, options?: CallOptions): AsyncGenerator<types.RecordingsGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /** The items of `get`, from page to page, without unknown ones. */
  getAll(data: types.RecordingsGetRequest, options?: CallOptions): AsyncGenerator<types.Recording, void> {
    return items(this.getPages(data, options));
  }

  /**
   * Deletes recordings with all their versions.
   *
   * Replies with one entry per recording.
   *
   * **Errors**
   *
   * - An entry fails when its recording does not exist.
   */
  delete(data: types.RecordingsDeleteRequest, options?: CallOptions): Promise<types.ItemOutcomes> {
    return this.writes("delete", data, options);
  }
}

/**
 * Agents that comment on documents, and their versions.
 */
export class Agents extends Family {
  /**
   * Creates a custom agent with its first version.
   *
   * The agent starts with version 1.
   *
   * **Errors**
   *
   * - RESOURCE_EXHAUSTED: the API key has 100 custom agents.
   */
  create(data: types.AgentsCreateRequest, options?: CallOptions): Promise<types.AgentReferenceResult> {
    return this.writes("create", data, options);
  }

  /**
   * Shows an agent, or lists agents.
   *
   * With `agentId` one agent with its current version, otherwise a list without versions.
   *
   * **Errors**
   *
   * - NOT_FOUND: the agent or the group does not exist.
   */
  get(data?: types.AgentsGetRequest, options?: CallOptions): Promise<types.AgentsGetResult> {
    return this.reads("get", data, options);
  }

  /**
   * Renames an agent, or enables or disables it.
   *
   * No version is created.
   *
   * A member that is left out keeps its value; members that belong to a version are ignored. Of a built-in agent only `enabled` can be changed, and it is required.
   *
   * **Errors**
   *
   * - NOT_FOUND: the workspace of the API key does not exist.
   * - INTERNAL: the agent does not exist.
   */
  update(data: types.AgentsUpdateRequest, options?: CallOptions): Promise<types.AgentReferenceResult> {
    return this.writes("update", data, options);
  }

  /**
   * Deletes a custom agent with its versions.
   *
   * Deletes the agent and all its versions.
   *
   * The call is idempotent: it succeeds when the agent does not exist.
   */
  delete(data: types.AgentsDeleteRequest, options?: CallOptions): Promise<types.AgentReferenceResult> {
    return this.writes("delete", data, options);
  }

  /**
   * Adds a version to a custom agent.
   *
   * Creates the next version of a custom agent.
   *
   * The merge is one level deep: within a block, each member that is sent replaces the stored member as a whole. Metadata is replaced as a whole and is not part of a version.
   *
   * **Errors**
   *
   * - NOT_FOUND: there is no such custom agent.
   * - RESOURCE_EXHAUSTED: the agent has 1,000 versions.
   */
  versionUpdate(data: types.AgentsVersionUpdateRequest, options?: CallOptions): Promise<types.CurrentAgentVersionResult> {
    return this.writes("version_update", data, options);
  }

  /**
   * Lists the versions of a custom agent.
   *
   * The newest version first.
   *
   * The list of an unknown agent is empty.
   *
   * **Errors**
   *
   * - RESOURCE_EXHAUSTED: the versions are too large for one reply.
   */
  versionsList(data: types.AgentsVersionsListRequest, options?: CallOptions): Promise<types.AgentsVersionsListResult> {
    return this.reads("versions_list", data, options);
  }

  /**
   * Restores the previous version of a custom agent.
   *
   * Deletes the current version; the previous one becomes current.
   *
   * **Errors**
   *
   * - NOT_FOUND: there is no such custom agent.
   * - FAILED_PRECONDITION: the agent has no version before the current one.
   */
  versionsRestore(data: types.AgentsVersionsRestoreRequest, options?: CallOptions): Promise<types.CurrentAgentVersionResult> {
    return this.writes("versions_restore", data, options);
  }
}

/**
 * Everything that is stored about a user: export and erasure.
 */
export class UserData extends Family {
  /**
   * Lists all stored data of a user in an organization.
   *
   * Four lists, paged together.
   *
   * A list that has ended is empty on later pages. A list may be shorter than `pageSize` because of its size. Visibility is not checked: the data is the user's own.
   *
   * Paged by `pageToken`.
   */
  get(data: types.UserDataGetRequest, options?: CallOptions): Promise<types.UserDataGetResult> {
    return this.reads("get", data, options);
  }

  /** The pages of `get`. */
  getPages(data: types.UserDataGetRequest, options?: CallOptions): AsyncGenerator<types.UserDataGetResult, void> {
    const get = (page: object) => this.get({ ...data, ...page }, options);
    return pages(get);
  }

  /**
   * Starts the erasure of users' data.
   *
   * Starts a background job that erases users.
   *
   * The job ends memberships, rights and contacts, deletes what the users wrote and recorded, and replaces their name elsewhere by a deleted user. It also deletes what is written while it runs. An unknown user is no error. The reply has the members of `result` beside it, too, where callers of older clients read them.
   */
  delete(data: types.UserDataDeleteRequest, options?: CallOptions): Promise<types.UserDataDeleteResult> {
    return this.writes("delete", data, options);
  }

  /**
   * Shows the progress of an erasure.
   *
   * The progress of the job and of each of its tasks.
   *
   * **Errors**
   *
   * - NOT_FOUND: the job does not exist.
   */
  deleteStatus(data: types.UserDataDeleteStatusRequest, options?: CallOptions): Promise<types.UserDataDeleteStatusResult> {
    return this.reads("delete_status", data, options);
  }
}

/**
 * Time travel for testing keys.
 */
export class Schedule extends Family {
  /**
   * Moves the clock of a testing key.
   *
   * Moves the clock of a `testing` key forward.
   *
   * Delays, batch windows, retries and expiry follow that clock. Work that becomes due starts in the background. Timestamps of signatures keep the real time.
   *
   * **Errors**
   *
   * - FAILED_PRECONDITION: the API key is a production key.
   * - RESOURCE_EXHAUSTED: all advances together exceed 100 years.
   */
  testClockAdvance(data: types.ScheduleTestClockAdvanceRequest, options?: CallOptions): Promise<types.ScheduleTestClockAdvanceResult> {
    return this.writes("test_clock_advance", data, options, "/workspace/testclock/advance");
  }
}

/** Every operation, by family. */
export class Operations {
  /**
   * Start here: the operator of the deployment creates workspaces with the admin token, and sets their limits. A workspace replaces its own token here.
   */
  readonly operator: Operator;
  /**
   * A workspace has API keys, each a tenant of its own with auth tokens and settings.
   */
  readonly workspace: Workspace;
  /**
   * An organization is a customer of the tenant. Users, documents and folders belong to one.
   */
  readonly organizations: Organizations;
  /**
   * A document is what users collaborate on: a page, a file, a design. It has custom members.
   */
  readonly documents: Documents;
  /**
   * Folders contain documents and folders. Access is inherited from the parent.
   */
  readonly folders: Folders;
  /**
   * Users of organizations, documents and folders, and tokens for them.
   */
  readonly users: Users;
  /**
   * Groups of the users of an organization.
   */
  readonly userGroups: UserGroups;
  /**
   * Rights of a user for an organization, a folder or a document, apart from membership.
   */
  readonly permissions: Permissions;
  /**
   * A comment annotation is a thread of comments, with status, priority, assignee, reactions and subscriptions.
   */
  readonly comments: Comments;
  /**
   * Notifications of users, their preferences, and the trace that explains each delivery.
   */
  readonly notifications: Notifications;
  /**
   * The activity log of a document.
   */
  readonly activities: Activities;
  /**
   * Endpoints that receive events, and their signing secrets.
   */
  readonly webhookEndpoints: WebhookEndpoints;
  /**
   * Messages to endpoints, the attempts to deliver them, and sending them again.
   */
  readonly deliveries: Deliveries;
  /**
   * Services of an API key: activities, mails, notifications and webhooks.
   */
  readonly configuration: Configuration;
  /**
   * Which users are in a document, and what they do there.
   */
  readonly presence: Presence;
  /**
   * JSON that the users of a document share.
   */
  readonly liveState: LiveState;
  /**
   * Content of shared editors (CRDT): replaced by callers, edited by peers with Yjs updates.
   */
  readonly editors: Editors;
  /**
   * Recordings of screen, video and sound, with versions.
   */
  readonly recordings: Recordings;
  /**
   * Agents that comment on documents, and their versions.
   */
  readonly agents: Agents;
  /**
   * Everything that is stored about a user: export and erasure.
   */
  readonly userData: UserData;
  /**
   * Time travel for testing keys.
   */
  readonly schedule: Schedule;

  constructor(call: Call) {
    this.operator = new Operator(call, "operator", "");
    this.workspace = new Workspace(call, "workspace", "/workspace");
    this.organizations = new Organizations(call, "organizations", "/organizations");
    this.documents = new Documents(call, "documents", "/organizations/documents");
    this.folders = new Folders(call, "folders", "/organizations/folders");
    this.users = new Users(call, "users", "/users");
    this.userGroups = new UserGroups(call, "user_groups", "/organizations/usergroups");
    this.permissions = new Permissions(call, "permissions", "/auth/permissions");
    this.comments = new Comments(call, "comments", "/commentannotations/comments");
    this.notifications = new Notifications(call, "notifications", "/notifications");
    this.activities = new Activities(call, "activities", "/activities");
    this.webhookEndpoints = new WebhookEndpoints(call, "webhook_endpoints", "/workspace/advancedwebhook/endpoints");
    this.deliveries = new Deliveries(call, "deliveries", "/workspace/advancedwebhook");
    this.configuration = new Configuration(call, "configuration", "");
    this.presence = new Presence(call, "presence", "/presence");
    this.liveState = new LiveState(call, "live_state", "/livestate");
    this.editors = new Editors(call, "editors", "/crdt");
    this.recordings = new Recordings(call, "recordings", "/recordings");
    this.agents = new Agents(call, "agents", "/agents");
    this.userData = new UserData(call, "user_data", "/users/data");
    this.schedule = new Schedule(call, "schedule", "");
  }
}
