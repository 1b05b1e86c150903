import { type Target, editorOf } from "./address.js";
import { fromBase64, toBase64 } from "./base64.js";
import { Code } from "./codes.js";
import { Auth, type Message, Sync, Type, clientsIn, message, open, updateIn } from "./messages.js";
import { EditorRest, codeOf, sentenceOf } from "./rest.js";
import { MOST_BYTES, Room } from "./room.js";
import { Reader } from "./varint.js";

/** How many messages of a document wait for the answer to its auth message. */
const MOST_HELD = 1_000;
/** How many documents one socket has. */
const MOST_ROOMS = 20;

/** A control message of the service. */
interface Control {
  type: string;
  document?: string;
  code?: number;
  reason?: string;
  stateVector?: string;
}

/** What a conversation needs of its socket. */
export interface Ends {
  /** Sends text to the service. */
  send(text: string): void;
  /** Gives a message to the provider. */
  deliver(data: ArrayBuffer | string): void;
  /** Ends the socket as the service asked for. */
  close(code: number, reason: string): void;
}

/** What provider and service say on one connection, and what is said for them on the way. */
export class Conversation {
  readonly #rooms = new Map<string, Room>();
  #isOver = false;
  /** Whether it said `presence`, in the dialect of events. */
  #isPresent = false;

  constructor(
    private readonly target: Target,
    private readonly apiUrl: string,
    private readonly token: string | undefined,
    private readonly ends: Ends,
  ) {}

  end(): void {
    this.#isOver = true;
  }

  /** Whether others see this client in a document. */
  isSeen(): boolean {
    return this.#isPresent || [...this.#rooms.values()].some((room) => room.isPresent && room.isShared);
  }

  /** Gives the provider a message without a meaning. */
  reassure(): void {
    const idle = { y: [Type.awareness, 1, 0], hocuspocus: [Type.ping], events: [] }[this.target.dialect];
    if (idle.length > 0) this.#deliver(Uint8Array.from(idle));
  }

  /** Takes a message of the provider. */
  say(data: string | Uint8Array): void {
    if (typeof data === "string") {
      this.#isPresent ||= data.startsWith('{"type":"presence"');
      return this.ends.send(data);
    }
    const { dialect } = this.target;
    if (dialect === "hocuspocus" && data.length === 1) return; // the answer to `reassure`
    const said = open(dialect, data);
    const room = this.#room(said.name);
    if (!room) return this.ends.close(Code.badRequest, "A socket has at most 20 documents.");
    if (dialect === "hocuspocus" && said.type === Type.auth) {
      const reader = new Reader(said.body);
      if (reader.uint() === Auth.token) room.token = reader.text();
      room.isDenied = false;
      return this.#transmit(data);
    }
    if (room.isDenied) return;
    if (!room.held) return this.#pass(room, said, data);
    room.held.push(data.slice());
    if (room.held.length > MOST_HELD) this.ends.close(Code.unavailable, "The service does not answer.");
  }

  /** Takes a frame of the service. */
  hear(frame: string): void {
    if (frame.startsWith("{")) return this.#control(frame);
    const bytes = fromBase64(frame);
    const heard = open(this.target.dialect, bytes);
    const room = this.#room(heard.name);
    if (!room) return;
    if (heard.type === Type.queryAwareness) return room.asked().forEach((part) => this.#transmit(part));
    if (heard.type === Type.awareness) room.heard(clientsIn(heard));
    this.#deliver(bytes);
    if (this.target.dialect === "hocuspocus" && heard.type === Type.auth) this.#admitted(room, heard);
  }

  #admitted(room: Room, { body }: Message): void {
    const kind = new Reader(body).uint();
    const held = room.held ?? [];
    if (kind === Auth.denied) {
      room.isDenied = true;
      room.held = [];
    }
    if (kind !== Auth.authenticated) return;
    room.held = undefined;
    for (const data of held) this.#pass(room, open(this.target.dialect, data), data);
  }

  #pass(room: Room, said: Message, data: Uint8Array): void {
    if (said.type === Type.awareness) {
      const { news, isRenewal } = room.said(clientsIn(said));
      if (isRenewal && !room.isShared) return;
      return room.parts(news).forEach((part) => this.#transmit(part));
    }
    const update = data.length > MOST_BYTES ? updateIn(said) : undefined;
    if (update) void this.#upload(room, update.slice());
    else this.#transmit(data);
  }

  async #upload(room: Room, update: Uint8Array): Promise<void> {
    const { dialect } = this.target;
    const status = (isSaved: number) => message(dialect, room.name, Type.syncStatus).uint(isSaved).done();
    await this.#overHttps(room, async (rest) => {
      try {
        await rest.add(update);
        if (dialect === "hocuspocus") this.#deliver(status(1));
      } catch (failure) {
        if (codeOf(failure) !== Code.forbidden) throw failure;
        const denied = message(dialect, "", Type.auth).uint(0).text(sentenceOf(failure)).done();
        this.#deliver(dialect === "hocuspocus" ? status(0) : denied);
      }
    });
  }

  async #fetch(room: Room, stateVector: string | undefined): Promise<void> {
    await this.#overHttps(room, async (rest) => {
      const update = await rest.read(stateVector);
      const step2 = message(this.target.dialect, room.name, Type.sync).uint(Sync.step2).block(update);
      this.#deliver(step2.done());
    });
  }

  async #overHttps(room: Room, call: (rest: EditorRest) => Promise<void>): Promise<void> {
    const editor = editorOf(room.name || this.target.room);
    if (!editor) return this.ends.close(Code.badRequest, "The document is not a room.");
    try {
      await call(new EditorRest(this.apiUrl, room.token ?? this.token ?? "", editor));
    } catch (failure) {
      if (!this.#isOver) this.ends.close(codeOf(failure), sentenceOf(failure));
    }
  }

  #control(frame: string): void {
    if (this.target.dialect === "events" && !/^\{"type":"(close|pong)"/.test(frame)) {
      return this.ends.deliver(frame);
    }
    const control = JSON.parse(frame) as Control;
    if (control.type === "close") {
      return this.ends.close(control.code ?? Code.unavailable, control.reason ?? "");
    }
    const room = this.#room(control.document ?? "");
    if (!room) return;
    if (control.type === "fetch") void this.#fetch(room, control.stateVector);
  }

  /** In the dialect of y-websocket there is one room, whatever the name. */
  #room(name: string): Room | undefined {
    const key = this.target.dialect === "hocuspocus" ? name : "";
    const known = this.#rooms.get(key);
    if (known || this.#rooms.size >= MOST_ROOMS) return known;
    const room = new Room(this.target.dialect, key);
    this.#rooms.set(key, room);
    return room;
  }

  #transmit(bytes: Uint8Array): void {
    this.ends.send(toBase64(bytes));
  }

  #deliver(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#isOver) this.ends.deliver(bytes.buffer);
  }
}
