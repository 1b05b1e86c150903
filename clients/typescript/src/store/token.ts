/** How long before its end a token is renewed. */
const EARLY_MS = 60_000;
/** How long a token is kept that does not say when it ends. */
const UNKNOWN_MS = 10 * 60_000;
/** A token that is refused when it is older than this may have been revoked, and is got anew. */
const FRESH_MS = 30_000;

/** Keeps the end user's token until shortly before its end, for all calls and connections. */
export class TokenCache {
  #held: { token: Promise<string>; at: number; until: number } | undefined;

  constructor(private readonly getToken: () => string | Promise<string>) {}

  readonly get = (): Promise<string> => {
    const now = Date.now();
    if (this.#held && now < this.#held.until) return this.#held.token;
    const held = { token: Promise.resolve().then(this.getToken), at: now, until: now + UNKNOWN_MS };
    this.#held = held;
    held.token.then(
      (token) => (held.until = endOf(token) ?? held.until),
      () => this.#held === held && (this.#held = undefined),
    );
    return held.token;
  };

  /** The service refuses the token; answers whether another one may help. */
  refused(): boolean {
    if (!this.#held || Date.now() - this.#held.at < FRESH_MS) return false;
    this.#held = undefined;
    return true;
  }
}

function endOf(token: string): number | undefined {
  try {
    const claims = token.split(".")[1] ?? "";
    const { exp } = JSON.parse(atob(claims.replace(/-/g, "+").replace(/_/g, "/"))) as { exp?: number };
    return typeof exp === "number" ? exp * 1000 - EARLY_MS : undefined;
  } catch {
    return undefined;
  }
}
