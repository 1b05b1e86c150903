import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";

import { type EditorAddress, roomOf } from "./address.js";
import { Code } from "./codes.js";
import { Cursors } from "./cursors.js";
import { Emitter } from "./emitter.js";
import { type Closed, Link, type Status } from "./link.js";
import { listen } from "./listen.js";
import { type Answer, Auth, type Message, Sync, Type, answerIn, message, open, verdictIn } from "./messages.js";
import { type Deletions, deletionsIn, novelty } from "./novelty.js";
import { roundtableSocket } from "./roundtable_socket.js";
import { type SocketOptions, type TokenSource, webSocketOf } from "./socket.js";
import { renewalOf } from "./token.js";
import { Uploads } from "./uploads.js";
import { Reader, type Writer } from "./varint.js";

/** How often two sides that are not alone compare what they have. */
const RESYNC_MS = 60_000;
/** How long an update may wait for one before it. */
const GAP_MS = 2_000;
/** How long a provider that is left waits until everything is stored. */
const LEAVE_MS = 5_000;
/** When to ask for the right to write again after a refusal: a process may know an older one for ten seconds. */
const ASK_AGAIN_MS = 11_000;
/** When to ask for a token again that could not be had while the one before is still valid. */
const RENEW_AGAIN_MS = 5_000;
/** For how long the answer to that question says why a later change is refused. */
const CERTAIN_MS = 60_000;
/** How long a connection has to last for its token to be right. */
const LASTING_MS = 10_000;
/** When to compare what is left of a refused change. */
const UNDONE_MS = 1_000;

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
  /**
   * How many changes of this client the service has not stored yet, those of a reader and refused ones
   * included.
   */
  unsynced: [changes: number];
  /** What the user may do. Changes of a reader are not sent; they are once the reader may write. */
  access: [access: "read-write" | "readonly"];
  /**
   * The service does not store this update: with code 4403 because the user may not write any more, with
   * another one (4413: too large) ever. What follows is stored all the same, but in Yjs what was changed
   * on a client of `document` is seen by others when everything before it is: until the app undoes the
   * refused change, they do not see later ones.
   */
  refused: [update: Uint8Array, code: number, reason: string];
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
  #question: ReturnType<typeof setTimeout> | undefined;
  /** Whether it has asked for the right to write, after a refusal. */
  #isAsking = false;
  /** When the answer was that the user may write. */
  #confirmedAt = -Infinity;
  #undone: ReturnType<typeof setTimeout> | undefined;
  #lasting: ReturnType<typeof setTimeout> | undefined;
  /** What a page that was put away showed of its user. */
  #hidden: Record<string, unknown> | null = null;
  /** Ends the wait of a provider that is left; undefined when it is not. */
  #left: (() => void) | undefined;
  #leaving: Promise<number> | undefined;
  #status: Status = "disconnected";
  #isSynced = false;
  #theirs: { stateVector?: Uint8Array; deletions?: Deletions } = {};
  readonly #deaf = [
    // A page that is put away may never come back: others no longer see its user.
    listen("pagehide", () => {
      this.#hidden = this.awareness.getLocalState() ?? this.#hidden;
      this.awareness.setLocalState(null);
    }),
    // It is back, from the cache of its browser.
    listen("pageshow", () => {
      if (this.#hidden && this.awareness.getLocalState() === null) this.awareness.setLocalState(this.#hidden);
      this.#hidden = null;
    }),
  ];

  /** @throws Error where there is no WebSocket, unless `connect` is false. */
  constructor(options: ProviderOptions) {
    super();
    if (options.connect !== false) webSocketOf(options);
    this.document = options.document;
    this.awareness = options.awareness ?? new Awareness(options.document);
    this.#name = roomOf(options);
    this.#token = options.token;
    this.#cursors = new Cursors(this.awareness, (update) => this.#say(Type.awareness, (it) => it.block(update)));
    this.#uploads = new Uploads({
      send: (update) => this.#say(Type.sync, (it) => it.uint(Sync.update).block(update)),
      count: (unsynced) => {
        this.emit("unsynced", unsynced);
        if (unsynced === 0) this.#left?.();
      },
      isOfRight: (answer) => this.#isOfRight(answer),
      refused: (update, answer) => this.#refused(update, answer),
      overdue: () => this.resync(),
    }, this.document.store.clients.size > 0);
    const { apiUrl, gatherMs, WebSocket } = options;
    const canRenew = typeof options.token === "function";
    const url = `${options.url}?protocol=hocuspocus`;
    this.#link = new Link(roundtableSocket({ apiUrl, gatherMs, WebSocket }), url, canRenew, {
      opened: () => void this.#authenticate(),
      message: (data) => this.#heard(new Uint8Array(data as ArrayBuffer)),
      lost: () => this.#lost(),
      closed: (why) => this.#closed(why),
    });
    this.document.on("update", this.#changed);
    if (options.connect !== false) this.connect();
  }

  get status(): Status {
    return this.#status;
  }

  get synced(): boolean {
    return this.#isSynced;
  }

  /**
   * How many changes of this client the service has not stored yet. What the document had before, from a
   * local store, counts as one until both sides have compared.
   */
  get unsynced(): number {
    return this.#uploads.unsynced;
  }

  /** Whether what is not stored cannot be now: the user may not write, or the service has refused it. */
  get isInVain(): boolean {
    return this.#uploads.isInVain;
  }

  connect(): void {
    const left = this.#left;
    this.#leaving = this.#left = undefined;
    left?.();
    if (this.#link.isOpen && this.#status === "connected") return;
    this.#become("connecting");
    this.#link.connect();
  }

  /**
   * Disconnects, once the service has stored every change: at once when it has, and after five seconds
   * at the latest. What is changed afterwards is sent after `connect`.
   *
   * @returns how many changes are not stored.
   */
  disconnect(): Promise<number> {
    // One that has ended says what was true then: changes made since are not in it.
    if (!this.#left || !this.#leaving) this.#leaving = this.#leave();
    return this.#leaving;
  }

  #leave(): Promise<number> {
    const end = (): number => {
      this.#left = undefined;
      this.#become("disconnected");
      this.#link.disconnect();
      return this.unsynced;
    };
    this.#link.flush();
    const isInVain = this.#status === "disconnected" || this.isInVain;
    if (this.unsynced === 0 || isInVain) return Promise.resolve(end());
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#left?.(), LEAVE_MS);
      const left = (): void => {
        clearTimeout(timer);
        // Unless it was connected again.
        resolve(this.#left === left ? end() : this.unsynced);
      };
      this.#left = left;
    });
  }

  /** Compares with the service what both have. */
  resync(): void {
    this.#theirs = {};
    this.#say(Type.sync, (it) => it.uint(Sync.step1).block(Y.encodeStateVector(this.document)));
  }

  /**
   * Disconnects for good, as `disconnect` does. Later changes of the document are not followed.
   *
   * @returns how many changes are not stored.
   */
  destroy(): Promise<number> {
    this.document.off("update", this.#changed);
    for (const end of this.#deaf) end();
    this.#cursors.end();
    for (const timer of [this.#resync, this.#renewal, this.#gap, this.#question, this.#undone]) clearTimeout(timer);
    return this.disconnect();
  }

  #changed = (update: Uint8Array, origin: unknown): void => {
    if (origin !== this) this.#uploads.add(update);
    if (this.#uploads.hasRefused && deletionsIn(update).size > 0) this.#compareSoon();
  };

  /** What was refused may have been undone, also before the refusal came. */
  #compareSoon(): void {
    clearTimeout(this.#undone);
    this.#undone = setTimeout(() => this.resync(), UNDONE_MS);
  }

  async #authenticate(): Promise<void> {
    let token: string;
    try {
      token = typeof this.#token === "function" ? await this.#token() : this.#token;
    } catch (error) {
      // The service takes the token before until that ends.
      if (this.#status === "connected") return this.#renew(RENEW_AGAIN_MS);
      return this.#link.refuse(Code.unavailable, String(error));
    }
    if (!this.#link.isOpen) return;
    this.#say(Type.auth, (it) => it.uint(Auth.token).text(token));
    this.#renew(typeof this.#token === "function" ? renewalOf(token) : undefined);
  }

  #renew(inMs: number | undefined): void {
    clearTimeout(this.#renewal);
    if (inMs !== undefined) this.#renewal = setTimeout(() => void this.#authenticate(), inMs);
  }

  #heard(bytes: Uint8Array): void {
    if (bytes.length === 1) return; // says only that the connection lives
    const heard = open("hocuspocus", bytes);
    if (heard.name !== this.#name) return;
    if (heard.type === Type.sync) this.#sync(new Reader(heard.body));
    if (heard.type === Type.awareness) this.#cursors.heard(heard);
    if (heard.type === Type.auth) this.#admitted(heard);
    if (heard.type === Type.syncStatus) this.#answered(answerIn(heard));
  }

  #answered(answer: Answer): void {
    if (answer.isSaved) this.#link.succeeded();
    this.#uploads.answered(answer);
  }

  #admitted(heard: Message): void {
    const { kind, text, code } = verdictIn(heard);
    if (kind === Auth.denied) return this.#link.refuse(code, text);
    if (kind !== Auth.authenticated) return;
    const wasHeld = this.#uploads.isHeld;
    this.#uploads.hold(text === "readonly");
    if (this.#uploads.isHeld) this.#confirmedAt = -Infinity;
    else if (this.#isAsking) this.#confirmedAt = Date.now();
    this.#isAsking = false;
    this.emit("access", this.#uploads.isHeld ? "readonly" : "read-write");
    if (this.#status === "connected") {
      // What was changed without the right goes now.
      if (wasHeld && !this.#uploads.isHeld) this.resync();
      return;
    }
    this.#become("connected");
    clearTimeout(this.#lasting);
    this.#lasting = setTimeout(() => this.#link.succeeded(), LASTING_MS);
    this.resync();
    this.#cursors.opened();
  }

  #isOfRight({ code }: Answer): boolean {
    const isCertain = Date.now() - this.#confirmedAt < CERTAIN_MS;
    return !isCertain && (code === undefined || code === Code.forbidden);
  }

  /** If the user has lost the right to write, later changes wait until it is back. */
  #refused(update: Uint8Array, answer: Answer): void {
    const isOfRight = this.#isOfRight(answer);
    if (isOfRight && !this.#uploads.isHeld) {
      this.#uploads.hold(true);
      this.emit("access", "readonly");
      clearTimeout(this.#question);
      this.#question = setTimeout(() => this.#ask(), ASK_AGAIN_MS);
    }
    const { code, reason } = answer;
    if (isOfRight) return this.emit("refused", update, Code.forbidden, reason || "The user may not write.");
    this.#compareSoon();
    this.emit("refused", update, code ?? Code.badRequest, reason || "The service cannot store it.");
  }

  #ask(): void {
    this.#isAsking = true;
    void this.#authenticate();
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
    this.#uploads.compared(novelty(this.document, stateVector, deletions));
  }

  #lost(): void {
    clearTimeout(this.#renewal);
    for (const timer of [this.#question, this.#undone, this.#lasting]) clearTimeout(timer);
    this.#isAsking = false;
    this.#uploads.lost();
    this.#cursors.lost();
    if (this.#isSynced) this.emit("synced", (this.#isSynced = false));
    if (this.#status !== "disconnected") this.#become("connecting");
  }

  #closed(why: Closed): void {
    this.#become("disconnected");
    this.emit("closed", why);
    this.#left?.();
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
