// A screen that shows what happens in a document.
import { LiveEvents } from "roundtable/live";
import { BASE, LIVE } from "./service.mjs";
import { Link } from "./links.mjs";
import { now } from "./clock.mjs";

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
  told = [];
  isWanted = true;

  static async open(stage, { name, person, room, isStatic }) {
    const it = new Follower();
    Object.assign(it, { stage, name, person, room, kind: "events" });
    const fixed = isStatic ? await stage.token(person) : undefined;
    it.events = new LiveEvents({ url: LIVE, apiUrl: BASE, WebSocket: it.link.Socket, token: fixed ?? (() => stage.token(person)) });
    it.events.on("closed", ({ code, reason }) => (it.closed ??= { code, reason, at: now() }));
    const live = it.events.document({ organizationId: stage.organizationId, documentId: `d${room}` });
    live.on("subscribed", () => (it.since ??= now()));
    live.on("event", ({ position, name: event, ids }) => it.told.push({ position, event, annotationId: ids.annotationId, at: now() }));
    live.on("reset", () => it.resets.push(now()));
    live.on("ended", (why) => (it.ended ??= { ...why, at: now() }));
    live.on("liveState", ({ revision }) => (it.revision = revision));
    live.setPresence("online");
    it.live = live;
    return it;
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
