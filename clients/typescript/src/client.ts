import { type Settings, USUAL, caller } from "./call.js";
import type { Credentials } from "./credentials.js";
import { Operations } from "./generated/operations.js";

/**
 * A client of the service. Every operation is a method of its family and returns the `result` of the
 * reply; it throws a `RoundtableError`.
 *
 * ```ts
 * const client = new Roundtable("http://127.0.0.1:3000", { apiKey, authToken });
 * const { data } = await client.users.get({ organizationId: "acme" });
 * ```
 */
export class Roundtable extends Operations {
  readonly #baseUrl: string;
  readonly #settings: Partial<Settings>;

  /** `baseUrl` is the URL of the service; throws a `TypeError` for an invalid one. */
  constructor(baseUrl: string, credentials: Credentials, settings: Partial<Settings> = {}) {
    const base = new URL(baseUrl).href.replace(/\/+$/, "");
    super(caller(base, credentials, { ...USUAL, ...settings }));
    this.#baseUrl = base;
    this.#settings = settings;
  }

  /** A client with the same settings and other credentials. */
  as(credentials: Credentials): Roundtable {
    return new Roundtable(this.#baseUrl, credentials, this.#settings);
  }
}
