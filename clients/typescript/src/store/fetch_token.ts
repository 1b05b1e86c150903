/**
 * Gets the user's token from an endpoint of the application, such as `tokenHandler` of
 * `roundtable/server`, with the cookies of the page.
 */
export function fetchToken(endpoint: string, init: RequestInit = {}): () => Promise<string> {
  return async () => {
    const reply = await fetch(endpoint, { method: "POST", ...init });
    const { token } = (reply.ok ? await reply.json() : {}) as { token?: unknown };
    if (typeof token !== "string") throw new Error(`${endpoint} answered ${reply.status} without a token.`);
    return token;
  };
}
