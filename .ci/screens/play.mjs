// Carries the steps of a program out.
import * as Y from "yjs";
import { now, pause } from "./clock.mjs";
import { Follower } from "./follower.mjs";
import { Screen } from "./screen.mjs";
import { status } from "./tenant.mjs";
import { takeLongest } from "./tokens.mjs";

/** Words that are typed while a right changes. */
const MOST_TYPED = 40;
/** How long screens may take to connect. */
const SETTLED_MS = 5_000;

/** A program that is being carried out. */
export class Play {
  /** The screens that are open. */
  slots = [];
  /** Those that were left, with what they are still to say. */
  left = [];
  /** Words that have to be stored, because nothing kept them from it. */
  promises = [];
  /** What was wrong at once. */
  faults = [];
  /** Words that somebody took out. */
  erased = new Set();
  #stores = new Map();
  #screens = 0;

  constructor(stage) {
    this.stage = stage;
  }

  get screens() {
    return this.slots.filter((it) => it !== undefined);
  }

  /** Takes a step; one about a screen that is not there does nothing. */
  async take([name, ...values]) {
    await this[`_${name}`](...values);
  }

  #store(person, room) {
    const key = `${person} ${room}`;
    if (!this.#stores.has(key)) this.#stores.set(key, []);
    return this.#stores.get(key);
  }

  #editor(slot, does) {
    const screen = this.slots[slot];
    return screen?.type === "editor" ? does(screen) : undefined;
  }

  #leave(slot, crashes = false) {
    const screen = this.slots[slot];
    if (!screen) return;
    this.slots[slot] = undefined;
    this.left.push(screen);
    if (crashes) return screen.crash();
    const { generation } = this.stage.rooms[screen.room];
    const isStale = screen.mayBeStale;
    const answer = screen.leave();
    screen.leaving = answer?.then((unsaved) => {
      if (unsaved === 0 && screen.kind !== "events") screen.savings.push({ ...screen.lastOf(), generation, isStale });
      return unsaved;
    });
  }

  async _open(slot, person, room, kind, when) {
    this.#leave(slot);
    const name = `s${this.#screens++}`;
    const store = this.#store(person, room);
    this.slots[slot] = await Screen.open(this.stage, { name, person, room, kind, store, isLate: when === "late" });
  }

  async _follow(slot, person, room, which) {
    this.#leave(slot);
    const name = `s${this.#screens++}`;
    this.slots[slot] = await Follower.open(this.stage, { name, person, room, isStatic: which === "static" });
  }

  _type(slot, at, count) {
    this.#editor(slot, (screen) => screen.typeWords(at, count));
  }

  /** @param ease `sure` when the words depend on nothing that is not stored. */
  _typeAndLeave(slot, at, count, ease) {
    this.#editor(slot, (screen) => {
      const isAtEase = screen.isAtEase || ease === "sure";
      // What comes after the first content goes with it: a frame that overtakes that has to be sent again.
      const isFirst = screen.text.length === 0 && ease !== "sure";
      const isBehindFirst = screen.isBehindFirst && ease !== "sure";
      const typed = screen.typeWords(at, count);
      const words = isBehindFirst ? [] : isFirst ? typed.slice(0, 1) : typed;
      const { person, room, kind } = screen;
      const { generation } = this.stage.rooms[room];
      if (isAtEase) this.promises.push({ person, room, kind, generation, words, at: now() });
      this.#leave(slot);
    });
  }

  /** What is too large for a message of the socket. */
  _paste(slot, at, size) {
    this.#editor(slot, (screen) => screen.typeWords(at, 1, size));
  }

  /** What is too large for the service. */
  _oversize(slot) {
    this.#editor(slot, (screen) => screen.typeOversize());
  }

  /** The word that is too large is taken out again. */
  _undo(slot) {
    this.#editor(slot, (screen) => screen.hasOversize && this.erased.add(takeLongest(screen.text)));
  }

  _erase(slot, at) {
    this.#editor(slot, (screen) => this.erased.add(screen.erase(at)));
  }

  _leave(slot) {
    this.#leave(slot);
  }

  _crash(slot) {
    this.#leave(slot, true);
  }

  async _reload(slot, how, when) {
    const screen = this.slots[slot];
    if (!screen) return;
    const { type, person, room, kind, closed } = screen;
    this.#leave(slot, how === "crash");
    // What a page does with an editor that was deleted.
    if (closed?.code === 4410 && when === "early") this.#stores.delete(`${person} ${room}`);
    if (type === "editor") await this._open(slot, person, room, kind, when);
    else await this._follow(slot, person, room, "fresh");
  }

  /** The page is in the cache of its browser for a while. */
  async _away(slot, ms) {
    await this.#editor(slot, async (screen) => {
      screen.show(false);
      await pause(ms);
      screen.show(true);
    });
  }

  async _refollow(slot, ms) {
    const screen = this.slots[slot];
    if (screen?.type === "follower") await screen.refollow(ms);
  }

  _tokens(person, how) {
    if (person < this.stage.roles.length) this.stage.fail(person, how === "fail");
  }

  _disconnect(slot) {
    this.slots[slot]?.disconnect();
  }

  _connect(slot) {
    this.slots[slot]?.connect();
  }

  _cut(slot) {
    this.slots[slot]?.link.cut();
  }

  _down(slot) {
    this.slots[slot]?.link.down();
  }

  _mute(slot) {
    if (this.slots[slot]) this.slots[slot].link.isMute = true;
  }

  _deaf(slot) {
    if (this.slots[slot]) this.slots[slot].link.isDeaf = true;
  }

  _heal(slot, how) {
    this.slots[slot]?.link.heal(how === "reset");
  }

  _doubles(slot) {
    if (this.slots[slot]) this.slots[slot].link.doubles = true;
  }

  async _role(person, room, role) {
    if (person < this.stage.roles.length && this.stage.documents[room].isThere) await this.stage.grant(person, room, role);
  }

  /** The right of whoever types changes meanwhile. */
  async _roleWhileTyping(slot, role) {
    await this.#editor(slot, async (screen) => {
      const { person, room } = screen;
      let isOver = false;
      const granted = this._role(person, room, role).finally(() => (isOver = true));
      for (let n = 0; n < MOST_TYPED && (!isOver || n < 3); n++) {
        screen.typeWords(0.5, 1);
        await pause(3);
      }
      await granted;
    });
  }

  async _expire() {
    await this.stage.expire();
  }

  async _delete(room) {
    await this.stage.delete(room);
  }

  async _add(room) {
    if (this.stage.documents[room].isThere) await this.stage.add(room);
  }

  async _write(room) {
    const { generation } = this.stage.rooms[room];
    const word = this.stage.word();
    const written = await this.stage.write(room, word);
    if (written) this.promises.push({ room, kind: "server", generation, words: [word], at: now() });
  }

  async _drop(document) {
    await this.stage.drop(document);
  }

  async _comment(document, count, to) {
    await this.stage.comment(document, count, to);
  }

  async _burst(document) {
    await this.stage.comment(document, 110);
  }

  async _uncomment(document, at) {
    await this.stage.uncomment(document, at);
  }

  async _state(document, size) {
    await this.stage.state(document, size);
  }

  /** A person reads and writes without a connection; what is allowed is exactly what the right says. */
  async _rest(person, room) {
    const { stage } = this;
    if (person >= stage.roles.length) return;
    const role = stage.roles[person][room];
    const token = await stage.token(person);
    const address = stage.address(room);
    const seen = await status("/v2/crdt/state/get", token, address);
    const sees = seen.status === 200;
    if (sees && role === null) this.faults.push({ kind: "is read without a right", text: `${stage.userId(person)} reads ${address.documentId}` });
    if (seen.status === 403 && role !== null) this.faults.push({ kind: "is refused in spite of a right", text: `${stage.userId(person)} is ${role} of ${address.documentId}: ${seen.status}` });
    const document = new Y.Doc();
    if (sees) Y.applyUpdate(document, Buffer.from(seen.result.data.update, "base64"));
    const before = Y.encodeStateVector(document);
    const text = document.getText("content");
    const word = stage.word();
    text.insert(text.length, word);
    const updates = [Buffer.from(Y.encodeStateAsUpdate(document, before)).toString("base64")];
    const { generation } = stage.rooms[room];
    const said = await status("/v2/crdt/updates/add", token, { ...address, updates });
    if (said.status === 200 && role !== "editor") this.faults.push({ kind: "is written without a right", text: `${role} of ${address.documentId}` });
    if (said.status === 403 && role === "editor") this.faults.push({ kind: "is refused in spite of a right", text: `editor of ${address.documentId}: ${said.status}` });
    if (said.status === 200) this.promises.push({ person, room, kind: "rest", generation, words: [word], at: now() });
  }

  async _wait(ms) {
    await pause(ms);
  }

  /** Waits until screens that can are connected. */
  async _settle() {
    const isReady = (it) => it.closed || it.role === null || !it.link.isHealthy || (it.type === "editor" ? it.provider.isSynced() : it.since !== undefined);
    for (const end = now() + SETTLED_MS; now() < end && !this.screens.every(isReady); ) await pause(20);
  }

  async _kill() {
    await this.stage.service.restart();
  }
}
