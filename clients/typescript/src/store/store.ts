import { Roundtable } from "../client.js";
import type { CommentAnnotation, NotificationChannels, Person } from "../generated/types.js";
import { held } from "../held.js";
import { isOfToken } from "../live/codes.js";
import type { EditorAddress } from "../live/address.js";
import { LiveEvents, type LiveNotification, type LiveReading } from "../live/events.js";
import type { Status } from "../live/link.js";
import type { SocketOptions } from "../live/socket.js";
import { randomName } from "../random.js";
import { type Change, INBOX } from "./change.js";
import { type Group, type Groups } from "./groups.js";
import { Inbox } from "./inbox.js";
import { Names } from "./names.js";
import { Outbox, type Failure } from "./outbox.js";
import { type OutboxStorage, indexedDbStorage } from "./outbox_storage.js";
import { People } from "./people.js";
import { RefusedError } from "./refused.js";
import { Resource } from "./resource.js";
import { RoomStore } from "./room.js";
import { checked, send } from "./send.js";
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
  readonly #inboxes = new Map<string | undefined, Inbox>();
  readonly #settings = new Map<string | undefined, Resource<NotificationChannels>>();
  readonly #role: Signal<Role>;
  readonly #usage: Usage;
  /** The user in the organization, as calls name them. */
  readonly #user: { organizationId: string; userId: string };
  #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#role = new Signal(options.role ?? "editor");
    const { baseUrl, organizationId, userId, WebSocket } = options;
    this.#user = { organizationId, userId };
    const storage = options.storage === undefined ? indexedDbStorage() : (options.storage ?? undefined);
    this.#token = new TokenCache(() => this.#options.getToken(), userId);
    this.#liveToken = this.#token.user();
    this.api = new Roundtable(baseUrl, { userToken: this.#token.get }, { fetch: this.#token.fetch });
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
      documents: () => [...this.#rooms].filter(([, room]) => room.hears.isUsed()).map(([documentId]) => documentId),
    });
    this.users = new Users((ids) => (this.#options.resolveUsers ?? this.#people.users)(ids));
    this.groups = new Names<Group>(this.#people.groups);
    this.unread = new Unread({
      read: async () => (await this.api.notifications.count(this.#user)).data,
      follow: () => this.#follow(() => this.unread),
    });
    this.#outbox = new Outbox(JSON.stringify([baseUrl, organizationId, userId]), storage, {
      send: (change) => send({ api: this.api, ...this.#user }, change),
      shown: (change) => this.#shown(change),
      stored: (change) => this.#stored(change),
      refused: (change) => this.#refused(change),
    });
    this.#outbox.state.subscribe(() => this.#tell());
    this.#usage = new Usage(() => {
      this.live.connect();
      // What the user reads on other pages concerns threads, too.
      const leave = this.live.me(organizationId);
      this.#outbox.start();
      return () => {
        this.#outbox.stop();
        leave();
        this.live.disconnect();
      };
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
    return held(this.#rooms, documentId, () => {
      const { organizationId, maxThreads = Infinity } = this.#options;
      const address = { organizationId, documentId };
      const documents = { organizationId, documentIds: [documentId] };
      const pageSize = Math.min(maxThreads, PAGE);
      const room = new RoomStore(address, {
        live: this.live,
        enter: () => this.enter(),
        me: () => this.#me(),
        add: (change) => this.#add(change),
        firstPages: Math.ceil(maxThreads / pageSize),
        page: async (pageToken) => {
          const request = { ...documents, pageSize, pageToken: pageToken ?? null };
          const { data, nextPageToken } = await this.api.comments.annotationsGet(request);
          const found = data.filter((it) => it !== null);
          return { threads: await this.#whole(documentId, found), next: nextPageToken ?? undefined };
        },
        named: async (annotationIds) => {
          const { data } = await this.api.comments.annotationsGet({ ...documents, annotationIds });
          return this.#whole(documentId, data);
        },
        learn: ({ comments }) => comments.forEach((it) => this.users.learn(userOf(it.from))),
        document: new Resource(async () => {
          const [document] = (await this.api.documents.get(documents)).data;
          if (!document) throw new RefusedError("There is no such document.");
          return document;
        }),
        broadcast: async (liveStateDataId, data) => {
          await this.api.liveState.broadcast({ ...address, liveStateDataId, data }, { maxRetries: 0 });
        },
      });
      // Made before, or on another page. Nobody reads this room yet: a component may be rendering.
      for (const change of this.#outbox.state.get().pending)
        if (change.documentId === documentId) room.hears.shown(change);
      return room;
    });
  }

  /** The user's notifications, of the organization or of a document; read while it is used. */
  inbox(documentId?: string): Inbox {
    return held(this.#inboxes, documentId, () => {
      const { organizationId, userId } = this.#user;
      const filter = { organizationId, documentId: documentId ?? null };
      const change = (kind: "inbox.read" | "inbox.readAll" | "inbox.remove") => (notificationIds: string[]) =>
        this.#add({ kind, notificationIds, key: randomName(), documentId: "", subject: INBOX, at: Date.now() });
      const inbox: Inbox = new Inbox({
        userId,
        page: (page) => this.api.notifications.get({ ...filter, ...page }),
        named: async (notificationIds) => {
          const { data } = await this.api.notifications.get({ ...filter, notificationIds });
          return data.filter((it) => it !== null);
        },
        follow: () => {
          const leave = this.#follow(() => inbox);
          const arrived = ({ notificationId, ...it }: LiveNotification): unknown =>
            it.organizationId === organizationId && void inbox.arrived(notificationId);
          const end = this.live.on("notification", arrived);
          return () => {
            end();
            leave();
          };
        },
        markRead: change("inbox.read"),
        // Those of each list: what is refused is unread again in all.
        markAllRead: () => change("inbox.readAll")(this.#unread()),
        remove: change("inbox.remove"),
        markSeen: async () => {
          this.unread.saw();
          try {
            await this.api.notifications.seen(this.#user);
          } catch (error) {
            this.unread.renew();
            throw error;
          }
        },
      });
      for (const it of this.#outbox.state.get().pending) if (it.subject === INBOX) showIn(inbox, it, true);
      return inbox;
    });
  }

  /** What the user wants to be told of, in the organization or in a document; read while it is used. */
  settings(documentId?: string): Resource<NotificationChannels> {
    return held(this.#settings, documentId, () => {
      const scope = documentId === undefined ? { getOrganizationConfig: true } : { documentIds: [documentId] };
      return new Resource<NotificationChannels>(async () => {
        const { data } = await this.api.notifications.configGet({ ...this.#user, ...scope });
        return data[0]?.config ?? {};
      });
    });
  }

  /** Changes what the user wants to be told of. It is shown at once, and taken back if it is refused. */
  async changeSettings(config: NotificationChannels, documentId?: string): Promise<void> {
    const { organizationId, userId } = this.#user;
    const settings = this.settings(documentId);
    const show = (): boolean => {
      const { value } = settings.get();
      if (value) settings.set({ ...value, ...config });
      return value !== undefined;
    };
    show();
    const documentIds = documentId === undefined ? {} : { documentIds: [documentId] };
    try {
      const request = { organizationId, userIds: [userId], config, ...documentIds };
      checked((await this.api.notifications.configSet(request)).data);
    } catch (error) {
      await settings.refresh();
      throw error;
    }
    // Again: what was read meanwhile may be older. Nothing was shown of what was not known.
    if (!show()) await settings.refresh();
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
    return { userId, ...(name && { name }) };
  }

  #add(change: Change): Promise<void> {
    const { notifies = true } = this.#options;
    return this.#outbox.add({ ...change, notifies });
  }

  #shown(change: Change): void {
    if (change.subject !== INBOX) return this.#rooms.get(change.documentId)?.hears.shown(change);
    const unread = this.#unread();
    if (change.kind === "inbox.readAll") this.unread.takeAll();
    else this.unread.take(idsOf(change).filter((id) => unread.includes(id)));
    for (const inbox of this.#inboxes.values()) showIn(inbox, change, true);
  }

  #stored(change: Change): void {
    if (change.subject !== INBOX) return this.#rooms.get(change.documentId)?.hears.stored(change);
    this.unread.stored(idsOf(change));
    // Nobody tells the count.
    if (this.live.status !== "connected") this.unread.renew();
  }

  #refused(change: Change): void {
    if (change.subject !== INBOX) return this.#rooms.get(change.documentId)?.hears.refused(change);
    for (const inbox of this.#inboxes.values()) showIn(inbox, change, false);
    this.unread.giveBack(idsOf(change));
    this.unread.renew();
  }

  /** The user has read or deleted something, perhaps on another page. */
  #read({ type, notificationIds, count }: LiveReading): void {
    this.unread.tell(count, notificationIds);
    for (const inbox of this.#inboxes.values()) {
      if (type === "notificationsDeleted") inbox.setRemoved(notificationIds ?? [], true);
      if (type === "notificationsRead") inbox.setRead(notificationIds ?? inbox.unread(), true);
    }
  }

  /** Notifications that some list shows as unread. */
  #unread(): string[] {
    return [...new Set([...this.#inboxes.values()].flatMap((it) => it.unread()))];
  }

  /** Uses the store for what is read, also with each connection. */
  #follow(used: () => { refresh(): Promise<void> }): () => void {
    const { organizationId } = this.#user;
    const ends = [this.enter(), this.live.me(organizationId)];
    ends.push(this.live.on("following", (id) => id === organizationId && void used().refresh()));
    return () => ends.forEach((end) => end());
  }

  #tell(): void {
    const { pending, failed } = this.#outbox.state.get();
    const others = [...this.#unsynced.values()].reduce((sum, changes) => sum + changes, 0);
    this.#sync.set({ pending: pending.length + others, failed });
  }

  /** Long threads come in part. */
  #whole<T extends CommentAnnotation | null>(documentId: string, threads: T[]): Promise<T[]> {
    const { organizationId } = this.#options;
    return Promise.all(
      threads.map(async (thread) => {
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

/** Notifications that a change is about. */
function idsOf(change: Change): string[] {
  return "notificationIds" in change ? change.notificationIds : [];
}

/** Shows a change of notifications, or no longer. */
function showIn(inbox: Inbox, change: Change, isShown: boolean): void {
  if (change.kind === "inbox.remove") inbox.setRemoved(change.notificationIds, isShown);
  else inbox.setRead(idsOf(change), isShown);
}
