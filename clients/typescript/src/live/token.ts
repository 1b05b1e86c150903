import { fromBase64 } from "./base64.js";

/** How long before its end a token is renewed. */
const EARLY_MS = 60_000;
/** The longest time a timer can be set to. */
const MOST_MS = 2 ** 31 - 1;

/** What a token says of itself; nothing when it is none of the service. */
export function claimsOf(token: string): { sub?: unknown; exp?: unknown } {
  try {
    const claims = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    return (JSON.parse(new TextDecoder().decode(fromBase64(claims))) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** In how many milliseconds to renew a token; nothing when it does not say when it ends. */
export function renewalOf(token: string): number | undefined {
  const { exp } = claimsOf(token);
  if (typeof exp !== "number") return undefined;
  return Math.min(Math.max(exp * 1000 - Date.now() - EARLY_MS, EARLY_MS), MOST_MS);
}
