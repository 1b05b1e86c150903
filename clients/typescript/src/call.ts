import { type Credentials, headersOf } from "./credentials.js";
import { ApiError, DeadlineError, NetworkError, RoundtableError } from "./errors.js";
import { randomName } from "./random.js";
import { failureOf, isTransient, parsed, pause, waitMs } from "./retry.js";

/** Options of one call. */
export interface CallOptions {
  /**
   * The `Idempotency-Key`: for 24 hours a repetition with the same key and body changes nothing and
   * returns the first reply. By default, a call that writes and may be retried has a random key.
   */
  idempotencyKey?: string;
  /** Maximum number of retries. With 0, no random key is sent. */
  maxRetries?: number;
  /** Milliseconds for the call with its retries. */
  deadlineMs?: number;
  /** Cancels the call. */
  signal?: AbortSignal;
}

/** Settings of a client. */
export interface Settings {
  /** Maximum number of retries of a call; 4 by default. */
  maxRetries: number;
  /** Milliseconds for a call with its retries; 60,000 by default. */
  deadlineMs: number;
  /** Milliseconds for one attempt; 30,000 by default. */
  attemptMs: number;
  /** Maximum delay of the first retry in milliseconds, doubled for each further one; 500 by default. */
  backoffMs: number;
  /** The function that sends requests; the platform's `fetch` by default. */
  fetch: typeof fetch;
  /** Receives a warning when the service ignored unknown members of a request; `console.warn` by default. */
  warn: (text: string) => void;
}

/** An operation, as defined by its method. */
export interface Operation {
  name: string;
  path: string;
  /** Whether it writes, and so takes an `Idempotency-Key`. */
  writes: boolean;
}

/** Makes a call and returns its `result`. */
export type Call = <Result>(
  operation: Operation,
  data: object | undefined,
  options?: CallOptions,
) => Promise<Result>;

/** What a client has that is told nothing else. */
export const USUAL: Settings = {
  maxRetries: 4,
  deadlineMs: 60_000,
  attemptMs: 30_000,
  backoffMs: 500,
  fetch: (...request) => fetch(...request),
  warn: (text) => console.warn(text),
};

/** Makes calls with credentials. */
export function caller(baseUrl: string, credentials: Credentials, settings: Settings): Call {
  return async <Result>(operation: Operation, data: object = {}, options: CallOptions = {}) => {
    const { signal, maxRetries = settings.maxRetries } = options;
    const deadline = Date.now() + (options.deadlineMs ?? settings.deadlineMs);
    const key = options.idempotencyKey ?? (maxRetries > 0 ? randomName() : undefined);
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (operation.writes && key !== undefined) headers["idempotency-key"] = key;
    const body = bodyOf(operation.name, data);
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted();
      Object.assign(headers, await headersOf(credentials));
      const ms = Math.max(Math.min(settings.attemptMs, deadline - Date.now()), 0);
      try {
        const request = { method: "POST", headers, body };
        const url = baseUrl + operation.path;
        return (await attempt(operation.name, url, request, ms, signal, settings)) as Result;
      } catch (error) {
        signal?.throwIfAborted();
        if (!isTransient(error) || retry >= maxRetries) throw error;
        const wait = waitMs(error, retry, settings.backoffMs);
        if (Date.now() + wait >= deadline) throw error;
        await pause(wait, signal);
      }
    }
  };
}

async function attempt(
  name: string,
  url: string,
  request: RequestInit,
  ms: number,
  signal: AbortSignal | undefined,
  { fetch, warn }: Settings,
): Promise<unknown> {
  const time = AbortSignal.timeout(ms);
  const ended = signal ? AbortSignal.any([signal, time]) : time;
  let reply: Response, text: string;
  try {
    reply = await fetch(url, { ...request, signal: ended });
    text = await reply.text();
  } catch (error) {
    if (time.aborted) throw new DeadlineError(name, `no reply within ${ms} ms`, error);
    throw new NetworkError(name, `the connection failed: ${reason(error)}`, error);
  }
  const result = reply.ok ? (parsed(text) as { result?: unknown } | undefined)?.result : undefined;
  if (result === undefined) throw new ApiError(name, failureOf(reply, text));
  const ignored = reply.headers.get("x-ignored-members");
  if (ignored) warn(`roundtable: ${name} does not know ${ignored}`);
  return result;
}

function bodyOf(name: string, data: object): string {
  try {
    return JSON.stringify({ data });
  } catch (error) {
    throw new RoundtableError(name, `the data is no JSON: ${reason(error)}`, error);
  }
}

/** `fetch` has the reason of a failure in the cause of its error. */
function reason(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string }; message?: string };
  return cause?.message || message || String(error);
}
