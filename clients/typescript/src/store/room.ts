import type { AnnotationStatusInput, Comment, Document, Person } from "../generated/types.js";
import { Emitter } from "../live/emitter.js";
import type { LiveEvents } from "../live/events.js";
import type { DocumentAddress, LiveBroadcast, LiveUser, PresenceData, PresenceStatus } from "../live/document.js";
import { listen } from "../live/listen.js";
import type { LiveDocument } from "../live/view.js";
import { randomName } from "../random.js";
import type { Change, ChangeOf, CommentContent, ThreadContent, ThreadEdits } from "./change.js";
import { type Thread, applied } from "./draft.js";
import { RefusedError } from "./refused.js";
import type { Resource } from "./resource.js";
import { type Readable, Signal, loaded } from "./signal.js";
import { Threads, type ThreadsEnds, type ThreadsState } from "./threads.js";
import { Usage } from "./usage.js";

/** When to read without a subscription: where WebSockets are blocked, threads are there all the same. */
const BLOCKED_MS = 5_000;
/** How long what the user says of oneself is gathered: the service stores it. */
const GATHERED_MS = 200;

/** A new thread with its first comment. */
export interface NewThread extends ThreadContent {
  comment: CommentContent;
  /** An id of the application, without colons; random when absent. */
  id?: string;
}

/** What a room needs of its store. */
export interface RoomEnds extends ThreadsEnds {
  live: LiveEvents;
  /** Uses the store. */
  enter(): () => void;
  me(): Person;
  /** Shows a change and sends it. */
  add(change: Change): Promise<void>;
  document: Resource<Document>;
  broadcast(liveStateDataId: string, data: Record<string, unknown>): Promise<void>;
}

/** A document: its threads, the people in it, and its live state. */
export class RoomStore {
  readonly address: DocumentAddress;
  /** What the service knows of the document. */
  readonly document: Resource<Document>;
  readonly #threads: Threads;
  readonly #people = new Signal<readonly LiveUser[]>([]);
  readonly #liveState = new Signal<ReadonlyMap<string, unknown>>(new Map());
  readonly #usage: Usage;
  readonly #heard = new Emitter<{ broadcast: [said: LiveBroadcast] }>();
  #view: LiveDocument | undefined;
  #presence: PresenceStatus | undefined;
  #data: PresenceData | undefined;
  #gathering: ReturnType<typeof setTimeout> | undefined;

  readonly #ends: RoomEnds;

  /** Made by {@link RoundtableStore.room}. */
  constructor(address: DocumentAddress, ends: RoomEnds) {
    this.#ends = ends;
    this.address = address;
    this.document = ends.document;
    this.#threads = new Threads(() => ends.me(), ends);
    this.#usage = new Usage(() => this.#begin());
  }

  get threads(): Readable<ThreadsState> {
    return this.#threads.state;
  }

  /** Everybody who is in the document, ordered by id. */
  get people(): Readable<readonly LiveUser[]> {
    return this.#people;
  }

  /** The live state of the document, by id. */
  get liveState(): Readable<ReadonlyMap<string, unknown>> {
    return this.#liveState;
  }

  /**
   * Follows the document, and shows the user in it; returns a function that ends this use. The room ends
   * two seconds after its last use.
   */
  enter(): () => void {
    return this.#usage.enter();
  }

  /** Ends when the threads are read, or cannot be. */
  ready(): Promise<void> {
    return loaded(this.threads);
  }

  /** How the user is in the document; by the visibility of the page when it is undefined. */
  setPresence(status: PresenceStatus | undefined): void {
    this.#presence = status;
    this.#tellPresence();
  }

  /** Says an object of at most 1 KB of the user, which `people` have as `data` until the user leaves. */
  readonly setPresenceData = (data: PresenceData): void => {
    this.#data = data;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#tellPresence();
    }, GATHERED_MS);
  };

  /** Reads older threads. */
  fetchMore(): Promise<void> {
    return this.#threads.fetchMore();
  }

  /** Begins a thread. It is shown at once; `sent` ends when the service has stored or refused it. */
  createThread({ id = randomName(), comment, ...thread }: NewThread): { thread: Thread; sent: Promise<void> } {
    const change = this.#made(id, { kind: "thread.add", thread, comment, draftId: draftId() });
    const sent = this.#ends.add(change);
    // A draft has a thread.
    const shown = this.threads.get().threads.get(id) ?? applied(undefined, change, this.#ends.me());
    return { thread: shown as Thread, sent };
  }

  /** Answers in a thread. The comment has a negative number until it is stored. */
  createComment(threadId: string, comment: CommentContent): { comment: Comment; sent: Promise<void> } {
    const thread = this.#thread(threadId);
    const change = this.#made(threadId, { kind: "comment.add", comment, draftId: draftId() });
    const sent = this.#ends.add(change);
    // A draft is the last one.
    return { comment: applied(thread, change, this.#ends.me())?.comments.at(-1) as Comment, sent };
  }

  editComment(threadId: string, commentId: number, comment: CommentContent): Promise<void> {
    return this.#change(threadId, { kind: "comment.edit", commentId, comment });
  }

  deleteComment(threadId: string, commentId: number): Promise<void> {
    return this.#change(threadId, { kind: "comment.delete", commentId });
  }

  addReaction(threadId: string, commentId: number, icon: string): Promise<void> {
    return this.#change(threadId, { kind: "reaction.add", commentId, icon });
  }

  removeReaction(threadId: string, commentId: number, icon: string): Promise<void> {
    return this.#change(threadId, { kind: "reaction.remove", commentId, icon });
  }

  /** Deletes a thread that the user began and in which nobody else commented. */
  deleteThread(threadId: string): Promise<void> {
    return this.#change(threadId, { kind: "thread.delete" });
  }

  resolveThread(threadId: string): Promise<void> {
    return this.setThreadStatus(threadId, { id: "RESOLVED" });
  }

  reopenThread(threadId: string): Promise<void> {
    return this.setThreadStatus(threadId, { id: "OPEN" });
  }

  /** Gives a thread a status, also one of the application. */
  setThreadStatus(threadId: string, status: AnnotationStatusInput): Promise<void> {
    return this.#change(threadId, { kind: "thread.status", status });
  }

  /** Changes whom a thread is assigned to, its priority, context or place, where the API key allows that to end users. */
  editThread(threadId: string, edits: ThreadEdits): Promise<void> {
    return this.#change(threadId, { kind: "thread.edit", edits });
  }

  /** Nobody needs to tell the user of what the thread has now. */
  markThreadAsRead(threadId: string): Promise<void> {
    return this.#change(threadId, { kind: "thread.seen" });
  }

  /** Notifies the user of what happens in a thread, or no longer. */
  setThreadSubscription(threadId: string, isSubscribed: boolean): Promise<void> {
    return this.#change(threadId, { kind: "thread.subscription", isSubscribed });
  }

  /** Says JSON of at most 1 KB to whoever is in the document now. */
  broadcast(data: unknown): void {
    this.#view?.broadcast(data);
  }

  /** Hears what others say; returns a function that ends it. */
  onBroadcast(listener: (said: LiveBroadcast) => void): () => void {
    // Two listeners may be the same function.
    return this.#heard.on("broadcast", (said) => listener(said));
  }

  /** Writes live state of the document. It is shown at once, and not kept if it cannot be sent. */
  async setLiveState(id: string, data: Record<string, unknown>): Promise<void> {
    const before = this.#liveState.get();
    this.#liveState.set(new Map(before).set(id, data));
    try {
      await this.#ends.broadcast(id, data);
    } catch (error) {
      if (this.#liveState.get().get(id) === data)
        this.#liveState.set(new Map(this.#liveState.get()).set(id, before.get(id)));
      throw error;
    }
  }

  /** @internal What its store tells a room. */
  readonly hears = {
    shown: (change: Change): void => this.#threads.apply(change),
    stored: (change: Change): void => this.#threads.confirm(change),
    refused: (change: Change): void => this.#threads.withdraw(change),
    connected: (): void => this.#threads.wake(),
    seen: (threadId: string, at: number): void => this.#threads.see(threadId, at),
    isUsed: (): boolean => this.#usage.isOn,
  };

  #begin(): () => void {
    const threads = this.#threads;
    const leave = this.#ends.enter();
    const view = this.#ends.live.document(this.address);
    this.#view = view;
    threads.begin();
    const blocked = setTimeout(() => void threads.refresh(), BLOCKED_MS);
    let isFirst = true;
    view.on("subscribed", () => {
      clearTimeout(blocked);
      // Later, the service sends the events that were missed.
      if (isFirst || threads.state.get().error) void threads.refresh();
      isFirst = false;
    });
    view.on("reset", () => void threads.refresh());
    view.on("event", ({ name, ids, thread }) => {
      if (thread) void threads.tell(thread);
      else if (name.startsWith("comment")) void threads.refreshThread(ids["annotationId"] as string);
    });
    view.on("broadcast", (said) => this.#heard.emit("broadcast", said));
    view.on("ended", ({ message }) => threads.fail(new RefusedError(message)));
    view.on("presence", (users) => this.#people.set([...users].sort((a, b) => (a.userId < b.userId ? -1 : 1))));
    view.on("liveState", ({ liveStateDataId, data }) =>
      this.#liveState.set(new Map(this.#liveState.get()).set(liveStateDataId, data)),
    );
    const deaf = listen("visibilitychange", this.#tellPresence, globalThis.document);
    this.#tellPresence();
    return () => {
      clearTimeout(blocked);
      deaf();
      this.#view = undefined;
      view.unsubscribe();
      threads.end();
      this.#people.set([]);
      leave();
    };
  }

  readonly #tellPresence = (): void => {
    const seen = globalThis.document?.hidden ? "away" : "online";
    this.#view?.setPresence(this.#presence ?? seen, this.#data);
  };

  #change(threadId: string, change: ChangeOf): Promise<void> {
    return this.#ends.add(this.#made(threadId, change));
  }

  #made(subject: string, change: ChangeOf): Change {
    const { documentId } = this.address;
    return { ...change, key: randomName(), documentId, subject, at: Date.now() } as Change;
  }

  #thread(id: string): Thread {
    const thread = this.threads.get().threads.get(id);
    if (!thread) throw new RefusedError("There is no such thread.");
    return thread;
  }
}

let drafts = 0;

/** A negative number, larger than that of any comment. */
function draftId(): number {
  return -(Date.now() * 1_000 + (drafts++ % 1_000));
}
