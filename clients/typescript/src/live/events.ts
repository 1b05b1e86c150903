import { Emitter } from "./emitter.js";
import { type Closed, Link, type Status } from "./link.js";
import { type DocumentAddress, LiveDocument } from "./document.js";
import type { SocketOptions, TokenSource } from "./socket.js";

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

/** The events of {@link LiveEvents}. */
export type LiveEventsEvents = {
  status: [status: Status];
  notification: [notification: LiveNotification];
  /** A frame was refused. */
  error: [error: { code: string | number; message: string }];
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
  #status: Status = "disconnected";

  constructor(options: LiveEventsOptions) {
    super();
    const canRenew = typeof options.token === "function";
    this.#link = new Link(`${options.url}?protocol=events`, options, canRenew, {
      opened: () => this.#opened(),
      message: (frame) => this.#heard(JSON.parse(frame as string) as Frame),
      lost: () => this.#status !== "disconnected" && this.#become("connecting"),
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
    const document = new LiveDocument(address, since, {
      send: (frame) => this.#link.send(JSON.stringify(frame)),
      left: () => this.#documents.delete(key),
    });
    this.#documents.set(key, document);
    document.subscribe();
    return document;
  }

  /** Follows the user's notifications in an organization. */
  me(organizationId: string): void {
    this.#mine.add(organizationId);
    this.#follow(organizationId);
  }

  /** Connects again after `disconnect`, or after `closed`. */
  connect(): void {
    this.#become("connecting");
    this.#link.connect();
  }

  /** Disconnects; documents and notifications are followed again after `connect`. */
  disconnect(): void {
    this.#become("disconnected");
    this.#link.disconnect();
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
    this.#link.succeeded();
    if (frame.type === "notification") return this.emit("notification", frame as unknown as LiveNotification);
    if (frame.type === "error") return this.emit("error", frame as Frame & { code: string; message: string });
    const { organizationId, documentId } = frame;
    if (typeof organizationId !== "string" || typeof documentId !== "string") return;
    this.#documents.get(keyOf({ organizationId, documentId }))?.hear(frame);
  }

  #become(status: Status): void {
    if (this.#status === status) return;
    this.#status = status;
    this.emit("status", status);
  }
}

type Frame = Record<string, unknown> & { type: string };

function keyOf({ organizationId, documentId }: DocumentAddress): string {
  return JSON.stringify([organizationId, documentId]);
}
