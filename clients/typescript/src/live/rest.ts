import type { EditorAddress } from "./address.js";
import { fromBase64, toBase64 } from "./base64.js";
import { Code } from "./codes.js";
import { pause } from "./backoff.js";

const DEADLINE_MS = 20_000;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;

/** A call that failed, with the close code that says the same. */
export class RestFailure extends Error {
  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

/** The two calls of the REST API that carry what is too large for the socket. */
export class EditorRest {
  constructor(
    private readonly apiUrl: string,
    private readonly token: string,
    private readonly editor: EditorAddress,
  ) {}

  /**
   * Reads what the editor has beyond a state vector; everything without one.
   *
   * @throws RestFailure
   */
  async read(stateVector: string | undefined): Promise<Uint8Array> {
    const reply = await this.#call("/v2/crdt/state/get", stateVector === undefined ? {} : { stateVector });
    const { update } = (reply as { result: { data: { update: string } } }).result.data;
    return fromBase64(update);
  }

  /**
   * Adds an update; it is stored when this returns. Repeated safely.
   *
   * @throws RestFailure
   */
  async add(update: Uint8Array): Promise<void> {
    await this.#call("/v2/crdt/updates/add", { updates: [toBase64(update)] });
  }

  async #call(path: string, members: object): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(path, members);
      } catch (error) {
        const failure = error instanceof RestFailure ? error : new RestFailure(String(error), Code.unavailable);
        if (failure.code !== Code.unavailable || attempt === ATTEMPTS) throw failure;
        await pause(FIRST_PAUSE_MS * 2 ** attempt * Math.random());
      }
    }
  }

  async #attempt(path: string, members: object): Promise<unknown> {
    const response = await fetch(this.apiUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      body: JSON.stringify({ data: { ...this.editor, ...members } }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (response.ok) return response.json();
    const text = await response.text();
    const waits = response.headers.has("retry-after");
    throw new RestFailure(sentence(text), codeOf(response.status, waits));
  }
}

function sentence(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return text;
  }
}

/** A limit that time does not lift comes without `Retry-After`. */
function codeOf(status: number, waits: boolean): number {
  if (status === 429 && waits) return Code.tooMany;
  if (status === 429 || status === 413) return Code.tooLarge;
  if (status >= 500 || status === 409) return Code.unavailable;
  const known = [Code.unauthorized, Code.forbidden, Code.notFound] as number[];
  return known.includes(4000 + status) ? 4000 + status : Code.badRequest;
}
