/**
 * The caller of a client, one of these:
 *
 * - an API key with its auth token: the tenant, on a server;
 * - the token of an end user (`users.generateToken`): that user, on a server or a page. The token
 *   may be a function, called for every attempt, which can renew it before it expires and has to
 *   limit its own time;
 * - a workspace with its auth token: API keys, domains and limits of the workspace;
 * - the operator's token: workspaces.
 */
export type Credentials =
  | { apiKey: string; authToken: string }
  | { userToken: string | (() => string | Promise<string>) }
  | { workspaceId: string; workspaceAuthToken: string }
  | { adminToken: string };

/** The headers with the credentials. */
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
