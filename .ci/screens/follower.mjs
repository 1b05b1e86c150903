// A screen that shows what happens in a document.
import { LiveEvents } from "roundtable/live";
import { BASE, LIVE } from "./service.mjs";
import { Link } from "./links.mjs";
import { now, pause } from "./clock.mjs";

/** One tab that follows a document. */
export class Follower {
  type = "follower";
  link = new Link();
  openedAt = now();
  closed;
  ended;
  /** When it was first told that it follows. */
  since;
  resets = [];
  /** Notifications that it was told of, and what it should be told of. */
  notified = new Set();
  expected = {};
  meEnded;
  told = [];
  isWanted = true;

  static async open(stage, { name, person, room, isStatic }) {
    const it = new Follower();
    Object.assign(it, { stage, name, person, room, kind: "events" });
    const fixed = isStatic ? await stage.token(person) : undefined;
    it.events = new LiveEvents({ url: LIVE, apiUrl: BASE, WebSocket: it.link.Socket, token: fixed ?? (() => stage.freshToken(person)) });
    it.events.on("closed", ({ code, reason }) => (it.closed ??= { code, reason, at: now() }));
    it.events.on("notification", ({ notificationId }) => it.notified.add(notificationId));
    it.events.on("ended", (why) => (it.meEnded = why));
    it.events.me(stage.organizationId);
    it.#follow();
    return it;
  }

  /** A view of the document is there: it knows nothing of one before it. */
  #follow() {
    this.since = undefined;
    this.told = [];
    this.resets = [];
    const live = this.events.document({ organizationId: this.stage.organizationId, documentId: `d${this.room}` });
    this.live = live;
    const on = (name, does) => live.on(name, (...values) => this.live === live && does(...values));
    on("subscribed", () => (this.since ??= now()));
    on("event", ({ position, name: event, ids }) => this.told.push({ position, event, annotationId: ids.annotationId, at: now() }));
    on("reset", () => this.resets.push(now()));
    on("ended", (why) => (this.ended ??= { ...why, at: now() }));
    live.setPresence("online");
  }

  /** One view of the document is left, and a while later the next one is there. */
  async refollow(ms) {
    if (this.closed !== undefined || this.ended !== undefined) return;
    this.live.unsubscribe();
    if (ms > 0) await pause(ms);
    if (this.closed === undefined && this.ended === undefined) this.#follow();
  }

  /** Who is in the document. */
  get names() {
    return new Set(this.live.users.map(({ userId }) => userId));
  }

  get role() {
    return this.stage.roles[this.person][this.room];
  }

  get isFollowing() {
    return this.since !== undefined && this.ended === undefined && this.closed === undefined;
  }

  connect() {
    this.isWanted = true;
    if (this.closed === undefined) this.events.connect();
  }

  disconnect() {
    this.isWanted = false;
    this.events.disconnect();
  }

  leave() {
    this.isWanted = false;
    this.events.disconnect();
  }

  crash() {
    this.link.down();
    this.leave();
  }
}
