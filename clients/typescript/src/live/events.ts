import { USUAL, caller } from "../call.js";
import { HIDDEN } from "../errors.js";
import type { NotificationCount } from "../generated/types.js";
import { Emitter } from "./emitter.js";
import { Farewell, HANDLED_MS } from "./farewell.js";
import { type Closed, Link, type Status } from "./link.js";
import { type DocumentAddress, type LiveStateValue, SharedDocument } from "./document.js";
import { LiveSocket, type SocketOptions, type TokenSource, apiUrlOf, optioned } from "./socket.js";
import { LiveDocument } from "./view.js";

/** What {@link LiveEvents} is made of. */
export interface LiveEventsOptions extends SocketOptions {
  /** The live channel: `ws://127.0.0.1:3000/live`, or the output `LiveUrl` of the stack. */
  url: string;
  /** The end user's token; a function is asked before each connection. */
  token: TokenSource;
  /**
   * Whether to connect when it is made; with `false`, `connect` does. When absent, a page connects at
   * once, and so does a program that passes a `WebSocket`; anything else connects with the first
   * `document` or `me`: to make one while a server renders a page opens nothing.
   */
  connect?: boolean | undefined;
}

/** The user got a notification, which `/v2/notifications/get` shows. */
export interface LiveNotification {
  type: "notification";
  organizationId: string;
  notificationId: string;
  /** How many are unread now. */
  count: NotificationCount;
}

/** The user has read, deleted or seen notifications, on this page or another one. */
export interface LiveReading {
  type: "notificationsRead" | "notificationsDeleted" | "notificationsSeen";
  organizationId: string;
  /** Which ones; absent for `all` and for the inbox as a whole. */
  notificationIds?: string[];
  all?: boolean;
  /** When the user saw the inbox, in epoch milliseconds. */
  seenAt?: number;
  /** How many are unread now. */
  count: NotificationCount;
}

/** The user has seen a thread, on this page or another one. */
export interface LiveSeen extends DocumentAddress {
  type: "seen";
  annotationId: string;
  /** When, in epoch milliseconds. */
  seenAt: number;
}

/** A frame was refused. */
export interface LiveError {
  code: string;
  message: string;
  organizationId?: string;
  documentId?: string;
  /** Whether it was about the user's notifications. */
  me?: boolean;
}

/** Frames about what the user has read. */
const READINGS = ["notificationsRead", "notificationsDeleted", "notificationsSeen"];

/** The events of {@link LiveEvents}. */
export type LiveEventsEvents = {
  status: [status: Status];
  notification: [notification: LiveNotification];
  /** The user has read, deleted or seen notifications. */
  read: [reading: LiveReading];
  /** The user has seen a thread. */
  seen: [seen: LiveSeen];
  /** The user's notifications in an organization are followed: what came before is not told. */
  following: [organizationId: string];
  /** A frame was refused: one about these, if they are named. */
  error: [error: LiveError];
  /** The user may not follow the notifications of an organization any more. */
  ended: [why: { organizationId: string; code: string; message: string }];
  /** The service does not want this client: it does not connect again by itself. */
  closed: [why: Closed];
};

/** How the user's notifications in an organization are followed. */
interface Mine {
  /** How many follow them. */
  count: number;
  /** Whether `subscribe` is answered. */
  isAnswered: boolean;
}

/**
 * Tells what happens in documents and what concerns the user, on one connection that comes back by
 * itself.
 *
 * In a component, connect in an effect and end in its clean-up; an effect that runs twice at once, as
 * in React's Strict Mode, opens one connection:
 *
 * ```ts
 * const events = new LiveEvents({ url, token, connect: false });
 * useEffect(() => {
 *   events.connect();
 *   return () => events.destroy();
 * }, [events]);
 * ```
 */
export class LiveEvents extends Emitter<LiveEventsEvents> {
  readonly #link: Link;
  readonly #documents = new Map<string, SharedDocument>();
  readonly #mine = new Map<string, Mine>();
  /** Documents and organizations that are left, and that the service may still tell of. */
  readonly #farewells = new Map<string, Farewell>();
  /** What is asked for once more, when the service has surely handled the end before. */
  readonly #repeats = new Set<ReturnType<typeof setTimeout>>();
  #status: Status = "disconnected";
  /** Whether to connect with the first thing that is followed. */
  #isLazy: boolean;

  readonly #options: LiveEventsOptions;

  /** @throws Error if it connects where there is no WebSocket. */
  constructor(options: LiveEventsOptions) {
    super();
    this.#options = options;
    const canRenew = typeof options.token === "function";
    const url = `${options.url.replace(/\/+$/, "")}?protocol=events`;
    this.#link = new Link(optioned(LiveSocket, options), url, canRenew, {
      opened: () => this.#opened(),
      message: (frame) => this.#heard(JSON.parse(frame as string) as Frame),
      lost: () => {
        for (const key of [...this.#farewells.keys()]) this.#stay(key);
        if (this.#status !== "disconnected") this.#become("connecting");
      },
      closed: (why) => {
        this.#become("disconnected");
        this.emit("closed", why);
      },
    });
    this.#isLazy = options.connect === undefined;
    if (options.connect ?? (isPage() || options.WebSocket !== undefined)) this.connect();
  }

  get status(): Status {
    return this.#status;
  }

  /**
   * Follows a document. Each call is a view of its own: who calls it calls its `unsubscribe`.
   *
   * @param since the position of the last event that is known; `reset` says when it is not the last.
   * @throws Error if it connects where there is no WebSocket.
   */
  document(address: DocumentAddress, since?: number): LiveDocument {
    if (this.#isLazy) this.connect();
    const key = keyOf(address);
    const known = this.#documents.get(key);
    if (known) return new LiveDocument(known);
    const document: SharedDocument = new SharedDocument(address, since, {
      send: (frame) => this.#link.send(JSON.stringify(frame)),
      left: (isAnswered) => {
        if (this.#documents.get(key) !== document) return;
        this.#documents.delete(key);
        if (isAnswered !== undefined && this.#link.isOpen) this.#leave(document.address, isAnswered);
      },
      read: (liveStateDataId) => this.#read({ ...document.address, liveStateDataId }),
    });
    this.#documents.set(key, document);
    const farewell = this.#farewells.get(key);
    this.#stay(key);
    // The answer that is to come is one to this, too.
    if (!farewell?.awaitsAnswer || since !== undefined) document.subscribe();
    // The service does not answer to `unsubscribe`, which it may handle after this `subscribe`.
    if (farewell?.isTold) this.#again(() => this.#documents.get(key) === document && document.subscribe());
    return new LiveDocument(document);
  }

  /**
   * Follows the user's notifications in an organization.
   *
   * @returns a function that ends it; the service is told a second after the last one.
   * @throws Error if it connects where there is no WebSocket.
   */
  me(organizationId: string): () => void {
    if (this.#isLazy) this.connect();
    const known = this.#mine.get(organizationId);
    const mine = known ?? { count: 0, isAnswered: false };
    this.#mine.set(organizationId, mine);
    mine.count++;
    if (!known) this.#begin(organizationId, mine);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      if (--mine.count > 0 || this.#mine.get(organizationId) !== mine) return;
      this.#mine.delete(organizationId);
      if (this.#link.isOpen) this.#leave({ organizationId }, mine.isAnswered);
    };
  }

  /**
   * Connects, also again after `disconnect`, `destroy` or `closed`.
   *
   * @throws Error where there is no WebSocket.
   */
  connect(): void {
    if (this.#status !== "disconnected") return;
    this.#link.connect();
    this.#isLazy = false;
    this.#become("connecting");
  }

  /** Disconnects; documents and notifications are followed again after `connect`. */
  disconnect(): void {
    this.#isLazy = false;
    this.#become("disconnected");
    this.#link.disconnect();
  }

  /** Disconnects, and forgets what is followed and who listens. `connect` begins anew. */
  destroy(): void {
    this.disconnect();
    for (const timer of this.#repeats) clearTimeout(timer);
    this.#repeats.clear();
    this.#documents.clear();
    this.#mine.clear();
    this.silence();
  }

  #begin(organizationId: string, mine: Mine): void {
    const key = keyOf({ organizationId });
    const farewell = this.#farewells.get(key);
    this.#stay(key);
    if (!farewell?.awaitsAnswer) this.#follow(organizationId);
    if (farewell?.isTold) this.#again(() => this.#mine.get(organizationId) === mine && this.#follow(organizationId));
  }

  #again(subscribe: () => void): void {
    const timer = setTimeout(() => {
      this.#repeats.delete(timer);
      subscribe();
    }, HANDLED_MS);
    this.#repeats.add(timer);
  }

  #leave(address: Partial<DocumentAddress>, isAnswered: boolean): void {
    const key = keyOf(address);
    this.#farewells.set(key, new Farewell(isAnswered, {
      tell: () => this.#link.send(JSON.stringify({ type: "unsubscribe", ...address })),
      over: () => this.#stay(key),
    }));
  }

  #stay(key: string): void {
    this.#farewells.get(key)?.cancel();
    this.#farewells.delete(key);
  }

  #follow(organizationId: string): void {
    this.#link.send(JSON.stringify({ type: "subscribe", me: true, organizationId }));
  }

  #opened(): void {
    this.#become("connected");
    for (const document of this.#documents.values()) document.subscribe();
    for (const [organizationId, mine] of this.#mine) {
      mine.isAnswered = false;
      this.#follow(organizationId);
    }
  }

  #heard(frame: Frame): void {
    if (frame.type !== "error") this.#link.succeeded();
    if (frame.type === "notification") return this.emit("notification", frame as unknown as LiveNotification);
    if (READINGS.includes(frame.type)) return this.emit("read", frame as unknown as LiveReading);
    if (frame.type === "seen") return this.emit("seen", frame as unknown as LiveSeen);
    const { organizationId, documentId, me } = frame;
    const isOfDocument = typeof organizationId === "string" && typeof documentId === "string";
    const isOfUser = me === true && typeof organizationId === "string";
    const key = isOfDocument ? keyOf({ organizationId, documentId }) : isOfUser ? keyOf({ organizationId }) : "";
    const document = this.#documents.get(key);
    const mine = isOfUser ? this.#mine.get(organizationId) : undefined;
    if (mine && frame.type === "subscribed") {
      mine.isAnswered = true;
      this.emit("following", organizationId as string);
    }
    if (isFinal(frame)) this.#stay(key);
    else if (["subscribed", "error"].includes(frame.type)) this.#farewells.get(key)?.answered();
    if (frame.type === "error") {
      const error = frame as unknown as LiveError;
      this.emit("error", error);
      if (!isFinal(frame)) return;
      document?.end(error);
      if (isOfUser) this.#ended(organizationId, error);
    } else if (isOfUser && frame.type === "unsubscribed") {
      this.#ended(organizationId, frame as unknown as LiveError);
    } else document?.hear(frame);
  }

  #ended(organizationId: string, { code, message }: LiveError): void {
    this.#mine.delete(organizationId);
    this.emit("ended", { organizationId, code, message });
  }

  /** Reads an entry of live state over REST, with the user's own rights. */
  async #read(entry: DocumentAddress & { liveStateDataId: string }): Promise<LiveStateValue | undefined> {
    const options = this.#options;
    const call = caller(apiUrlOf(options, options.url), { userToken: options.token }, USUAL);
    const operation = { name: "liveState.get", path: "/v2/livestate/get", writes: false };
    const { data } = await call<{ data: LiveStateValue[] }>(operation, entry);
    return data[0];
  }

  #become(status: Status): void {
    if (this.#status === status) return;
    this.#status = status;
    this.emit("status", status);
  }
}

type Frame = Record<string, unknown> & { type: string };

/** Whether it is not followed any more what a frame is about. */
function isFinal({ type, code }: Frame): boolean {
  return type === "unsubscribed" || (type === "error" && HIDDEN.includes(String(code)));
}

/** Whether this is a page, or a worker of one, and not a server. */
function isPage(): boolean {
  const { document, importScripts, navigator } = globalThis as unknown as Record<string, unknown>;
  const isNative = (navigator as { product?: string } | undefined)?.product === "ReactNative";
  return document !== undefined || typeof importScripts === "function" || isNative;
}

/** What is followed: a document, or the user's notifications in an organization. */
function keyOf({ organizationId, documentId }: Partial<DocumentAddress>): string {
  return JSON.stringify([organizationId, documentId]);
}
