import { caller } from "../call.js";
import { Emitter } from "./emitter.js";
import { Farewell, HANDLED_MS } from "./farewell.js";
import { type Closed, Link, type Status } from "./link.js";
import { type DocumentAddress, LiveDocument, type LiveStateValue } from "./document.js";
import { SETTINGS } from "./rest.js";
import { type SocketOptions, type TokenSource, apiUrlOf } from "./socket.js";

/** What {@link LiveEvents} is made of. */
export interface LiveEventsOptions extends SocketOptions {
  /** The live channel: `ws://127.0.0.1:3000/live`, or the output `LiveUrl` of the stack. */
  url: string;
  /** The end user's token; a function is asked before each connection. */
  token: TokenSource;
}

/** The user got a notification, which `/v2/notifications/get` shows. */
export interface LiveNotification {
  type: "notification";
  organizationId: string;
  notificationId: string;
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

/** Codes of errors after which a document or an organization is not followed. */
const FINAL = ["NOT_FOUND", "PERMISSION_DENIED"];

/** The events of {@link LiveEvents}. */
export type LiveEventsEvents = {
  status: [status: Status];
  notification: [notification: LiveNotification];
  /** A frame was refused: one about these, if they are named. */
  error: [error: LiveError];
  /** The user may not follow the notifications of an organization any more. */
  ended: [why: { organizationId: string; code: string; message: string }];
  /** The service does not want this client: it does not connect again by itself. */
  closed: [why: Closed];
};

/**
 * Tells what happens in documents and what concerns the user, on one connection that comes back by
 * itself.
 */
export class LiveEvents extends Emitter<LiveEventsEvents> {
  readonly #link: Link;
  readonly #documents = new Map<string, LiveDocument>();
  readonly #mine = new Set<string>();
  /** Documents that are left, and that the service may still tell of. */
  readonly #farewells = new Map<string, Farewell>();
  #status: Status = "disconnected";

  constructor(private readonly options: LiveEventsOptions) {
    super();
    const canRenew = typeof options.token === "function";
    this.#link = new Link(`${options.url}?protocol=events`, options, canRenew, {
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
    this.#become("connecting");
    this.#link.connect();
  }

  get status(): Status {
    return this.#status;
  }

  /**
   * Follows a document.
   *
   * @param since the position of the last event that is known; `reset` says when it is not the last.
   */
  document(address: DocumentAddress, since?: number): LiveDocument {
    const key = keyOf(address);
    const known = this.#documents.get(key);
    if (known) return known;
    const document: LiveDocument = new LiveDocument(address, since, {
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
    if (farewell?.isTold) setTimeout(() => this.#documents.get(key) === document && document.subscribe(), HANDLED_MS);
    return document;
  }

  /** Follows the user's notifications in an organization. */
  me(organizationId: string): void {
    this.#mine.add(organizationId);
    this.#follow(organizationId);
  }

  /** Connects again after `disconnect`, or after `closed`. */
  connect(): void {
    if (this.#status !== "disconnected") return;
    this.#become("connecting");
    this.#link.connect();
  }

  /** Disconnects; documents and notifications are followed again after `connect`. */
  disconnect(): void {
    this.#become("disconnected");
    this.#link.disconnect();
  }

  #leave(address: DocumentAddress, isAnswered: boolean): void {
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
    for (const organizationId of this.#mine) this.#follow(organizationId);
  }

  #heard(frame: Frame): void {
    if (frame.type !== "error") this.#link.succeeded();
    if (frame.type === "notification") return this.emit("notification", frame as unknown as LiveNotification);
    const { organizationId, documentId, me } = frame;
    const key =
      typeof organizationId === "string" && typeof documentId === "string" ? keyOf({ organizationId, documentId }) : "";
    const document = this.#documents.get(key);
    if (isFinal(frame)) this.#stay(key);
    else if (["subscribed", "error"].includes(frame.type)) this.#farewells.get(key)?.answered();
    const isOfUser = me === true && typeof organizationId === "string";
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
    const { options } = this;
    const call = caller(apiUrlOf(options, options.url), { userToken: options.token }, SETTINGS);
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
  return type === "unsubscribed" || (type === "error" && FINAL.includes(String(code)));
}

function keyOf({ organizationId, documentId }: DocumentAddress): string {
  return JSON.stringify([organizationId, documentId]);
}
