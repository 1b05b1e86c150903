// The place of one program: documents, editors and people in an organization of its own, and what has
// been done there.
import * as Y from "yjs";
import { now } from "./clock.mjs";
import { mark } from "./tokens.mjs";
import { broken } from "./links.mjs";

const DOCUMENTS = 2;
const refusedAs = (...codes) => (error) => {
  if (!codes.some((code) => String(error.message).includes(`"${code}"`))) throw error;
};

/** What people, rooms and documents are at a moment. The server's key does what changes them. */
export class Stage {
  /** The right of each person in each document; null: none. */
  roles = [];
  documents = [];
  /** The editor of each document. */
  rooms = [];
  /** What may end a screen: who it concerns, and when. */
  causes = [];
  /** Whether something is being deleted: nobody knows what is there. */
  isChanging = false;
  /** People whose tokens cannot be had. */
  failing = new Set();
  began = now();
  #tokens = new Map();
  #words = 0;

  constructor(tenant, organizationId, service) {
    this.tenant = tenant;
    this.organizationId = organizationId;
    this.service = service;
  }

  async set(people) {
    const { organizationId } = this;
    for (let n = 0; n < DOCUMENTS; n++) {
      this.documents.push({ documentId: `d${n}`, isThere: true, threads: [] });
      this.rooms.push({ organizationId, documentId: `d${n}`, editorId: "body", generation: 0, isThere: false, text: "" });
    }
    const documents = this.documents.map(({ documentId }) => ({ documentId, documentName: documentId }));
    await this.tenant.call("/v2/organizations/documents/add", { organizationId, createOrganization: true, documents });
    this.roles = people.map((roles) => [...roles]);
    const grants = people.map((roles, person) => {
      const given = roles.flatMap((accessRole, document) => (accessRole ? [{ ...this.#resource(document), accessRole }] : []));
      const grant = { user: { userId: this.userId(person) }, permissions: { resources: given } };
      return given.length > 0 && this.tenant.call("/v2/auth/permissions/add", grant);
    });
    // Members of the organization have a right to none of its documents.
    const users = people.map((roles, person) => ({ userId: this.userId(person) }));
    await Promise.all([...grants, this.add(0), this.tenant.call("/v2/users/add", { organizationId, users })]);
  }

  userId(person) {
    return `${this.organizationId}-p${person}`;
  }

  /** A token of a person that is valid now. */
  token(person) {
    if (!this.#tokens.has(person)) this.#tokens.set(person, this.#newToken(person));
    return this.#tokens.get(person);
  }

  /** What a client is given that asks for a token. */
  async freshToken(person) {
    if (this.failing.has(person)) throw new Error("The server of the tenant is away.");
    return this.token(person);
  }

  /** The tenant's server is away for a person, or is back. */
  fail(person, fails) {
    this.#caused("tokens", { person });
    if (fails) this.failing.add(person);
    else this.failing.delete(person);
  }

  /** The server is there for everybody. */
  mend() {
    for (const person of this.failing) this.fail(person, false);
  }

  async #newToken(person) {
    const userId = this.userId(person);
    const userProperties = { name: userId, email: `${userId}@example.com` };
    const data = { userId, userProperties, permissions: { resources: [] } };
    return (await this.tenant.call("/v2/auth/generate_token", data)).data.token;
  }

  /** A word that nobody has typed yet. */
  word(generation, size = 0) {
    return `[${generation === undefined ? "" : `${generation}.`}w${this.#words++}${"~".repeat(size)}]`;
  }

  #caused(kind, of) {
    this.causes.push({ kind, at: now(), ...of });
  }

  /** What may have ended a screen of a person in a document since it was opened. */
  hasCause(person, document, since) {
    // What came just before may be heard of later.
    const isOf = (it) => it.at >= since - 12_000 && (it.person ?? person) === person && (it.document ?? document) === document;
    return this.causes.some(isOf);
  }

  #resource(document) {
    return { type: "document", id: `d${document}`, organizationId: this.organizationId };
  }

  async grant(person, document, accessRole) {
    const resource = this.#resource(document);
    this.#caused("role", { person, document });
    if (accessRole === null) {
      const removal = { userId: this.userId(person), permissions: { resources: [resource] } };
      await this.tenant.call("/v2/auth/permissions/remove", removal).catch(refusedAs("NOT_FOUND"));
    } else {
      const grant = { user: { userId: this.userId(person) }, permissions: { resources: [{ ...resource, accessRole }] } };
      await this.tenant.call("/v2/auth/permissions/add", grant);
    }
    this.#caused("role", { person, document });
    this.roles[person][document] = accessRole;
  }

  /** Tokens that were given end. */
  async expire() {
    this.#caused("expire", {});
    await this.tenant.call("/v2/workspace/testclock/advance", { seconds: 49 * 3600 });
    this.#tokens.clear();
    this.#caused("expire", {});
  }

  #address(room) {
    const { organizationId, documentId, editorId } = this.rooms[room];
    return { organizationId, documentId, editorId };
  }

  address(room) {
    return this.#address(room);
  }

  async add(room) {
    const { generation } = this.rooms[room];
    const added = this.tenant.call("/v2/crdt/add", { ...this.#address(room), type: "text", data: mark(generation) });
    await added.catch(refusedAs("ALREADY_EXISTS"));
  }

  async delete(room) {
    this.#caused("delete", { document: room });
    const { documentId, organizationId, editorId } = this.rooms[room];
    const old = broken.deleted && (await this.tenant.call("/v2/crdt/state/get", this.#address(room)).catch(() => undefined));
    this.isChanging = true;
    this.rooms[room].generation++;
    await this.tenant.call("/v2/crdt/delete", { organizationId, documentId, editorIds: [editorId] });
    this.isChanging = false;
    this.#caused("delete", { document: room });
    if (old) await broken.deleted(this.tenant, this.#address(room), old.data.update);
  }

  async drop(document) {
    if (!this.documents[document].isThere) return;
    this.#caused("drop", { document });
    this.rooms[document].generation++;
    this.isChanging = true;
    const { organizationId } = this;
    await this.tenant.call("/v2/organizations/documents/delete", { organizationId, documentIds: [`d${document}`] });
    this.isChanging = false;
    this.documents[document].isThere = false;
    for (const roles of this.roles) roles[document] = null;
    this.#caused("drop", { document });
  }

  /** The tenant's server writes a word. */
  async write(room, word) {
    const document = await this.read(room);
    if (!document) return undefined;
    const before = Y.encodeStateVector(document);
    document.getText("content").insert(document.getText("content").length, word);
    const updates = [Buffer.from(Y.encodeStateAsUpdate(document, before)).toString("base64")];
    const add = this.tenant.call("/v2/crdt/updates/add", { ...this.#address(room), updates });
    return add.then(() => word, refusedAs("NOT_FOUND"));
  }

  /** What the service has of an editor; nothing when there is none. */
  async read(room) {
    const document = new Y.Doc();
    // A large state comes in several replies.
    for (let known = {}; ; ) {
      const reply = await this.tenant.call("/v2/crdt/state/get", { ...this.#address(room), ...known }).catch(refusedAs("NOT_FOUND"));
      if (!reply) return undefined;
      const { update, stateVector, isComplete } = reply.data;
      Y.applyUpdate(document, Buffer.from(update, "base64"));
      if (isComplete) return document;
      known = { stateVector };
    }
  }

  /** Threads are added; each is told once to who follows and may see it: all, or one person. */
  async comment(document, count, to) {
    const { documentId, threads, isThere } = this.documents[document];
    if (!isThere) return;
    const added = Array.from({ length: count }, () => ({ annotationId: `a${this.#words++}`, to, at: now(), isDeleted: false }));
    for (let from = 0; from < count; from += 50) {
      const commentAnnotations = added.slice(from, from + 50).map(({ annotationId }) => ({
        annotationId, commentData: [{ commentText: "x", from: { userId: "server" } }],
        ...(to !== undefined && { visibility: { type: "restricted", userIds: [this.userId(to)] } }),
      }));
      const data = { organizationId: this.organizationId, documentId, commentAnnotations };
      await this.tenant.call("/v2/commentannotations/add", data).catch(refusedAs("ALREADY_EXISTS"));
      for (const thread of added.slice(from, from + 50)) threads.push(Object.assign(thread, { until: now() }));
    }
  }

  /** People get a notification; answers its id. */
  async notify(document, people) {
    const notificationId = `n${this.#words++}`;
    const notifyUsers = [...new Set(people)].map((person) => ({ userId: this.userId(person) }));
    await this.tenant.call("/v2/notifications/add", {
      organizationId: this.organizationId, documentId: `d${document}`, notificationId, notifyUsers, notifyAll: false,
      actionUser: { userId: "server" }, displayHeadlineMessageTemplate: "x", displayBodyMessage: "x",
    });
    return notificationId;
  }

  async uncomment(document, pick) {
    const { documentId, threads, isThere } = this.documents[document];
    const there = threads.filter(({ isDeleted }) => !isDeleted);
    const thread = there[Math.floor(pick * there.length)];
    if (!thread || !isThere) return;
    thread.deletedAt = now();
    const data = { organizationId: this.organizationId, documentId, annotationIds: [thread.annotationId] };
    await this.tenant.call("/v2/commentannotations/delete", data);
    thread.isDeleted = true;
    thread.deletedUntil = now();
  }

  async state(document, size) {
    if (!this.documents[document].isThere) return;
    const data = { organizationId: this.organizationId, documentId: `d${document}`, liveStateDataId: "canvas", data: { x: "x".repeat(size) } };
    await this.tenant.call("/v2/livestate/broadcast", data);
    this.documents[document].stateAt = now();
  }

  /** The revision of each entry of live state. */
  async revisions(document) {
    const { organizationId } = this;
    const reply = await this.tenant.call("/v2/livestate/get", { organizationId, documentId: `d${document}` });
    return new Map(reply.data.map(({ liveStateDataId, revision }) => [liveStateDataId, revision]));
  }
}
