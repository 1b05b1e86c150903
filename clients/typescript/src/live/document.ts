import type { CommentAnnotation, CommentEventWebhookType } from "../generated/types.js";
import type { LiveDocument } from "./view.js";

/** How many positions are remembered, to tell an event once. */
const REMEMBERED = 256;

/** A document. */
export interface DocumentAddress {
  organizationId: string;
  documentId: string;
}

/** What may happen in a document. */
export type LiveEventName =
  | CommentEventWebhookType
  | "comment_annotation.access_mode_change"
  | "comment_annotation.delete"
  | "notification.add"
  | "recorder.done";

/** Something happened in a document. What it does not have is read over REST, with the user's rights. */
export interface LiveEvent extends DocumentAddress {
  type: "event";
  /** Its number in the document. */
  position: number;
  name: LiveEventName;
  /** What it is about, such as `annotationId` and `commentId`. */
  ids: Record<string, string | number>;
  /** Who did it, if that is known. */
  actorUserId?: string | null;
  /**
   * Its thread as of then or later, without what is the reader's alone. Absent when that is deleted or long, and
   * for events that were missed.
   */
  thread?: CommentAnnotation;
}

/** A user in a document, as `/v2/presence/get` shows it. */
export type LiveUser = Record<string, unknown> & {
  userId: string;
  status: PresenceStatus;
  /** What the user's pages said last. */
  data?: PresenceData;
};

/** What a user says of oneself in a document: an object of at most 1 KB. */
export type PresenceData = Record<string, unknown>;

/** How a user is in a document. */
export type PresenceStatus = "online" | "away" | "offline";

/** What somebody in a document said to whoever is there. */
export interface LiveBroadcast extends DocumentAddress {
  type: "broadcast";
  userId: string;
  data: unknown;
}

/** Live state of a document. */
export interface LiveStateValue {
  liveStateDataId: string;
  data: unknown;
  /** Grows with each change. */
  revision: number;
}

/** The events of a `LiveDocument`. */
export type LiveDocumentEvents = {
  /** The service tells from here on; also after a break. */
  subscribed: [position: number];
  event: [event: LiveEvent];
  /**
   * What the service has told is not all: events were missed that it no longer has, or what is there
   * did not fit into its message. What is shown has to be read again over REST.
   */
  reset: [];
  /** The user lost the right to the document, or it was deleted: it is no longer followed. */
  ended: [why: { code: string; message: string }];
  /** Everybody who is in the document, after somebody came, went or changed. */
  presence: [users: LiveUser[]];
  liveState: [value: LiveStateValue];
  /** Another connection said something, perhaps one of the user. */
  broadcast: [said: LiveBroadcast];
};

/** What a document needs of its connection. */
export interface DocumentEnds {
  send(frame: object): void;
  /** It is not followed any more; `isAnswered` of `subscribe`, when the service does not know. */
  left(isAnswered?: boolean): void;
  /** Reads an entry of live state that is too large for a message. */
  read(liveStateDataId: string): Promise<LiveStateValue | undefined>;
}

/** A frame about live state; without `data` when that is too large for a message. */
type ToldState = Omit<LiveStateValue, "data"> & Partial<LiveStateValue>;

/** A frame about presence. */
interface ToldPresence {
  users?: LiveUser[];
  left?: string[];
  /** Whether it is a part of the list of `subscribed`, which comes after it. */
  isSnapshot?: boolean;
}

/** A document that is followed, once for all who look at it. */
export class SharedDocument {
  readonly address: DocumentAddress;
  readonly #views = new Set<LiveDocument>();
  readonly #seen = new Set<number>();
  readonly #users = new Map<string, LiveUser>();
  readonly #states = new Map<string, LiveStateValue>();
  #position: number | undefined;
  #isSubscribed = false;
  #presence: { status: PresenceStatus; data: PresenceData | undefined } | undefined;
  /** Frames about presence that came before `subscribed`, which may be older than they are. */
  #early: ToldPresence[] = [];
  /** Users for whom the list of `subscribed` has no room. */
  #listed: LiveUser[] = [];

  readonly #ends: DocumentEnds;

  constructor(
    { organizationId, documentId }: DocumentAddress,
    since: number | undefined,
    ends: DocumentEnds,
  ) {
    this.#ends = ends;
    this.address = { organizationId, documentId };
    this.#position = since;
  }

  /** Everybody who is in the document. */
  get users(): LiveUser[] {
    return [...this.#users.values()];
  }

  /** The live state of the document. */
  get liveState(): LiveStateValue[] {
    return [...this.#states.values()];
  }

  /** Shows the user in the document until the connection ends, with what the user says. */
  setPresence(status: PresenceStatus, data?: PresenceData): void {
    this.#presence = { status, data };
    if (this.#isSubscribed) this.#tellPresence();
  }

  /** Says something to whoever is in the document now; to nobody while there is no connection. */
  broadcast(data: unknown): void {
    if (this.#isSubscribed) this.#ends.send({ type: "broadcast", ...this.address, data });
  }

  /** Somebody looks at it, who is told what the service said before. */
  enter(view: LiveDocument): void {
    this.#views.add(view);
    const position = this.#position;
    if (!this.#isSubscribed || position === undefined) return;
    queueMicrotask(() => {
      if (!this.#isSubscribed || !this.#views.has(view)) return;
      view.emit("presence", this.users);
      view.emit("subscribed", position);
    });
  }

  /** Somebody looks away. After the last one it is not followed any more. */
  leave(view: LiveDocument): void {
    if (!this.#views.delete(view) || this.#views.size > 0) return;
    this.#ends.left(this.#isSubscribed);
  }

  private emit<Name extends keyof LiveDocumentEvents>(name: Name, ...values: LiveDocumentEvents[Name]): void {
    for (const view of [...this.#views]) view.emit(name, ...values);
  }

  /** Asks the service to tell what happens; repeated after a break. */
  subscribe(): void {
    this.#isSubscribed = false;
    this.#early = [];
    this.#listed = [];
    const since = this.#position === undefined ? {} : { since: this.#position };
    this.#ends.send({ type: "subscribe", ...this.address, ...since, threads: true });
  }

  /** Takes a frame of the service about this document. */
  hear(frame: Record<string, unknown> & { type: string }): void {
    switch (frame.type) {
      case "subscribed":
        return this.#subscribed(frame as unknown as Subscribed);
      case "event":
        return this.#event(frame as unknown as LiveEvent);
      case "presence":
        return this.#present(frame as unknown as ToldPresence);
      case "liveState":
        return this.#state(frame as unknown as ToldState);
      case "broadcast":
        return this.emit("broadcast", frame as unknown as LiveBroadcast);
      case "unsubscribed":
        return this.end(frame as unknown as { code: string; message: string });
    }
  }

  /** It is not followed any more. */
  end({ code, message }: { code: string; message: string }): void {
    this.#ends.left();
    this.emit("ended", { code, message });
  }

  #tellPresence(): void {
    this.#ends.send({ type: "presence", ...this.address, ...this.#presence });
  }

  #subscribed({ position, presence, liveState, isComplete }: Subscribed): void {
    this.#position = Math.max(position, this.#position ?? 0);
    this.#users.clear();
    // What came before may have happened after the list was read, and comes once: it goes last.
    const listed = [...this.#listed.splice(0), ...presence];
    for (const told of [{ users: listed }, ...this.#early.splice(0)]) this.#put(told);
    this.emit("presence", this.users);
    for (const value of liveState) this.#state(value);
    this.#isSubscribed = true;
    if (this.#presence) this.#tellPresence();
    if (!isComplete) this.emit("reset");
    this.emit("subscribed", position);
  }

  #event(event: LiveEvent): void {
    if (this.#seen.has(event.position)) return;
    this.#seen.add(event.position);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    // Before `subscribed`, missed events come with new ones: after a break, all are missed again.
    if (this.#isSubscribed) this.#position = Math.max(event.position, this.#position ?? 0);
    this.emit("event", event);
  }

  #present(told: ToldPresence): void {
    if (told.isSnapshot) return void this.#listed.push(...(told.users ?? []));
    if (!this.#isSubscribed) this.#early.push(told);
    this.#put(told);
    this.emit("presence", this.users);
  }

  #put({ users = [], left = [] }: ToldPresence): void {
    for (const userId of left) this.#users.delete(userId);
    for (const user of users) this.#users.set(user.userId, user);
  }

  #state(value: ToldState): void {
    const known = this.#states.get(value.liveStateDataId);
    if (known && known.revision >= value.revision) return;
    if (!("data" in value)) return void this.#read(value.liveStateDataId);
    const { liveStateDataId, data, revision } = value;
    this.#states.set(liveStateDataId, { liveStateDataId, data, revision });
    this.emit("liveState", { liveStateDataId, data, revision });
  }

  async #read(liveStateDataId: string): Promise<void> {
    try {
      const value = await this.#ends.read(liveStateDataId);
      if (value) this.#state(value);
    } catch {
      this.emit("reset");
    }
  }
}

interface Subscribed {
  position: number;
  presence: LiveUser[];
  liveState: ToldState[];
  isComplete: boolean;
}
