import type { CommentAnnotation, Person } from "../generated/types.js";
import type { Change } from "./change.js";
import { type Thread, applied, seen } from "./draft.js";
import { isFinal } from "./refused.js";
import { Signal } from "./signal.js";
import { Waits } from "./waits.js";

/** How many threads one call names. */
const MOST_IDS = 30;
/** How long to wait for more to read: the event of an own change follows its reply. */
const GATHER_MS = 20;

/** The threads of a document, as far as they are known. */
export interface ThreadsState {
  /** By id, with the user's own changes that are not stored yet. */
  threads: ReadonlyMap<string, Thread>;
  /** Whether they have not been read yet. */
  isLoading: boolean;
  /** Why they cannot be read. */
  error: Error | undefined;
  /** Whether there are older ones, which `fetchMore` reads. */
  hasMore: boolean;
}

/** How threads are read. */
export interface ThreadsEnds {
  /** How many pages are read at first. */
  firstPages: number;
  /** Threads from the newest on. */
  page(pageToken: string | undefined): Promise<{ threads: CommentAnnotation[]; next: string | undefined }>;
  /** These threads, in this order; null for one that does not exist. */
  named(ids: string[]): Promise<(CommentAnnotation | null)[]>;
  /** Keeps who wrote in a thread. */
  learn(thread: CommentAnnotation): void;
}

/** What is to be read. */
interface Wanted {
  /** How many pages from the first one on. */
  pages: number;
  ids: Set<string>;
}

/**
 * What the service has, under what the user changed. Every change is applied anew to each state that
 * is read, until a read that began after the service stored it shows it.
 */
export class Threads {
  readonly state = new Signal<ThreadsState>({ threads: new Map(), isLoading: true, error: undefined, hasMore: false });
  readonly #stored = new Map<string, Thread>();
  /** Changes to show, in their order, by the id of their thread. */
  readonly #changes = new Map<string, Change[]>();
  /** Keys of changes that are stored, and not read yet. */
  readonly #confirmed = new Set<string>();
  #wanted: Wanted = { pages: 0, ids: new Set() };
  #pages = 0;
  #next: string | undefined;
  #reading: Promise<void> | undefined;
  readonly #waits = new Waits();
  /** Whether nobody follows them. */
  #isEnded = true;

  readonly #me: () => Person;
  readonly #ends: ThreadsEnds;

  constructor(me: () => Person, ends: ThreadsEnds) {
    this.#me = me;
    this.#ends = ends;
  }

  /** Reads the first pages, and those that were read before. */
  refresh(): Promise<void> {
    this.#wanted.pages = Math.max(this.#pages, this.#ends.firstPages);
    return this.#read();
  }

  /** Reads a thread. */
  refreshThread(id: string): Promise<void> {
    this.#wanted.ids.add(id);
    return this.#read();
  }

  /** Reads a page of older threads. */
  fetchMore(): Promise<void> {
    if (!this.state.get().hasMore) return Promise.resolve();
    this.#wanted.pages = this.#pages + 1;
    return this.#read();
  }

  /** Tries at once what could not be read. */
  readonly wake = this.#waits.wake;

  /** They are followed again. */
  begin(): void {
    this.#isEnded = false;
  }

  /** They are not followed any more: what is known gets old. */
  end(): void {
    this.#isEnded = true;
    this.#wanted = { pages: 0, ids: new Set() };
    this.#pages = 0;
    this.#next = undefined;
    this.#stored.clear();
    const confirmed = new Set(this.#confirmed);
    for (const id of [...this.#changes.keys()]) this.#forget(id, confirmed);
    this.wake();
    this.state.set(this.state.initial);
    this.#show(this.#changes.keys());
  }

  /** They cannot be read any more. */
  fail(error: Error): void {
    this.state.set({ ...this.state.get(), isLoading: false, error });
  }

  /** Shows a change, or one that is known by its key anew. */
  apply(change: Change): void {
    const changes = this.#changes.get(change.subject) ?? [];
    const at = changes.findIndex(({ key }) => key === change.key);
    const next = at < 0 ? [...changes, change] : changes.map((it, place) => (place === at ? change : it));
    this.#changes.set(change.subject, next);
    this.#show([change.subject]);
  }

  /** A change is stored: it is shown until it is read. */
  confirm(change: Change): void {
    if (this.#isEnded) return this.withdraw(change);
    this.#confirmed.add(change.key);
    this.apply(change);
    void this.refreshThread(change.subject);
  }

  /**
   * An event brought a thread. It is read all the same where a read that began before would hide it, the user's
   * own changes wait for a read, or it may be older than what is known, because frames come in any order.
   */
  tell(thread: CommentAnnotation): Promise<void> | void {
    const { annotationId: id, comments } = thread;
    const known = this.#stored.get(id);
    const last = comments.at(-1);
    const isSame = last?.commentId === known?.comments.at(-1)?.commentId;
    // Shorter: the last comment was deleted, and nobody knows whether the user has seen the one before it.
    const isOlderOrShorter =
      known &&
      (thread.lastUpdated <= known.lastUpdated || (!isSame && comments.length <= known.comments.length));
    if (isOlderOrShorter || this.#reading || this.#changes.has(id)) return this.refreshThread(id);
    const unread = isSame ? known?.unread : last?.from.userId !== this.#me().userId;
    this.#store(id, { ...thread, unread, seenAt: known?.seenAt, isPending: false } as Thread);
    this.#show([id]);
  }

  /** The user has seen a thread, perhaps on another page. */
  see(id: string, at: number): void {
    const known = this.#stored.get(id);
    if (!known) return;
    this.#stored.set(id, seen(known, at));
    this.#show([id]);
  }

  /** A change was refused: it is not shown any more. */
  withdraw(change: Change): void {
    this.#forget(change.subject, new Set([change.key]));
    this.#show([change.subject]);
    void this.refreshThread(change.subject);
  }

  #read(): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    for (let failures = 0; !this.#isEnded && (this.#wanted.pages > 0 || this.#wanted.ids.size > 0); ) {
      const { pages, ids } = this.#wanted;
      const some = [...ids].slice(0, MOST_IDS);
      this.#wanted = { pages: 0, ids: new Set(pages > 0 ? ids : [...ids].slice(MOST_IDS)) };
      // What is confirmed later may not be in this read.
      const covered = new Set(this.#confirmed);
      try {
        if (pages > 0) await this.#readPages(pages, covered);
        else await this.#readNamed(some, covered);
        failures = 0;
      } catch (error) {
        if (isFinal(error)) {
          this.fail(error);
          break;
        }
        this.#wanted.pages = Math.max(this.#wanted.pages, pages);
        for (const id of some) this.#wanted.ids.add(id);
        await this.#waits.wait(failures++);
      }
    }
    // At once: what is wanted from now on is read anew.
    this.#reading = undefined;
  }

  async #readPages(count: number, covered: Set<string>): Promise<void> {
    const found = new Map<string, Thread>();
    let next: string | undefined;
    let pages = 0;
    do {
      const page = await this.#ends.page(next);
      for (const thread of page.threads) found.set(thread.annotationId, { ...thread, isPending: false });
      next = page.next;
      pages++;
    } while (next !== undefined && pages < count);
    if (this.#isEnded) return;
    // A list may lack what was added a moment ago: what is known is asked for by name.
    if (next === undefined) for (const id of this.#stored.keys()) if (!found.has(id)) this.#wanted.ids.add(id);
    this.#pages = pages;
    this.#next = next;
    for (const [id, thread] of found) this.#store(id, thread);
    for (const id of this.#changes.keys()) {
      if (found.has(id)) this.#forget(id, covered);
      else if (this.#changes.get(id)?.some(({ key }) => covered.has(key))) this.#wanted.ids.add(id);
    }
    this.#show(new Set([...found.keys(), ...this.#changes.keys()]), true);
  }

  async #readNamed(ids: string[], covered: Set<string>): Promise<void> {
    const found = await this.#ends.named(ids);
    if (this.#isEnded) return;
    for (const [at, id] of ids.entries()) {
      const thread = found[at];
      if (thread) this.#store(id, { ...thread, isPending: false });
      else this.#stored.delete(id);
      this.#forget(id, covered);
    }
    this.#show(ids);
  }

  /** What has not changed stays the same object. */
  #store(id: string, thread: Thread): void {
    this.#ends.learn(thread);
    const known = this.#stored.get(id);
    if (!known || JSON.stringify(known) !== JSON.stringify(thread)) this.#stored.set(id, thread);
  }

  #forget(id: string, keys: Set<string>): void {
    const left = (this.#changes.get(id) ?? []).filter(({ key }) => !keys.has(key));
    for (const { key } of this.#changes.get(id) ?? []) if (keys.has(key)) this.#confirmed.delete(key);
    if (left.length > 0) this.#changes.set(id, left);
    else this.#changes.delete(id);
  }

  #show(ids: Iterable<string>, isRead = false): void {
    const state = this.state.get();
    const threads = new Map(state.threads);
    let isSame = true;
    for (const id of ids) {
      const thread = this.#shown(id);
      if (thread === threads.get(id)) continue;
      isSame = false;
      if (thread) threads.set(id, thread);
      else threads.delete(id);
    }
    const hasMore = this.#next !== undefined;
    if (isSame && !isRead) return;
    if (isSame && !state.isLoading && state.error === undefined && hasMore === state.hasMore) return;
    const read = isRead ? { isLoading: false, error: undefined } : {};
    this.state.set({ ...state, threads: isSame ? state.threads : threads, hasMore, ...read });
  }

  #shown(id: string): Thread | undefined {
    const stored = this.#stored.get(id);
    const changes = this.#changes.get(id) ?? [];
    const me = this.#me();
    const thread = changes.reduce<Thread | undefined>((shown, change) => applied(shown, change, me), stored);
    const isPending = changes.some(({ key, kind }) => kind !== "thread.seen" && !this.#confirmed.has(key));
    return thread && thread.isPending !== isPending ? { ...thread, isPending } : thread;
  }
}
