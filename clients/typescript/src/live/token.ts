/** How long before its end a token is renewed. */
const EARLY_MS = 60_000;
/** The longest time a timer can be set to. */
const MOST_MS = 2 ** 31 - 1;

/** In how many milliseconds to renew a token; nothing when it does not say when it ends. */
export function renewalOf(token: string): number | undefined {
  try {
    const claims = token.split(".")[1] ?? "";
    const { exp } = JSON.parse(atob(claims.replace(/-/g, "+").replace(/_/g, "/"))) as { exp?: number };
    if (typeof exp !== "number") return undefined;
    return Math.min(Math.max(exp * 1000 - Date.now() - EARLY_MS, EARLY_MS), MOST_MS);
  } catch {
    return undefined;
  }
}
