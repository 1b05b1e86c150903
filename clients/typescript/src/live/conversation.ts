import { editorOf } from "./address.js";
import { fromBase64, toBase64 } from "./base64.js";
import { Code } from "./codes.js";
import {
  Auth,
  type Dialect,
  type Message,
  Sync,
  Type,
  clientsIn,
  message,
  open,
  updateIn,
  verdictIn,
} from "./messages.js";
import { Outbox } from "./outbox.js";
import { EditorRest, codeOf, sentenceOf } from "./rest.js";
import { GONE, MOST_BYTES, Room } from "./room.js";
import { SILENCE } from "./socket.js";
import { type Control, Talk, type TalkEnds } from "./talk.js";
import { Reader } from "./varint.js";

/** How many messages of a document wait for the answer to its auth message. */
const MOST_HELD = 1_000;
/** How many documents one socket has. */
const MOST_ROOMS = 20;
/** How long changes are gathered for each person in a room beyond two, unless it is said otherwise. */
const GATHER_MS = 125;

/**
 * What a status says of a change that is not stored; other codes end the connection. y-websocket has no
 * word for it but that permission is denied.
 */
const REFUSALS: Record<Dialect, number[]> = {
  hocuspocus: [Code.badRequest, Code.forbidden, Code.tooLarge],
  y: [Code.forbidden],
};

/** What provider and service say on one connection, and what is said for them on the way. */
export class Conversation extends Talk {
  readonly #rooms = new Map<string, Room>();
  readonly #outbox: Outbox;
  #isOver = false;
  /** How many changes are on their way over HTTPS. */
  #uploads = 0;

  readonly #target: { dialect: Dialect; room: string };
  readonly #apiUrl: string;
  readonly #token: string | undefined;

  constructor(
    target: { dialect: Dialect; room: string },
    apiUrl: string,
    token: string | undefined,
    ends: TalkEnds,
    gatherMs = GATHER_MS,
  ) {
    super(ends);
    this.#target = target;
    this.#apiUrl = apiUrl;
    this.#token = token;
    const further = () => Math.max(0, ...[...this.#rooms.values()].map(({ others }) => others - 1));
    this.#outbox = new Outbox({ send: (frame) => ends.send(frame), gathersMs: () => gatherMs * further() });
  }

  override end(): void {
    this.#isOver = true;
    this.#outbox.end();
  }

  override flush(): void {
    this.#outbox.flush();
  }

  override get isSettled(): boolean {
    const isHeld = [...this.#rooms.values()].some((room) => room.holdsChanges);
    return this.#outbox.isSettled && this.#uploads === 0 && !isHeld;
  }

  override isSeen(): boolean {
    return [...this.#rooms.values()].some((room) => room.isPresent && room.isShared);
  }

  override reassure(): void {
    const idle = this.#target.dialect === "y" ? [Type.awareness, 1, 0] : [Type.ping];
    this.#deliver(Uint8Array.from(idle));
  }

  override say(data: string | Uint8Array): void {
    if (typeof data === "string") return this.ends.send(data);
    const { dialect } = this.#target;
    if (dialect === "hocuspocus" && data.length === 1) return; // the answer to `reassure`
    const said = open(dialect, data);
    const room = this.#room(said.name);
    if (!room) return this.ends.close(Code.badRequest, "There are too many documents.");
    if (dialect === "hocuspocus" && said.type === Type.auth) {
      const reader = new Reader(said.body);
      if (reader.uint() === Auth.token) room.token = reader.text();
      room.isDenied = false;
      return this.#outbox.addNow(toBase64(data));
    }
    if (room.isDenied) return;
    if (!room.held) return this.#pass(room, said, data);
    room.held.push(data.slice());
    if (room.held.length > MOST_HELD) this.ends.close(Code.unavailable, SILENCE);
  }

  override hear(frame: string): boolean {
    if (frame.startsWith("{")) return super.hear(frame);
    return frame.split(" ").map((text) => this.#message(fromBase64(text))).includes(true);
  }

  #message(bytes: Uint8Array<ArrayBuffer>): boolean {
    const heard = open(this.#target.dialect, bytes);
    const room = this.#room(heard.name);
    if (!room) return false;
    if (heard.type === Type.queryAwareness) {
      room.asked().forEach((part) => this.#outbox.add(toBase64(part)));
      return true;
    }
    if (heard.type === Type.awareness) room.heard(clientsIn(heard));
    if (heard.type === Type.syncStatus && !this.#outbox.answered()) return true;
    this.#deliver(bytes);
    if (heard.type !== Type.auth) return true;
    if (this.#target.dialect === "hocuspocus") this.#admitted(room, heard);
    return verdictIn(heard).kind === Auth.authenticated;
  }

  #admitted(room: Room, heard: Message): void {
    const { kind } = verdictIn(heard);
    const held = room.held ?? [];
    if (kind === Auth.denied) {
      room.isDenied = true;
      room.held = [];
    }
    if (kind !== Auth.authenticated) return;
    room.held = undefined;
    for (const data of held) this.#pass(room, open(this.#target.dialect, data), data);
  }

  #pass(room: Room, said: Message, data: Uint8Array): void {
    if (said.type === Type.awareness) {
      const { news, isRenewal } = room.said(clientsIn(said));
      if (isRenewal && !room.isShared) return;
      const subject = `${room.name} ${news.map(({ id }) => id)}`;
      for (const part of room.parts(news)) this.#outbox.add(toBase64(part), { subject });
      // Who leaves has no time.
      if (news.some(({ state }) => state === GONE)) this.#outbox.flush();
      return;
    }
    const update = updateIn(said);
    if (update && room.behind) return void room.behind.push(data.slice());
    if (update && data.length > MOST_BYTES) return void this.#upload(room, update.slice());
    const isAcknowledged = update !== undefined && this.#target.dialect === "hocuspocus";
    if (update && said.body[0] === Sync.update) this.#outbox.add(toBase64(data), { isAcknowledged });
    else this.#outbox.addNow(toBase64(data), isAcknowledged);
  }

  /**
   * Sends a large change over HTTPS. A status does not name its change, so each is given in the order of
   * changes: this one goes when those before it are answered, and later ones wait for it.
   */
  async #upload(room: Room, update: Uint8Array): Promise<void> {
    const { dialect } = this.#target;
    this.#uploads++;
    room.behind = [];
    await this.#outbox.allAnswered();
    if (this.#isOver) return;
    const status = (isSaved: number) => message(dialect, room.name, Type.syncStatus).uint(isSaved);
    await this.#overHttps(room, async (rest) => {
      try {
        await rest.add(update);
        if (dialect === "hocuspocus") this.#deliver(status(1).done());
      } catch (failure) {
        const [code, reason] = [codeOf(failure), sentenceOf(failure)];
        if (!REFUSALS[dialect].includes(code)) throw failure;
        const denied = message(dialect, "", Type.auth).uint(0).text(reason);
        this.#deliver((dialect === "hocuspocus" ? status(0).uint(code).text(reason) : denied).done());
      }
    });
    if (this.#isOver) return;
    const behind = room.behind.splice(0);
    room.behind = undefined;
    for (const data of behind) this.#pass(room, open(dialect, data), data);
    this.#uploads--;
    this.ends.settled();
  }

  async #fetch(room: Room, { stateVector: seen, asks }: Control): Promise<void> {
    await this.#overHttps(room, async (rest) => {
      const sync = () => message(this.#target.dialect, room.name, Type.sync);
      for await (const { update, stateVector, isComplete } of rest.read(seen)) {
        // A provider takes the document for whole at its first step 2.
        this.#deliver(sync().uint(isComplete ? Sync.step2 : Sync.update).block(update).done());
        if (asks && isComplete) this.#deliver(sync().uint(Sync.step1).block(stateVector).done());
      }
    });
  }

  async #overHttps(room: Room, call: (rest: EditorRest) => Promise<void>): Promise<void> {
    const editor = editorOf(room.name || this.#target.room);
    if (!editor) return this.ends.close(Code.badRequest, "The document is not a room.");
    try {
      await call(new EditorRest(this.#apiUrl, room.token ?? this.#token ?? "", editor));
    } catch (failure) {
      if (!this.#isOver) this.ends.close(codeOf(failure), sentenceOf(failure));
    }
  }

  protected override control(control: Control): boolean {
    const room = this.#room(control.document ?? "");
    if (room && control.type === "fetch") void this.#fetch(room, control);
    return false;
  }

  /** In the dialect of y-websocket there is one room, whatever the name. */
  #room(name: string): Room | undefined {
    const key = this.#target.dialect === "hocuspocus" ? name : "";
    const known = this.#rooms.get(key);
    if (known || this.#rooms.size >= MOST_ROOMS) return known;
    const room = new Room(this.#target.dialect, key);
    this.#rooms.set(key, room);
    return room;
  }

  #deliver(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#isOver && !this.isLeaving) this.ends.deliver(bytes.buffer);
  }
}
