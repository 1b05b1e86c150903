import type { Comment, CommentAnnotation } from "roundtable";
import type { WebSocketClass } from "roundtable/live";

import { type Content, RESOLVED, address, comment, me, reaction, thread, users } from "./content.js";

type Data = Record<string, any>;

/** How a service answers. */
export type Answers = "always" | "never" | "refuses" | "refusesChanges" | "keepsChanges";

const services = new Map<string, FakeService>();

// The page has no other service: what is asked of a host is asked of the one that was made for it.
globalThis.fetch = (input, init) => {
  const { host, pathname } = new URL(String(input));
  const { data } = JSON.parse(String(init?.body ?? "{}")) as { data?: Data };
  return services.get(host)?.answer(pathname, data ?? {}) ?? Promise.reject(new TypeError("There is no network."));
};

/** Roundtable, as far as the parts of the gallery ask it. It lies in the page, and nothing is sent. */
export class FakeService {
  readonly baseUrl: string;
  readonly WebSocket: WebSocketClass;
  /** Whether there is no network. */
  isAway = false;
  readonly #sockets = new Set<FakeSocket>();

  constructor(name: string, readonly content: Content, private readonly answers: Answers) {
    const host = `${name}.invalid`;
    this.baseUrl = `https://${host}`;
    services.set(host, this);
    const open = (socket: FakeSocket): boolean => !this.isAway && !!this.#sockets.add(socket);
    const hear = (frame: Data): object | undefined => this.#reply(frame);
    this.WebSocket = class extends FakeSocket {
      constructor() {
        super(open, hear);
      }
    } as unknown as WebSocketClass;
  }

  /** The network goes away. */
  leave(): void {
    this.isAway = true;
    for (const socket of this.#sockets) socket.close();
  }

  /** Tells everybody something. */
  tell(frame: object): void {
    for (const socket of this.#sockets) socket.tell(frame);
  }

  async answer(path: string, data: Data): Promise<Response> {
    if (this.isAway) throw new TypeError("There is no network.");
    const isRead = path.endsWith("/get");
    const isOfPeople = path.includes("/users/");
    const isKept = this.answers === (isRead ? "never" : "keepsChanges") && !isOfPeople;
    if (isKept) return new Promise(() => {});
    if (this.answers === (isRead ? "refuses" : "refusesChanges") && !isOfPeople) {
      const message = isRead ? "You have no right to this document." : "This document is closed.";
      return Response.json({ error: { status: "PERMISSION_DENIED", message } }, { status: 403 });
    }
    return Response.json({ result: { message: "", pageToken: null, ...this.#done(path.replace(/^\/v2\//, ""), data) } });
  }

  #reply({ type, me: isMe }: Data): object | undefined {
    if (type === "ping") return { type: "pong" };
    if (type !== "subscribe") return undefined;
    if (isMe) return { type: "subscribed", me: true, organizationId: address.organizationId };
    const presence = this.content.people.map((userId) => ({ userId, status: "online" }));
    return { type: "subscribed", ...address, position: 0, presence, liveState: [], isComplete: true };
  }

  #done(path: string, data: Data): object {
    const { content } = this;
    const of = (id: string): CommentAnnotation | undefined => content.threads.find((it) => it.annotationId === id);
    const commentOf = ({ annotationId, commentId }: Data): Comment | undefined =>
      of(annotationId)?.comments.find((it) => it.commentId === commentId);
    const said = ({ commentText, context }: Data): Comment => comment(me, commentText, 0, { context });
    const all = (ids: (string | number)[]): object => Object.fromEntries(ids.map((id) => [id, { success: true, message: "" }]));
    switch (path) {
      case "users/get": {
        const isWanted = (name: string): boolean => name.toLowerCase().split(" ").some((it) => it.startsWith(data.prefix?.toLowerCase()));
        return { data: users.filter(({ userId, name }) => data.userIds?.includes(userId) ?? isWanted(name ?? "")) };
      }
      case "commentannotations/get":
        return { data: data.annotationIds?.map((id: string) => of(id) ?? null) ?? content.threads };
      case "commentannotations/add": {
        const [{ annotationId, location, commentData }] = data.commentAnnotations;
        const made = { ...thread(annotationId, undefined, said(commentData[0])), ...(location && { location }) };
        content.threads.unshift(made);
        return { data: { [annotationId]: { success: true, message: "", commentIds: [made.comments[0]?.commentId] } } };
      }
      case "commentannotations/update":
        for (const id of data.annotationIds) {
          const found = of(id);
          const isResolved = data.updatedData.status.id === RESOLVED.id;
          if (found) found.status = { ...found.status, ...RESOLVED, ...(!isResolved && { id: "OPEN", type: "default" }) } as typeof found.status;
        }
        return { data: all(data.annotationIds) };
      case "commentannotations/delete":
        content.threads = content.threads.filter((it) => !data.annotationIds.includes(it.annotationId));
        return { data: all(data.annotationIds) };
      case "commentannotations/comments/add": {
        const made = said(data.commentData[0]);
        of(data.annotationId)?.comments.push(made);
        return { data: [made.commentId] };
      }
      case "commentannotations/comments/update": {
        const found = commentOf({ ...data, commentId: data.commentIds[0] });
        if (found) Object.assign(found, { commentText: data.updatedData.commentText, isEdited: true });
        return { data: all(data.commentIds) };
      }
      case "commentannotations/comments/delete": {
        const found = of(data.annotationId);
        if (found) found.comments = found.comments.filter((it) => !data.commentIds.includes(it.commentId));
        return { data: all(data.commentIds) };
      }
      case "commentannotations/comments/reactions/add":
      case "commentannotations/comments/reactions/delete": {
        const found = commentOf(data);
        if (!found) return { data: null };
        const { icon } = data;
        const had = found.reactionAnnotations.find((it) => it.icon === icon)?.fromUsers.map(({ from }) => from.userId) ?? [];
        const ids = [...had.filter((id) => id !== me), ...(path.endsWith("add") ? [me] : [])];
        const others = found.reactionAnnotations.filter((it) => it.icon !== icon);
        found.reactionAnnotations = ids.length > 0 ? [...others, reaction(icon, ...ids)] : others;
        return { data: null };
      }
      case "notifications/get":
        return { data: content.notifications.filter(({ id }) => data.notificationIds?.includes(id) ?? true) };
      case "notifications/count/get": {
        const unread = content.notifications.filter((it) => !it.readByUserIds.includes(me)).length;
        return { data: { unread, unseen: unread, hasMore: false } };
      }
      case "notifications/update": {
        const ids: string[] = data.notifications?.map(({ id }: { id: string }) => id) ?? content.notifications.map(({ id }) => id);
        for (const it of content.notifications) if (ids.includes(it.id)) it.readByUserIds = [me];
        return { data: all(ids), hasMore: false };
      }
      default:
        return { data: null };
    }
  }
}

/** A socket whose other end is in the page. */
class FakeSocket extends EventTarget {
  readyState = 0;
  bufferedAmount = 0;

  constructor(open: (socket: FakeSocket) => boolean, private readonly hear: (frame: Data) => object | undefined) {
    super();
    setTimeout(() => {
      if (!open(this)) return this.close(1006);
      this.readyState = 1;
      this.dispatchEvent(new Event("open"));
    });
  }

  send(text: string): void {
    const reply = this.hear(JSON.parse(text) as Data);
    if (reply) setTimeout(() => this.tell(reply));
  }

  tell(frame: object): void {
    if (this.readyState === 1) this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  close(code = 1000, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason }));
  }
}
