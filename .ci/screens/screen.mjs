// A screen on which a person edits a document.
import * as Y from "yjs";
import { Link } from "./links.mjs";
import { PROVIDERS } from "./providers.mjs";
import { snapshotOf } from "./snapshots.mjs";
import { now } from "./clock.mjs";
import { generationOf, put, take } from "./tokens.mjs";

/** A word of this size is more than the service takes in one update. */
export const OVERSIZE = 4_300_000;
/** How long what was typed may be on its way to a service that has much to do. */
const UNDER_WAY_MS = 1_000;

/** What the page that is being made listens to; pages of other screens hear nothing of its events. */
let page;
globalThis.addEventListener = (name, listener) => page?.push([name, listener]);
globalThis.removeEventListener = () => {};

/** One tab with one editor. */
export class Screen {
  type = "editor";
  link = new Link();
  document = new Y.Doc();
  text = this.document.getText("content");
  openedAt = now();
  /** Why the service does not want it. */
  closed;
  /** What it was told of the right to write. */
  access;
  /** Close codes of changes that it was told are refused. */
  refusals = [];
  /** Whether it ever had a word that cannot be stored. */
  hadOversize = false;
  #page = [];
  #typedAt = -Infinity;
  /** What it had whenever it showed that all is saved. */
  savings = [];
  /** The generation of the editor when it was opened. */
  openedFor;
  /** The generation of what its device had kept; the first when that has no mark. */
  heldFrom;
  /** Whether its user has it connected. */
  isWanted = true;

  /** @param store the updates that the device keeps of this editor. */
  static async open(stage, { name, person, room, kind, store, isLate }) {
    const screen = new Screen();
    Object.assign(screen, { stage, name, person, room, kind });
    screen.openedFor = stage.rooms[room].generation;
    const held = textOf(store);
    screen.heldFrom = held === "" ? undefined : (generationOf(held) ?? 0);
    const load = () => {
      for (const update of store.splice(0)) Y.applyUpdate(screen.document, update, "store");
      store.push(Y.encodeStateAsUpdate(screen.document));
      screen.document.on("update", (update) => store.push(update));
    };
    if (!isLate) load();
    const staticToken = await stage.token(person);
    const token = kind === "static" ? staticToken : () => stage.freshToken(person);
    page = screen.#page;
    screen.provider = PROVIDERS[kind]({
      address: stage.address(room),
      document: screen.document,
      token, staticToken,
      Socket: screen.link.Socket,
      closed: (code, reason) => (screen.closed ??= { code, reason, at: now() }),
      events: {
        unsynced: (changes) => changes === 0 && screen.showsSaved(),
        access: (access) => (screen.access = access),
        refused: (code) => screen.refusals.push(code),
      },
    });
    page = undefined;
    screen.provider.awareness.setLocalStateField("user", { name });
    if (isLate) load();
    screen.hadOversize = screen.hasOversize;
    return screen;
  }

  /** The screen shows "saved" now. */
  showsSaved() {
    if (this.stage.isChanging) return;
    this.savings.push({ ...this.lastOf(), generation: this.stage.rooms[this.room].generation, isStale: this.mayBeStale });
  }

  lastOf() {
    return { has: snapshotOf(this.document), text: this.text.toString() };
  }

  /**
   * Whether it counts what is unsaved. Stock Hocuspocus begins anew when it syncs, and takes what comes
   * then for the answer to what was typed before: it is judged at the end alone.
   */
  get counts() {
    return this.provider.unsynced !== undefined;
  }

  /** Whether it has an editor that was deleted meanwhile. */
  get isStale() {
    const generation = generationOf(this.text.toString());
    return generation !== undefined && generation < this.stage.rooms[this.room].generation;
  }

  /** The same for one that was open before a deletion, and has no mark of what came after. */
  get mayBeStale() {
    const { generation } = this.stage.rooms[this.room];
    return this.isStale || (this.openedFor < generation && generationOf(this.text.toString()) === undefined);
  }

  get role() {
    return this.stage.roles[this.person][this.room];
  }

  /** Whether the first content of its editor, which a client wrote, may still be on its way. */
  get isBehindFirst() {
    const hasMark = generationOf(this.text.toString()) !== undefined;
    return !hasMark && this.text.length > 0 && now() - this.#typedAt < UNDER_WAY_MS;
  }

  /** Puts words between others; answers them. */
  typeWords(at, count, size = 0) {
    const words = [];
    this.#typedAt = now();
    for (let n = 0; n < count; n++) {
      const word = this.stage.word(generationOf(this.text.toString()), size);
      put(this.text, word, at);
      words.push(word);
    }
    return words;
  }

  /** Puts a word at the end that cannot be stored. */
  typeOversize() {
    this.hadOversize = true;
    return this.typeWords(1, 1, OVERSIZE);
  }

  get hasOversize() {
    return this.text.length > OVERSIZE;
  }

  /** What its clients know that have no word for a refusal is not judged. */
  get isExcused() {
    return this.hadOversize && this.provider.unsynced === undefined;
  }

  /** The browser puts the page into its cache, or takes it out. */
  show(isShown) {
    const event = isShown ? "pageshow" : "pagehide";
    for (const [name, listener] of this.#page) if (name === event) listener({ persisted: true });
    if (!isShown) this.link.cut();
  }

  erase(at) {
    return take(this.text, at);
  }

  /** Whether its connection has a token that has ended since: a stock client has no other way to save. */
  get hasOldToken() {
    const isStock = this.kind !== "ours";
    return isStock && this.stage.causes.some(({ kind, at }) => kind === "expire" && at >= this.link.triedAt);
  }

  /** Whether nothing stands between this screen and the service: it was also told of a right it gained. */
  get isAtEase() {
    const mayWrite = this.role === "editor" && this.access !== "readonly";
    return this.provider.isSynced() && this.link.isHealthy && this.closed === undefined && mayWrite && !this.mayBeStale && !this.hadOversize && !this.hasOldToken;
  }

  connect() {
    this.isWanted = true;
    if (this.closed === undefined) this.provider.connect();
  }

  disconnect() {
    this.isWanted = false;
    return this.provider.disconnect();
  }

  /** The page is left, as an application does it. */
  leave() {
    return this.provider.leave();
  }

  /** The page ends without a word. */
  crash() {
    this.link.down();
    this.provider.leave();
  }

  get names() {
    return new Set([...this.provider.awareness.getStates().values()].map(({ user }) => user?.name).filter(Boolean));
  }
}

function textOf(store) {
  const document = new Y.Doc();
  for (const update of store) Y.applyUpdate(document, update);
  return document.getText("content").toString();
}
