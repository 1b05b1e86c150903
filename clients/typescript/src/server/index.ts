import { Roundtable } from "../client.js";
import type { AccessRole, ResourcePermission } from "../generated/types.js";

export { type VerifyOptions, type WebhookHeaders, WebhookVerificationError, verifyWebhook } from "../webhooks.js";

/** The user of a request, and what they may do. */
export interface Identity {
  userId: string;
  name: string;
  email: string;
  /** Rights in organizations, folders and documents, for the lifetime of the token. */
  access: Access[];
}

/** A right: `{ type: "organization", id: "acme", accessRole: "editor" }`. */
export interface Access {
  type: ResourcePermission["type"];
  id: string;
  /** `editor` when absent. */
  accessRole?: AccessRole;
  /** The organization of a folder or a document. */
  organizationId?: string;
}

/** What a token handler is made of. */
export interface TokenHandlerOptions<Request> {
  /** Who sends a request, by the application's own session; nobody is answered with 401. */
  identify: (request: Request) => Identity | undefined | Promise<Identity | undefined>;
  /** The service; the environment variable `ROUNDTABLE_URL` when absent. */
  baseUrl?: string;
  /** The API key; `ROUNDTABLE_API_KEY` when absent. */
  apiKey?: string;
  /** Its auth token; `ROUNDTABLE_AUTH_TOKEN` when absent. */
  authToken?: string;
  /** How long a token is valid, in seconds; 3,600 when absent. */
  expiresIn?: number;
}

/** What a handler replies. */
interface Reply {
  status: number;
  body: { token: string; expiresIn: number } | { error: string };
}

/**
 * Answers requests for the token of the user, as `fetchToken` of `roundtable/store` sends them, in
 * runtimes with `Request` and `Response`: Next.js, Hono, Bun, Deno, Workers.
 *
 * ```ts
 * export const POST = tokenHandler({ identify: async (request) => userOf(await session(request)) });
 * ```
 */
export function tokenHandler(options: TokenHandlerOptions<Request>): (request: Request) => Promise<Response> {
  const answer = answering(options);
  return async (request) => {
    const { status, body } = await answer(request);
    return new Response(JSON.stringify(body), { status, headers: HEADERS });
  };
}

/** A response of Node's `http` module, and of Express. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * The same for Node's `http` module and Express.
 *
 * ```ts
 * app.post("/api/roundtable", nodeTokenHandler({ identify: (request) => userOf(request.session) }));
 * ```
 */
export function nodeTokenHandler<Request>(
  options: TokenHandlerOptions<Request>,
): (request: Request, response: NodeResponse) => Promise<void> {
  const answer = answering(options);
  return async (request, response) => {
    // Nobody waits for what `http` and Express 4 call: a promise that is rejected ends the process.
    const { status, body } = await answer(request).catch((error: unknown): Reply => {
      console.error("roundtable: no token for a request", error);
      return { status: 500, body: { error: "There is no token." } };
    });
    response.statusCode = status;
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.end(JSON.stringify(body));
  };
}

/** A token belongs to one user, for a time: nobody may keep the reply. */
const HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

function answering<Request>(options: TokenHandlerOptions<Request>): (request: Request) => Promise<Reply> {
  let client: Roundtable | undefined;
  return async (request) => {
    const identity = await options.identify(request);
    if (!identity) return { status: 401, body: { error: "Nobody is signed in." } };
    const { userId, name, email, access } = identity;
    const { expiresIn = 3_600 } = options;
    // Settings are read with the first request: modules of handlers are loaded while an application is built.
    client ??= clientOf(options);
    try {
      const request = { userId, userProperties: { name, email }, permissions: { resources: access }, expiresIn };
      const { data } = await client.users.generateToken(request);
      return { status: 200, body: { token: data.token, expiresIn: data.expiresIn } };
    } catch (error) {
      console.error("roundtable: no token for a user", error);
      return { status: 502, body: { error: "The service gave no token." } };
    }
  };
}

function clientOf<Request>(options: TokenHandlerOptions<Request>): Roundtable {
  const apiKey = setting("apiKey", options.apiKey, "ROUNDTABLE_API_KEY");
  const authToken = setting("authToken", options.authToken, "ROUNDTABLE_AUTH_TOKEN");
  return new Roundtable(setting("baseUrl", options.baseUrl, "ROUNDTABLE_URL"), { apiKey, authToken });
}

function setting(name: string, given: string | undefined, variable: string): string {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  const found = given ?? environment?.[variable];
  if (!found) throw new Error(`A token handler needs ${name}, or the environment variable ${variable}.`);
  return found;
}
