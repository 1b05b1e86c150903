import { type Call, type Settings, USUAL, caller } from "../call.js";
import { ApiError } from "../errors.js";
import { isTransient } from "../retry.js";
import type { EditorAddress } from "./address.js";
import { fromBase64, toBase64 } from "./base64.js";
import { Code } from "./codes.js";

/** Long enough for the largest state over a slow network. */
const SETTINGS: Settings = { ...USUAL, deadlineMs: 120_000, attemptMs: 60_000 };

/** What an editor has beyond a state vector, or the beginning of it, and the state vector of who has applied it. */
export interface EditorState {
  update: Uint8Array;
  stateVector: Uint8Array;
  isComplete: boolean;
}

/** The two calls of the REST API that carry what is too large for the socket. */
export class EditorRest {
  readonly #call: Call;

  readonly #editor: EditorAddress;

  constructor(apiUrl: string, userToken: string, editor: EditorAddress) {
    this.#editor = editor;
    this.#call = caller(apiUrl, { userToken }, SETTINGS);
  }

  /**
   * Reads what the editor has beyond a state vector; everything without one. What one reply does not
   * carry comes in several parts, in the order in which they are applied.
   *
   * @throws RoundtableError
   */
  async *read(stateVector: string | undefined): AsyncGenerator<EditorState> {
    const operation = { name: "editors.stateGet", path: "/v2/crdt/state/get", writes: false };
    type Reply = { data: { update: string; stateVector: string; isComplete?: boolean } };
    for (let seen = stateVector, isComplete = false; !isComplete; ) {
      const from = seen === undefined ? {} : { stateVector: seen };
      const { data } = await this.#call<Reply>(operation, { ...this.#editor, ...from });
      seen = data.stateVector;
      isComplete = data.isComplete ?? true;
      yield { update: fromBase64(data.update), stateVector: fromBase64(data.stateVector), isComplete };
    }
  }

  /**
   * Adds an update; it is stored when this returns. A repetition changes nothing.
   *
   * @throws RoundtableError
   */
  async add(update: Uint8Array): Promise<void> {
    const operation = { name: "editors.updatesAdd", path: "/v2/crdt/updates/add", writes: false };
    await this.#call(operation, { ...this.#editor, updates: [toBase64(update)] });
  }
}

/** The close code that says what a failed call does. */
export function codeOf(failure: unknown): number {
  if (!(failure instanceof ApiError)) return Code.unavailable;
  const { status } = failure;
  const isPassing = isTransient(failure);
  if (status === 429) return isPassing ? Code.tooMany : Code.tooLarge;
  if (isPassing) return Code.unavailable;
  const same = 4000 + status;
  return Object.values<number>(Code).includes(same) ? same : Code.badRequest;
}

/** A sentence for people. */
export function sentenceOf(failure: unknown): string {
  return failure instanceof ApiError ? failure.text : String(failure);
}
