import type { ErrorResponse } from "./generated/types.js";
import { ApiError, type Failure, RoundtableError } from "./errors.js";

/** Maximum delay of a retry in milliseconds, unless the service requests more. */
const MAX_BACKOFF_MS = 8_000;

/** An error reply. */
export function failureOf(reply: Response, text: string): Failure {
  const { status, headers } = reply;
  const requestId = headers.get("x-request-id") ?? headers.get("apigw-requestid") ?? undefined;
  const found = { status, requestId, retryAfterMs: retryAfterMs(headers.get("retry-after")) };
  const error = (parsed(text) as Partial<ErrorResponse> | undefined)?.error;
  const { status: code = "UNKNOWN", message = "the reply is not one of the service", details } = error ?? {};
  return { ...found, code, text: message, issues: details?.issues ?? [], details };
}

/** The JSON of a text; undefined for malformed JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Whether a retry may succeed. For RESOURCE_EXHAUSTED, only after a rate limit, not a quota. */
export function isTransient(error: unknown): error is RoundtableError {
  if (!(error instanceof ApiError)) return error instanceof RoundtableError;
  const isQuota = error.code === "RESOURCE_EXHAUSTED" && error.retryAfterMs === undefined;
  return error.status >= 500 || error.code === "ABORTED" || (error.status === 429 && !isQuota);
}

/**
 * Milliseconds before a retry: a random part of a time that doubles, so that many clients do not
 * retry together, and never less than the service requests.
 */
export function waitMs(error: RoundtableError, retry: number, backoffMs: number): number {
  const wait = Math.random() * Math.min(backoffMs * 2 ** retry, MAX_BACKOFF_MS);
  return error instanceof ApiError ? Math.max(wait, error.retryAfterMs ?? 0) : wait;
}

/** Waits, unless the signal ends it. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
