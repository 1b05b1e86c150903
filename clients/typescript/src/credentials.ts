/**
 * Who calls. A client has one of these:
 *
 * - an API key with its auth token: the tenant, on a server;
 * - the token of an end user (`users.generateToken`): that user, on a server or a page. A function
 *   is asked for it at every attempt, so it can replace a token before it expires; it has to answer
 *   in time by itself;
 * - a workspace with its auth token: API keys, domains and limits of the workspace;
 * - the operator's token: workspaces.
 */
export type Credentials =
  | { apiKey: string; authToken: string }
  | { userToken: string | (() => string | Promise<string>) }
  | { workspaceId: string; workspaceAuthToken: string }
  | { adminToken: string };

/** The headers that say who calls. */
export async function headersOf(credentials: Credentials): Promise<Record<string, string>> {
  if ("apiKey" in credentials) {
    const { apiKey, authToken } = credentials;
    return { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
  }
  if ("userToken" in credentials) {
    const { userToken } = credentials;
    const token = typeof userToken === "string" ? userToken : await userToken();
    return { authorization: `Bearer ${token}` };
  }
  if ("workspaceId" in credentials) {
    const { workspaceId, workspaceAuthToken } = credentials;
    return {
      "x-service-workspace-id": workspaceId,
      "x-service-workspace-auth-token": workspaceAuthToken,
    };
  }
  return { "x-service-admin-token": credentials.adminToken };
}
