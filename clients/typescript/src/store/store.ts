import { Roundtable } from "../client.js";
import { ApiError } from "../errors.js";
import type { CommentAnnotation, NotificationChannels, Person } from "../generated/types.js";
import { isOfToken } from "../live/codes.js";
import type { EditorAddress } from "../live/address.js";
import { LiveEvents, type LiveReading } from "../live/events.js";
import type { Status } from "../live/link.js";
import type { SocketOptions } from "../live/socket.js";
import { randomName } from "../random.js";
import { type Change, type ChangeOf, INBOX } from "./change.js";
import { Groups } from "./groups.js";
import { Inbox } from "./inbox.js";
import { Outbox, type Failure } from "./outbox.js";
import { type OutboxStorage, indexedDbStorage } from "./outbox_storage.js";
import { People } from "./people.js";
import { RefusedError } from "./refused.js";
import { Resource } from "./resource.js";
import { RoomStore } from "./room.js";
import { type Sent, send } from "./send.js";
import { type Readable, Signal } from "./signal.js";
import { TokenCache, type TokenUser } from "./token.js";
import { Unread } from "./unread.js";
import { Usage } from "./usage.js";
import { type ResolveMentions, type ResolveUsers, type User, Users, userOf } from "./users.js";

/** How many threads a page has at most. */
const PAGE = 200;

/** What the user may do in the documents of the store. */
export type Role = "viewer" | "commenter" | "editor";

/** What a {@link RoundtableStore} is made of. */
export interface StoreOptions {
  /** The service: `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** The live channel; `/live` of the service when absent, in AWS the output `LiveUrl` of the stack. */
  liveUrl?: string | undefined;
  organizationId: string;
  /** The user of the token. */
  userId: string;
  /** The end user's token, from the application's server. It is kept until shortly before its end. */
  getToken: () => string | Promise<string>;
  /** Finds names and pictures of people; the service does when absent. */
  resolveUsers?: ResolveUsers | undefined;
  /** Finds people for a mention by what is typed after `@`; the service does when absent. */
  resolveMentions?: ResolveMentions | undefined;
  /** What the user may do, so that adapters offer nothing else; `editor` when absent. The service decides. */
  role?: Role | undefined;
  /**
   * How many threads of a document are read at first, the newest ones; all when absent. `fetchMore` reads
   * further ones. Editors with comments need all.
   */
  maxThreads?: number | undefined;
  /** Whether changes may notify people; true when absent. */
  notifies?: boolean | undefined;
  /** Where changes are kept until they are stored; IndexedDB when absent, nowhere with `null`. */
  storage?: OutboxStorage | null | undefined;
  /** What connects, for Node.js before version 22. */
  WebSocket?: SocketOptions["WebSocket"];
}

/** How the connection is. */
export interface Connection {
  status: Status;
  /** Why the service does not want this client any more. */
  closed?: { code: number; reason: string };
}

/** What of the page is not stored. */
export interface SyncState {
  /** How many changes are on their way, those of editors included. */
  pending: number;
  /** Changes that were refused and are not shown any more, the oldest first. */
  failed: readonly Failure[];
}

/**
 * All that a page shows of Roundtable for one user in one organization: threads of documents, people
 * in them, notifications, and the changes that are on their way. To make one does nothing; it connects
 * with its first use (`enter`).
 *
 * ```ts
 * const store = new RoundtableStore({ baseUrl, organizationId: "acme", userId: "ada", getToken });
 * const room = store.room("welcome");
 * const leave = room.enter();
 * room.threads.subscribe(() => show(room.threads.get().threads));
 * room.createThread({ comment: { text: "Really?" } });
 * ```
 */
export class RoundtableStore {
  /** The client of the user. */
  readonly api: Roundtable;
  readonly live: LiveEvents;
  readonly users: Users;
  /** Groups of users. */
  readonly groups: Groups;
  /** How many notifications are unread. */
  readonly unread: Unread;
  readonly #people: People;
  readonly #token: TokenCache;
  readonly #liveToken: TokenUser;
  readonly #outbox: Outbox;
  readonly #connection = new Signal<Connection>({ status: "disconnected" });
  readonly #sync = new Signal<SyncState>({ pending: 0, failed: [] });
  readonly #unsynced = new Map<object, number>();
  readonly #rooms = new Map<string, RoomStore>();
  readonly #inboxes = new Map<string, Inbox>();
  readonly #settings = new Map<string, Resource<NotificationChannels>>();
  readonly #role: Signal<Role>;
  readonly #usage: Usage;
  #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#role = new Signal(options.role ?? "editor");
    const { baseUrl, organizationId, userId, WebSocket } = options;
    const storage = options.storage === undefined ? indexedDbStorage() : (options.storage ?? undefined);
    this.#token = new TokenCache(() => this.#options.getToken(), userId);
    this.#liveToken = this.#token.user();
    this.api = new Roundtable(baseUrl, { userToken: this.#token.get });
    this.live = new LiveEvents({
      url: this.#liveUrl,
      apiUrl: baseUrl,
      token: this.#liveToken.get,
      connect: false,
      WebSocket,
    });
    this.#people = new People({
      api: this.api,
      organizationId,
      userId,
      documents: () => [...this.#rooms.keys()],
      ask: (call) => this.#ask(call),
    });
    this.users = new Users(() => this.#options.resolveUsers ?? this.#people.users);
    this.groups = new Groups(this.#people.groups);
    this.unread = new Unread({
      read: async () => (await this.#ask(() => this.api.notifications.count({ organizationId, userId }))).data,
      follow: () => {
        const ends = [this.enter(), this.live.me(organizationId)];
        ends.push(this.live.on("following", (id) => id === organizationId && void this.unread.refresh()));
        return () => ends.forEach((end) => end());
      },
    });
    this.#outbox = new Outbox(JSON.stringify([baseUrl, organizationId, userId]), storage, {
      send: (change) => this.#send(change),
      shown: (change) => this.#shown(change),
      stored: (change) => this.#rooms.get(change.documentId)?.hears.stored(change),
      refused: (change) => this.#refused(change),
    });
    this.#outbox.state.subscribe(() => this.#tell());
    let leave = (): void => {};
    this.#usage = new Usage({
      begin: () => {
        this.live.connect();
        // What the user reads on other pages concerns threads, too.
        leave = this.live.me(organizationId);
        this.#outbox.start();
      },
      end: () => {
        this.#outbox.stop();
        leave();
        this.live.disconnect();
      },
    });
    this.#listen();
  }

  get options(): Readonly<StoreOptions> {
    return this.#options;
  }

  /** What the user may do. */
  get role(): Role {
    return this.#role.get();
  }

  /** The same, for what shows it. */
  get roles(): Readable<Role> {
    return this.#role;
  }

  get connection(): Readable<Connection> {
    return this.#connection;
  }

  /** What of the page is not stored. */
  get sync(): Readable<SyncState> {
    return this.#sync;
  }

  /** Changes functions and rights. Another service, organization or user is another store. */
  update(options: Pick<StoreOptions, "getToken" | "resolveUsers" | "resolveMentions" | "role" | "notifies">): void {
    this.#options = { ...this.#options, ...options };
    this.#role.set(this.#options.role ?? "editor");
  }

  /**
   * Connects, and sends what waits; returns a function that ends this use. The connection ends two
   * seconds after the last use.
   *
   * @throws Error where there is no WebSocket.
   */
  enter(): () => void {
    return this.#usage.enter();
  }

  /** A document; the same object for each call. It is read while it is used. */
  room(documentId: string): RoomStore {
    const known = this.#rooms.get(documentId);
    if (known) return known;
    const { organizationId, maxThreads = Infinity } = this.#options;
    const address = { organizationId, documentId };
    const documentIds = [documentId];
    const pageSize = Math.min(maxThreads, PAGE);
    const room = new RoomStore(address, {
      live: this.live,
      enter: () => this.enter(),
      me: () => this.#me(),
      add: (change) => this.#add(change),
      firstPages: Math.ceil(maxThreads / pageSize),
      page: async (pageToken) => {
        const request = { organizationId, documentIds, pageSize, ...(pageToken !== undefined && { pageToken }) };
        const { data, nextPageToken } = await this.#ask(() => this.api.comments.annotationsGet(request));
        const found = (data as (CommentAnnotation | null)[]).filter((it) => it !== null);
        return { threads: await this.#whole(documentId, found), next: nextPageToken ?? undefined };
      },
      named: async (annotationIds) => {
        const request = { organizationId, documentIds, annotationIds };
        const { data } = await this.#ask(() => this.api.comments.annotationsGet(request));
        return this.#whole(documentId, data as (CommentAnnotation | null)[]);
      },
      document: new Resource(async () => {
        const { data } = await this.#ask(() => this.api.documents.get({ organizationId, documentIds }));
        const [document] = data;
        if (!document) throw new RefusedError("There is no such document.");
        return document;
      }),
      broadcast: async (liveStateDataId, data) => {
        await this.#ask(() => this.api.liveState.broadcast({ ...address, liveStateDataId, data }, { maxRetries: 0 }));
      },
    });
    this.#rooms.set(documentId, room);
    // Made before, or on another page. Nobody reads this room yet: a component may be rendering.
    for (const change of this.#outbox.state.get().pending)
      if (change.documentId === documentId) room.hears.shown(change);
    return room;
  }

  /** The user's notifications, of the organization or of a document; read while it is used. */
  inbox(documentId?: string): Inbox {
    const known = this.#inboxes.get(documentId ?? "");
    if (known) return known;
    const { organizationId, userId } = this.#options;
    const filter = { organizationId, ...(documentId !== undefined && { documentId }) };
    const inbox = new Inbox({
      userId,
      page: (page) => this.#ask(() => this.api.notifications.get({ ...filter, ...page })),
      named: async (notificationIds) => {
        const { data } = await this.#ask(() => this.api.notifications.get({ ...filter, notificationIds }));
        return data.filter((it) => it !== null);
      },
      follow: () => {
        const ends = [this.enter(), this.live.me(organizationId)];
        ends.push(
          this.live.on(
            "notification",
            (it) => it.organizationId === organizationId && void inbox.arrived(it.notificationId),
          ),
        );
        ends.push(this.live.on("following", (id) => id === organizationId && void inbox.refresh()));
        return () => ends.forEach((end) => end());
      },
      markRead: (notificationIds) => this.#add(ofInbox({ kind: "inbox.read", notificationIds })),
      markAllRead: (notificationIds) => this.#add(ofInbox({ kind: "inbox.readAll", notificationIds })),
      remove: (notificationIds) => this.#add(ofInbox({ kind: "inbox.remove", notificationIds })),
      markSeen: async () => {
        this.unread.saw();
        await this.#ask(() => this.api.notifications.seen({ organizationId, userId }));
      },
    });
    this.#inboxes.set(documentId ?? "", inbox);
    for (const change of this.#outbox.state.get().pending)
      if (change.subject === INBOX) showIn(inbox, change, true);
    return inbox;
  }

  /** What the user wants to be told of, in the organization or in a document; read while it is used. */
  settings(documentId?: string): Resource<NotificationChannels> {
    const known = this.#settings.get(documentId ?? "");
    if (known) return known;
    const { organizationId, userId } = this.#options;
    const scope = documentId === undefined ? { getOrganizationConfig: true } : { documentIds: [documentId] };
    const settings = new Resource(async () => {
      const { data } = await this.#ask(() => this.api.notifications.configGet({ organizationId, userId, ...scope }));
      return data[0]?.config ?? {};
    });
    this.#settings.set(documentId ?? "", settings);
    return settings;
  }

  /** Changes what the user wants to be told of. It is shown at once, and taken back if it is refused. */
  async changeSettings(config: NotificationChannels, documentId?: string): Promise<void> {
    const { organizationId, userId } = this.#options;
    const settings = this.settings(documentId);
    settings.set({ ...settings.get().value, ...config });
    const documentIds = documentId === undefined ? {} : { documentIds: [documentId] };
    try {
      const request = { organizationId, userIds: [userId], config, ...documentIds };
      const { data } = await this.#ask(() => this.api.notifications.configSet(request));
      const failed = Object.values(data).find(({ success }) => !success);
      if (failed) throw new RefusedError(failed.message);
    } catch (error) {
      await settings.refresh();
      throw error;
    }
  }

  /** Sends a refused change once more. */
  retry(failure: Failure): Promise<void> {
    return this.#outbox.retry(failure);
  }

  /** Forgets a refused change. */
  discard(failure: Failure): void {
    this.#outbox.discard(failure);
  }

  /**
   * Where the provider of a shared editor connects, and as whom; `isRenewed` says, when the service refuses
   * the token, whether to connect again.
   */
  providerOptions(
    documentId: string,
    editorId: string,
  ): EditorAddress & {
    url: string;
    apiUrl: string;
    token: () => Promise<string>;
    isRenewed: () => boolean;
    WebSocket: SocketOptions["WebSocket"];
  } {
    const { organizationId, baseUrl, WebSocket } = this.#options;
    const token = this.#token.user();
    return {
      organizationId,
      documentId,
      editorId,
      url: this.#liveUrl,
      apiUrl: baseUrl,
      token: token.get,
      isRenewed: token.refused,
      WebSocket,
    };
  }

  /** Counts the changes of something else, such as a shared editor, among those that are on their way. */
  reportUnsynced(source: object, changes: number): void {
    if (changes === 0) this.#unsynced.delete(source);
    else this.#unsynced.set(source, changes);
    this.#tell();
  }

  get #liveUrl(): string {
    const { liveUrl, baseUrl } = this.#options;
    return liveUrl ?? `${baseUrl.replace(/^http/, "ws").replace(/\/+$/, "")}/live`;
  }

  /** People for a mention, by what is typed after `@`. */
  async mentions(query: string): Promise<User[]> {
    return (this.#options.resolveMentions ?? this.#people.mentions)(query);
  }

  #listen(): void {
    const { organizationId } = this.#options;
    this.live.on("notification", (it) => it.organizationId === organizationId && this.unread.tell(it.count));
    this.live.on("read", (it) => it.organizationId === organizationId && this.#read(it));
    this.live.on("seen", ({ documentId, annotationId, seenAt, ...it }) => {
      if (it.organizationId === organizationId) this.#rooms.get(documentId)?.hears.seen(annotationId, seenAt);
    });
    this.live.on("status", (status) => {
      this.#connection.set({ status });
      if (status !== "connected") return;
      this.#outbox.wake();
      for (const room of this.#rooms.values()) room.hears.connected();
    });
    this.live.on("closed", (closed) => {
      this.#connection.set({ status: "disconnected", closed });
      if (isOfToken(closed.code) && this.#liveToken.refused()) this.live.connect();
    });
  }

  #me(): Person {
    const { userId } = this.#options;
    const name = this.users.state.get().get(userId)?.name;
    return { userId, ...(name !== undefined && { name }) };
  }

  #add(change: Change): Promise<void> {
    const { notifies = true } = this.#options;
    return this.#outbox.add({ ...change, notifies });
  }

  async #send(change: Change): Promise<Sent> {
    const { api } = this;
    const { organizationId, userId } = this.#options;
    return this.#ask(() => send({ api, organizationId, userId }, change));
  }

  #shown(change: Change): void {
    if (change.subject !== INBOX) return this.#rooms.get(change.documentId)?.hears.shown(change);
    if (change.kind === "inbox.readAll") this.unread.tookAll();
    if (change.kind === "inbox.read" || change.kind === "inbox.remove") {
      const unread = new Set([...this.#inboxes.values()].flatMap((it) => it.unread()));
      this.unread.took(change.notificationIds.filter((id) => unread.has(id)).length);
    }
    for (const inbox of this.#inboxes.values()) showIn(inbox, change, true);
  }

  #refused(change: Change): void {
    if (change.subject !== INBOX) return this.#rooms.get(change.documentId)?.hears.refused(change);
    for (const inbox of this.#inboxes.values()) showIn(inbox, change, false);
    void this.unread.refresh();
  }

  /** The user has read or deleted something, perhaps on another page. */
  #read({ type, notificationIds, count }: LiveReading): void {
    this.unread.tell(count);
    for (const inbox of this.#inboxes.values()) {
      if (type === "notificationsDeleted") inbox.setRemoved(notificationIds ?? [], true);
      if (type === "notificationsRead") inbox.setRead(notificationIds ?? inbox.unread(), true);
    }
  }

  #tell(): void {
    const { pending, failed } = this.#outbox.state.get();
    const others = [...this.#unsynced.values()].reduce((sum, changes) => sum + changes, 0);
    this.#sync.set({ pending: pending.length + others, failed });
  }

  /** A token that was revoked is got anew once. */
  async #ask<T>(call: () => Promise<T>): Promise<T> {
    const used = this.#token.held;
    try {
      return await call();
    } catch (error) {
      const isDenied = error instanceof ApiError && error.code === "PERMISSION_DENIED";
      if (isDenied && this.#token.refused(used)) return call();
      throw error;
    }
  }

  /** Long threads come in part. */
  #whole<T extends CommentAnnotation | null>(documentId: string, threads: T[]): Promise<T[]> {
    const { organizationId } = this.#options;
    return Promise.all(
      threads.map(async (thread) => {
        for (const it of thread?.comments ?? []) this.users.learn(userOf(it.from));
        if (!thread?.hasMoreComments) return thread;
        const comments = [];
        const { annotationId } = thread;
        for await (const comment of this.api.comments.getAll({ organizationId, documentId, annotationId }))
          comments.push(comment);
        const { hasMoreComments: _, commentsCount: __, ...whole } = thread;
        return { ...whole, comments } as T;
      }),
    );
  }
}

/** A change of the user's notifications. */
function ofInbox(change: ChangeOf): Change {
  return { ...change, key: randomName(), documentId: "", subject: INBOX, at: Date.now() } as Change;
}

/** Shows a change of notifications, or no longer. */
function showIn(inbox: Inbox, change: Change, isShown: boolean): void {
  if (change.kind === "inbox.remove") inbox.setRemoved(change.notificationIds, isShown);
  if (change.kind === "inbox.read" || change.kind === "inbox.readAll") inbox.setRead(change.notificationIds, isShown);
}
