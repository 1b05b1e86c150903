import { claimsOf } from "../live/token.js";

/** How long before its end a token is renewed. */
const EARLY_MS = 60_000;
/** How long a token is kept that does not say when it ends. */
const UNKNOWN_MS = 10 * 60_000;
/** A token that is refused when it is older than this may have been revoked, and is got anew. */
const FRESH_MS = 30_000;

/** The status of a reply to a call without a right. */
const DENIED = 403;

/** A token that is kept. */
export interface HeldToken {
  token: Promise<string>;
  at: number;
  until: number;
}

/** A connection, which knows the token that it was given last. */
export interface TokenUser {
  get: () => Promise<string>;
  /** The service refuses that token; answers whether another one may help. */
  refused: () => boolean;
}

/** Keeps the end user's token until shortly before its end, for all calls and connections. */
export class TokenCache {
  #held: HeldToken | undefined;

  readonly #getToken: () => string | Promise<string>;
  readonly #userId: string;

  constructor(getToken: () => string | Promise<string>, userId: string) {
    this.#getToken = getToken;
    this.#userId = userId;
  }

  get held(): HeldToken | undefined {
    return this.#held;
  }

  readonly get = (): Promise<string> => {
    const now = Date.now();
    if (this.#held && now < this.#held.until) return this.#held.token;
    const held = { token: this.#asked(), at: now, until: now + UNKNOWN_MS };
    this.#held = held;
    held.token.then(
      (token) => (held.until = endOf(token) ?? held.until),
      () => this.#held === held && (this.#held = undefined),
    );
    return held.token;
  };

  /** Makes a call of the user; once more if its token was revoked, and another one is there. */
  readonly fetch: typeof fetch = async (url, init) => {
    const used = this.#held;
    const reply = await fetch(url, init);
    if (reply.status !== DENIED || !this.refused(used)) return reply;
    const authorization = `Bearer ${await this.get()}`;
    return fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization } });
  };

  /** A connection of its own. */
  user(): TokenUser {
    let used: HeldToken | undefined;
    return {
      get: () => {
        const token = this.get();
        used = this.#held;
        return token;
      },
      refused: () => this.refused(used),
    };
  }

  /** The service refuses a token that was used; answers whether another one may help. */
  refused(used: HeldToken | undefined): boolean {
    // Somebody else was refused before, and it is got anew.
    if (used && used !== this.#held) return true;
    if (!this.#held || Date.now() - this.#held.at < FRESH_MS) return false;
    this.#held = undefined;
    return true;
  }

  /** The session of a browser may be another user's by now, whose token would sign what this one wrote. */
  async #asked(): Promise<string> {
    const token = await this.#getToken();
    const { sub } = claimsOf(token);
    if (sub !== undefined && sub !== this.#userId) throw new Error(`The token is not of ${this.#userId}.`);
    return token;
  }
}

function endOf(token: string): number | undefined {
  const { exp } = claimsOf(token);
  return typeof exp === "number" ? exp * 1000 - EARLY_MS : undefined;
}
