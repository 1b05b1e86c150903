import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";

import { type EditorAddress, roomOf } from "./address.js";
import { Code } from "./codes.js";
import { Cursors } from "./cursors.js";
import { Emitter } from "./emitter.js";
import { type Closed, Link, type Status } from "./link.js";
import { Auth, Sync, Type, message, open } from "./messages.js";
import { type Deletions, deletionsIn, novelty } from "./novelty.js";
import type { SocketOptions, TokenSource } from "./socket.js";
import { renewalOf } from "./token.js";
import { Uploads } from "./uploads.js";
import { Reader, type Writer } from "./varint.js";

/** How often two sides that are not alone compare what they have. */
const RESYNC_MS = 60_000;
/** How long an update may wait for one before it. */
const GAP_MS = 2_000;

/** What a {@link RoundtableProvider} is made of. */
export interface ProviderOptions extends EditorAddress, Omit<SocketOptions, "token"> {
  /** The live channel: `ws://127.0.0.1:3000/live`, or the output `LiveUrl` of the stack. */
  url: string;
  /** What is edited. */
  document: Y.Doc;
  /** The end user's token; a function is asked before each connection and before a token ends. */
  token: TokenSource;
  /** Cursors and who is here; made for the document when absent. */
  awareness?: Awareness;
  /** Whether to connect at once; true when absent. */
  connect?: boolean;
}

/** The events of a {@link RoundtableProvider}. */
export type ProviderEvents = {
  status: [status: Status];
  /** Whether the document has everything that was stored when the connection began. */
  synced: [isSynced: boolean];
  /** How many changes of this client the service has not stored yet. */
  unsynced: [changes: number];
  /** What the user may do; changes of a reader are not sent. */
  access: [access: "read-write" | "readonly"];
  /** The service does not want this client: it does not connect again by itself. */
  closed: [why: Closed];
};

/** Keeps a Yjs document the same as the one of an editor in Roundtable. */
export class RoundtableProvider extends Emitter<ProviderEvents> {
  readonly document: Y.Doc;
  readonly awareness: Awareness;
  readonly #name: string;
  readonly #token: TokenSource;
  readonly #link: Link;
  readonly #uploads: Uploads;
  readonly #cursors: Cursors;
  readonly #resync = setInterval(() => this.#cursors.others > 0 && this.resync(), RESYNC_MS);
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #gap: ReturnType<typeof setTimeout> | undefined;
  #status: Status = "disconnected";
  #isSynced = false;
  #isReader = false;
  #theirs: { stateVector?: Uint8Array; deletions?: Deletions } = {};

  constructor(options: ProviderOptions) {
    super();
    this.document = options.document;
    this.awareness = options.awareness ?? new Awareness(options.document);
    this.#name = roomOf(options);
    this.#token = options.token;
    this.#cursors = new Cursors(this.awareness, (update) => this.#say(Type.awareness, (it) => it.block(update)));
    this.#uploads = new Uploads({
      send: (update) => this.#say(Type.sync, (it) => it.uint(Sync.update).block(update)),
      count: (unsynced) => this.emit("unsynced", unsynced),
      overdue: () => this.resync(),
    });
    const { apiUrl, gatherMs, WebSocket } = options;
    const canRenew = typeof options.token === "function";
    this.#link = new Link(`${options.url}?protocol=hocuspocus`, { apiUrl, gatherMs, WebSocket }, canRenew, {
      opened: () => void this.#authenticate(),
      message: (data) => this.#heard(new Uint8Array(data as ArrayBuffer)),
      lost: () => this.#lost(),
      closed: (why) => this.#closed(why),
    });
    this.document.on("update", this.#changed);
    globalThis.addEventListener?.("pagehide", this.#leave);
    if (options.connect !== false) this.connect();
  }

  get status(): Status {
    return this.#status;
  }

  get synced(): boolean {
    return this.#isSynced;
  }

  /** How many changes of this client the service has not stored yet. */
  get unsynced(): number {
    return this.#uploads.unsynced;
  }

  connect(): void {
    this.#become("connecting");
    this.#link.connect();
  }

  /** Disconnects; what is changed meanwhile is sent after `connect`. */
  disconnect(): void {
    this.#become("disconnected");
    this.#link.disconnect();
  }

  /** Compares with the service what both have. */
  resync(): void {
    this.#theirs = {};
    this.#say(Type.sync, (it) => it.uint(Sync.step1).block(Y.encodeStateVector(this.document)));
  }

  /** Disconnects for good. */
  destroy(): void {
    this.document.off("update", this.#changed);
    globalThis.removeEventListener?.("pagehide", this.#leave);
    this.#cursors.end();
    this.disconnect();
    for (const timer of [this.#resync, this.#renewal, this.#gap]) clearTimeout(timer);
  }

  #changed = (update: Uint8Array, origin: unknown): void => {
    if (origin !== this && !this.#isReader) this.#uploads.add(update);
  };

  /** A page that is put away may never come back: others no longer see its user. */
  #leave = (): void => this.awareness.setLocalState(null);

  async #authenticate(): Promise<void> {
    let token: string;
    try {
      token = typeof this.#token === "function" ? await this.#token() : this.#token;
    } catch (error) {
      return this.#link.refuse(Code.unavailable, String(error));
    }
    if (!this.#link.isOpen) return;
    this.#say(Type.auth, (it) => it.uint(Auth.token).text(token));
    clearTimeout(this.#renewal);
    const inMs = typeof this.#token === "function" ? renewalOf(token) : undefined;
    if (inMs !== undefined) this.#renewal = setTimeout(() => void this.#authenticate(), inMs);
  }

  #heard(bytes: Uint8Array): void {
    if (bytes.length === 1) return; // says only that the connection lives
    const heard = open("hocuspocus", bytes);
    if (heard.name !== this.#name) return;
    if (heard.type === Type.sync) this.#sync(new Reader(heard.body));
    if (heard.type === Type.awareness) this.#cursors.heard(heard);
    if (heard.type === Type.auth) this.#admitted(new Reader(heard.body));
    if (heard.type === Type.syncStatus) this.#uploads.answered();
  }

  #admitted(reader: Reader): void {
    const kind = reader.uint();
    const text = reader.text();
    if (kind === Auth.denied) return this.#link.refuse(Code.forbidden, text);
    if (kind !== Auth.authenticated) return;
    this.#link.succeeded();
    this.#isReader = text === "readonly";
    this.emit("access", this.#isReader ? "readonly" : "read-write");
    if (this.#status === "connected") return;
    this.#become("connected");
    this.resync();
    this.#cursors.opened();
  }

  #sync(reader: Reader): void {
    const kind = reader.uint();
    const content = reader.block();
    if (kind === Sync.step1) this.#theirs.stateVector = content;
    else Y.applyUpdate(this.document, content, this);
    if (kind === Sync.step2) {
      this.#theirs.deletions = deletionsIn(content);
      if (!this.#isSynced) this.emit("synced", (this.#isSynced = true));
    }
    this.#compare();
    const isWaiting = this.document.store.pendingStructs ?? this.document.store.pendingDs;
    if (isWaiting) this.#gap ??= setTimeout(() => this.#mend(), GAP_MS);
  }

  /** An update did not arrive that later ones need. */
  #mend(): void {
    this.#gap = undefined;
    if (this.document.store.pendingStructs ?? this.document.store.pendingDs) this.resync();
  }

  #compare(): void {
    const { stateVector, deletions } = this.#theirs;
    if (!stateVector || !deletions) return;
    this.#theirs = {};
    this.#uploads.compared(this.#isReader ? undefined : novelty(this.document, stateVector, deletions));
  }

  #lost(): void {
    clearTimeout(this.#renewal);
    this.#uploads.lost();
    this.#cursors.lost();
    if (this.#isSynced) this.emit("synced", (this.#isSynced = false));
    if (this.#status !== "disconnected") this.#become("connecting");
  }

  #closed(why: Closed): void {
    this.#become("disconnected");
    this.emit("closed", why);
  }

  #become(status: Status): void {
    if (this.#status === status) return;
    this.#status = status;
    this.emit("status", status);
  }

  #say(type: number, body: (writer: Writer) => Writer): void {
    this.#link.send(body(message("hocuspocus", this.#name, type)).done());
  }
}
