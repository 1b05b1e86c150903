import { ApiError } from "../errors.js";
import { listen } from "../live/listen.js";
import { randomName } from "../random.js";
import { type Change, commentIdOf } from "./change.js";
import type { OutboxStorage } from "./outbox_storage.js";
import { Owner, insteadOf } from "./owner.js";
import { RefusedError, isRefusal } from "./refused.js";
import type { Sent } from "./send.js";
import { Signal } from "./signal.js";
import { Waits } from "./waits.js";

/** How often to look for what a closed page left. */
const ADOPT_MS = 60_000;

/** A change that the service refused; it is not shown any more. */
export interface Failure {
  change: Change;
  error: Error;
}

/** What is not stored yet, and what never was. */
export interface OutboxState {
  pending: readonly Change[];
  failed: readonly Failure[];
}

/** What an outbox tells its store. */
export interface OutboxEnds {
  send(change: Change): Promise<Sent>;
  /** A change is to be shown, or is now known under another number of its comment. */
  shown(change: Change): void;
  /** The service has stored a change. */
  stored(change: Change): void;
  /** The service refused a change. */
  refused(change: Change): void;
}

interface Entry {
  change: Change;
  resolve(): void;
  reject(error: Error): void;
  done: Promise<void>;
}

/**
 * Sends changes in order, those of one thread one after the other, until the service has stored or
 * refused them. They are kept meanwhile, so that a closed page or an hour without network loses none.
 */
export class Outbox {
  readonly state = new Signal<OutboxState>({ pending: [], failed: [] });
  readonly #queues = new Map<string, Entry[]>();
  readonly #running = new Set<string>();
  /** Comments that were added, by the number of their draft. */
  readonly #numbers = new Map<number, number>();
  readonly #waits = new Waits();
  #owner = new Owner();
  #isStarted = false;
  /** Ends to hear of the network. */
  #deaf: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When the last change was made. */
  #lastAt = 0;
  /** Writes one after the other. */
  #writes: Promise<unknown> = Promise.resolve();

  readonly #scope: string;
  readonly #storage: OutboxStorage | undefined;
  readonly #ends: OutboxEnds;

  constructor(scope: string, storage: OutboxStorage | undefined, ends: OutboxEnds) {
    this.#scope = scope;
    this.#storage = storage;
    this.#ends = ends;
  }

  /** Sends, also what a closed page left. */
  start(): void {
    this.#isStarted = true;
    this.#owner.begin();
    this.#timer = setInterval(() => void this.#adopt(), ADOPT_MS);
    this.#deaf = listen("online", this.wake);
    for (const subject of this.#queues.keys()) void this.#run(subject);
    void this.#adopt();
  }

  /** Sends nothing more until it is started again. What is kept may be sent by another page. */
  stop(): void {
    this.#isStarted = false;
    this.#owner.end();
    clearInterval(this.#timer);
    this.#deaf?.();
    this.wake();
  }

  /** Tries at once what waits. */
  readonly wake = this.#waits.wake;

  /** Shows and sends a change; the promise ends when the service has stored it, or refused it. */
  add(made: Change): Promise<void> {
    const id = commentIdOf(made);
    const number = id === undefined ? undefined : this.#numbers.get(id);
    // No two at the same time: their order is all that the next page knows of them.
    this.#lastAt = Math.max(made.at, this.#lastAt + 1);
    const change = frozen({ ...made, at: this.#lastAt, ...(number !== undefined && { commentId: number }) } as Change);
    this.#keep(change);
    return this.#take(change);
  }

  /** Sends a refused change once more. */
  retry({ change }: Failure): Promise<void> {
    this.discard({ change });
    const { sentAt: _, ...again } = change;
    // A refusal is repeated for its key.
    return this.add({ ...again, key: randomName(), at: Date.now() } as Change);
  }

  /** Forgets a refused change. */
  discard({ change }: Pick<Failure, "change">): void {
    const failed = this.state.get().failed.filter((it) => it.change.key !== change.key);
    this.#tell(failed);
    this.#write((storage) => storage.delete(change.key));
  }

  #take(change: Change): Promise<void> {
    const entry = entryOf(change);
    const subject = JSON.stringify([change.documentId, change.subject]);
    const queue = this.#queues.get(subject) ?? [];
    this.#queues.set(subject, queue);
    queue.push(entry);
    this.#ends.shown(change);
    this.#tell();
    void this.#run(subject);
    return entry.done;
  }

  async #run(subject: string): Promise<void> {
    if (this.#running.has(subject)) return;
    this.#running.add(subject);
    for (let failures = 0; this.#isStarted; ) {
      const entry = this.#queues.get(subject)?.[0];
      if (!entry) break;
      try {
        await this.#send(entry, subject);
        failures = 0;
      } catch (error) {
        await this.#waits.wait(failures++, error instanceof ApiError ? error.retryAfterMs : 0);
      }
    }
    this.#running.delete(subject);
    if (this.#queues.get(subject)?.length === 0) this.#queues.delete(subject);
  }

  /** Sends the first of a queue; throws if it has to be sent again. */
  async #send(entry: Entry, subject: string): Promise<void> {
    if (entry.change.sentAt === undefined) {
      entry.change = { ...entry.change, sentAt: Date.now() };
      this.#keep(entry.change);
    }
    try {
      const sent = await this.#ends.send(entry.change);
      this.#finish(subject);
      this.#ends.stored(this.#numbered(entry.change, sent, subject));
      entry.resolve();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // What was written is not lost with the page.
      this.#finish(subject, "comment" in entry.change ? error.message : undefined);
      this.#ends.refused(entry.change);
      // Nobody wrote what was only seen.
      if (entry.change.kind !== "thread.seen")
        this.#tell([...this.state.get().failed, { change: entry.change, error }]);
      entry.reject(error);
    }
  }

  #finish(subject: string, refused?: string): void {
    const entry = this.#queues.get(subject)?.shift();
    if (entry && refused !== undefined) this.#keep(entry.change, refused);
    else if (entry) this.#write((storage) => storage.delete(entry.change.key));
    this.#tell();
  }

  /** A comment has its number: later changes of its draft are about it. */
  #numbered(change: Change, { commentId }: Sent, subject: string): Change {
    if (!("draftId" in change) || commentId === undefined) return change;
    this.#numbers.set(change.draftId, commentId);
    for (const later of this.#queues.get(subject) ?? []) {
      if (commentIdOf(later.change) !== change.draftId) continue;
      later.change = { ...later.change, commentId } as Change;
      this.#keep(later.change);
      this.#ends.shown(later.change);
    }
    return { ...change, draftId: commentId };
  }

  /** Takes over what closed pages left. */
  async #adopt(): Promise<void> {
    const [storage, scope] = [this.#storage, this.#scope];
    if (!storage) return;
    try {
      const owners = new Set((await storage.load(scope)).map(({ owner }) => owner));
      owners.delete(this.#owner.name);
      for (const owner of owners) {
        await insteadOf(owner, async () => {
          const left = (await storage.load(scope)).filter((it) => it.owner === owner);
          for (const kept of left) await storage.put({ ...kept, owner: this.#owner.name });
          const { pending, failed } = this.state.get();
          const known = new Set([...pending, ...failed.map(({ change }) => change)].map(({ key }) => key));
          const taken = left.filter(({ key }) => !known.has(key)).sort((a, b) => a.change.at - b.change.at);
          const refused = taken.flatMap(({ change, refused }) =>
            refused === undefined ? [] : [{ change, error: new RefusedError(refused) }],
          );
          if (refused.length > 0) this.#tell([...refused, ...failed]);
          for (const { change, refused } of taken) if (refused === undefined) void this.#take(change);
        });
      }
    } catch (error) {
      console.warn("roundtable: changes cannot be read", error);
    }
  }

  #keep(change: Change, refused?: string): void {
    const kept = { key: change.key, scope: this.#scope, owner: this.#owner.name, change };
    this.#write((storage) => storage.put(refused === undefined ? kept : { ...kept, refused }));
  }

  /** Where nothing can be kept, a change lives as long as its page. */
  #write(does: (storage: OutboxStorage) => Promise<void>): void {
    const storage = this.#storage;
    if (!storage) return;
    const failed = (error: unknown): void => console.warn("roundtable: changes cannot be kept", error);
    this.#writes = this.#writes.then(() => does(storage)).catch(failed);
  }

  #tell(failed: readonly Failure[] = this.state.get().failed): void {
    const pending = [...this.#queues.values()].flat().map(({ change }) => change);
    this.state.set({ pending, failed });
  }
}

/** A change as it is now: its call is the same whenever it is made, and a proxy in it can be kept. */
function frozen(change: Change): Change {
  try {
    return JSON.parse(JSON.stringify(change)) as Change;
  } catch {
    // Sending it will say why.
    return change;
  }
}

function entryOf(change: Change): Entry {
  let resolve = (): void => {};
  let reject = (_: Error): void => {};
  const done = new Promise<void>((...both) => ([resolve, reject] = both));
  // Who does not wait for it reads `failed`.
  done.catch(() => {});
  return { change, resolve, reject, done };
}
