import "fake-indexeddb/auto";

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { RefusedError, type RoomStore, indexedDbStorage, headlineText } from "roundtable/store";

import { Service, Socket, Team, documentId, eventually, organizationId } from "./team.js";

/** What a room shows: each thread as the texts of its comments. */
const shown = (room: RoomStore): string[][] =>
  [...room.threads.get().threads.values()].map(({ comments }) => comments.map(({ commentText }) => commentText ?? ""));
const first = (room: RoomStore) => {
  const [thread] = room.threads.get().threads.values();
  assert.ok(thread);
  return thread;
};

test("to make a store connects nothing", async (t) => {
  const team = await Team.make(t);
  let asked = 0;
  const store = team.store("ada", { getToken: () => ((asked += 1), team.token("ada")) });
  store.room(documentId).threads.subscribe(() => {});
  await sleep(50);
  assert.deepEqual([asked, store.connection.get().status], [0, "disconnected"]);
});

test("a thread and its answers are shown at once, and to others when they are stored", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const begun = ada.room.createThread({ comment: { text: "Really?" }, location: { id: "intro" } });
  assert.deepEqual([shown(ada.room), begun.thread.isPending], [[["Really?"]], true]);
  const answer = ada.room.createComment(begun.thread.annotationId, { text: "Yes." });
  assert.ok(answer.comment.commentId < 0);
  assert.deepEqual(shown(ada.room), [["Really?", "Yes."]]);
  await answer.sent;
  await eventually("Bob sees both", () => JSON.stringify(shown(bob.room)) === '[["Really?","Yes."]]');
  await eventually(
    "Ada sees them stored",
    () => !first(ada.room).isPending && first(ada.room).comments.every((it) => it.commentId > 0),
  );
  assert.deepEqual(shown(ada.room), [["Really?", "Yes."]]);
  assert.equal(first(bob.room).location?.id, "intro");
  bob.room.createComment(begun.thread.annotationId, { text: "No." });
  await eventually("Ada sees that of Bob", () => shown(ada.room)[0]?.[2] === "No.");
});

test("what is done with comments and threads is shown at once, and stored", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const { thread, sent } = ada.room.createThread({ comment: { text: "One" } });
  const id = thread.annotationId;
  await sent;
  await eventually("Bob sees it", () => bob.room.threads.get().threads.size === 1);
  const commentId = first(bob.room).comments[0]?.commentId ?? 0;
  const reactions = (room: RoomStore) =>
    first(room).comments[0]?.reactionAnnotations.map(({ icon, fromUsers }) => [
      icon,
      fromUsers.map(({ from }) => from.userId),
    ]);
  const both = async (what: string, is: (room: RoomStore) => boolean) => {
    for (const { room } of [ada, bob]) await eventually(what, () => is(room) && !first(room).isPending);
  };

  void bob.room.addReaction(id, commentId, "🎉");
  assert.deepEqual(reactions(bob.room), [["🎉", ["bob"]]]);
  await both("the reaction is there", (room) => JSON.stringify(reactions(room)) === '[["🎉",["bob"]]]');
  void bob.room.removeReaction(id, commentId, "🎉");
  assert.deepEqual(reactions(bob.room), []);
  await both("the reaction is gone", (room) => reactions(room)?.length === 0);

  void ada.room.editComment(id, commentId, { text: "Two" });
  assert.deepEqual(shown(ada.room), [["Two"]]);
  await both("the edit is there", (room) => shown(room)[0]?.[0] === "Two");

  void bob.room.resolveThread(id);
  assert.equal(first(bob.room).status.type, "terminal");
  await both(
    "it is resolved",
    (room) => first(room).status.id === "RESOLVED" && first(room).resolvedByUserId === "bob",
  );
  void ada.room.reopenThread(id);
  assert.equal(first(ada.room).resolvedByUserId, undefined);
  await both("it is open", (room) => first(room).status.id === "OPEN");

  void bob.room.setThreadSubscription(id, true);
  assert.equal(first(bob.room).subscribedUsers["bob"]?.type, "manual");
  await eventually("Bob is subscribed", async () => {
    const { data } = await team.admin.comments.annotationsGet({
      organizationId,
      documentIds: [documentId],
      annotationIds: [id],
    });
    return JSON.stringify(data).includes('"bob"');
  });
  await bob.room.markThreadAsRead(id);

  void ada.room.deleteComment(id, commentId);
  assert.deepEqual(shown(ada.room), [[]]);
  await both("the comment is gone", (room) => shown(room)[0]?.length === 0);
  assert.deepEqual(ada.store.sync.get(), { pending: 0, failed: [] });
});

test("a thread is edited where the API key allows it, and as it was where it does not", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const created = ada.room.createThread({ comment: { text: "One" }, location: { id: "a" }, context: { kind: "x" } });
  await created.sent;
  const { annotationId } = created.thread;
  const edited = ({ room }: typeof bob) => {
    const { assignedTo, priority, location, context } = room.threads.get().threads.get(annotationId) ?? {};
    return JSON.stringify([assignedTo?.userId, priority?.id, location?.id, context?.["kind"]]);
  };
  const edits = {
    assignedTo: { userId: "bob" }, priority: { id: "P1" }, location: { id: "b" }, context: { kind: "y" } };
  const sent = ada.room.editThread(annotationId, edits);
  assert.equal(edited(ada), '["bob","P1","b","y"]');
  await assert.rejects(sent, /does not allow end users to edit threads/);
  assert.equal(edited(ada), '[null,null,"a","x"]');
  ada.store.discard(ada.store.sync.get().failed[0] ?? assert.fail("It is no failure."));

  await team.admin.workspace.apiKeyConfigUpdate({ enableThreadEditing: true });
  await eventually("the service knows the setting", () =>
    ada.room.editThread(annotationId, edits).then(
      () => true,
      () => false,
    ),
  );
  await eventually("Bob sees it", () => edited(bob) === '["bob","P1","b","y"]');
  await bob.room.editThread(annotationId, { assignedTo: null, priority: null });
  await eventually("Ada sees it", () => edited(ada) === '[null,null,"b","y"]');
});

test("a thread that the tenant deletes disappears", async (t) => {
  const team = await Team.make(t);
  const ada = await team.room("ada");
  const { thread, sent } = ada.room.createThread({ comment: { text: "One" } });
  await sent;
  await team.admin.comments.annotationsDelete({ organizationId, documentId, annotationIds: [thread.annotationId] });
  await eventually("it is gone", () => ada.room.threads.get().threads.size === 0);
});

test("a change that is refused is taken back, told, and can be sent again", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const { thread, sent } = ada.room.createThread({ comment: { text: "Mine" } });
  await sent;
  await eventually("Bob sees it", () => bob.room.threads.get().threads.size === 1);
  const commentId = first(bob.room).comments[0]?.commentId ?? 0;
  const edit = bob.room.editComment(thread.annotationId, commentId, { text: "Yours" });
  assert.deepEqual(shown(bob.room), [["Yours"]]);
  await assert.rejects(edit, RefusedError);
  assert.deepEqual(shown(bob.room), [["Mine"]]);
  const [failure] = bob.store.sync.get().failed;
  assert.ok(failure?.change.kind === "comment.edit" && failure.error.message);

  // A viewer may not comment: refused by the right, and the comment that followed it as well.
  const cy = await team.room("cy", { role: "viewer" });
  const begun = cy.room.createThread({ comment: { text: "Hm" } });
  const answer = cy.room.createComment(begun.thread.annotationId, { text: "Hm?" });
  assert.deepEqual(shown(cy.room).length, 2);
  await assert.rejects(begun.sent, { code: "PERMISSION_DENIED" });
  await assert.rejects(answer.sent);
  assert.deepEqual(shown(cy.room), [["Mine"]]);
  assert.equal(cy.store.sync.get().failed.length, 2);
  await team.admin.permissions.add({
    user: { userId: "cy" },
    permissions: { resources: [{ type: "organization", id: organizationId, accessRole: "editor" }] },
  });
  for (const it of cy.store.sync.get().failed) await cy.store.retry(it);
  assert.deepEqual(cy.store.sync.get(), { pending: 0, failed: [] });
  await eventually("Ada sees it", () => ada.room.threads.get().threads.size === 2);
});

test("a reaction to a comment that is not stored yet follows it", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const { thread } = ada.room.createThread({ comment: { text: "One" } });
  const draft = thread.comments[0]?.commentId ?? 0;
  await ada.room.addReaction(thread.annotationId, draft, "👍");
  await ada.room.editComment(thread.annotationId, draft, { text: "Two" });
  await eventually("Bob sees it", () => {
    const [comment] = [...bob.room.threads.get().threads.values()][0]?.comments ?? [];
    return comment?.commentText === "Two" && comment.reactionAnnotations[0]?.icon === "👍";
  });
});

test("mentions come to the inbox, which is read in one place and everywhere", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const inbox = bob.store.inbox();
  t.after(inbox.enter());
  await eventually("it is read", () => !inbox.state.get().isLoading);
  await sleep(300);
  ada.room.createThread({ comment: { text: "Look, {{bob}}!" } });
  await eventually("it has come", () => inbox.state.get().notifications.length === 1);
  const [notification] = inbox.state.get().notifications;
  assert.ok(notification && !notification.isRead);
  assert.match(headlineText(notification, "you"), /^Ada /);
  const marked = inbox.markRead([notification.id]);
  assert.equal(inbox.state.get().notifications[0]?.isRead, true);
  await marked;
  const { data } = await bob.store.api.notifications.get({ organizationId });
  assert.deepEqual(data[0]?.readByUserIds, ["bob"]);
});

test("each page of a user has the same count, and what is read or deleted on one is so on all", async (t) => {
  const team = await Team.make(t);
  const [ada, page, other] = [await team.room("ada"), await team.room("bob"), await team.room("bob")];
  const inboxes = [page, other].map(({ store }) => store.inbox());
  for (const { store } of [page, other]) t.after(store.unread.enter());
  for (const inbox of inboxes) t.after(inbox.enter());
  const counts = (): number[] => [page, other].map(({ store }) => store.unread.state.get().unread);
  const both = (count: number): boolean => counts().every((it) => it === count);
  await eventually("they are read", () => !page.store.unread.state.get().isLoading && !other.store.unread.state.get().isLoading);
  await sleep(300);
  for (const text of ["One {{bob}}", "Two {{bob}}", "Three {{bob}}"]) await ada.room.createThread({ comment: { text } }).sent;
  await eventually("three have come", () => both(3) && inboxes.every((it) => it.state.get().notifications.length === 3));
  const [newest, middle] = inboxes[0]?.state.get().notifications ?? [];
  assert.ok(newest && middle);
  void inboxes[0]?.markSeen();
  await eventually("they are seen", () => [page, other].every(({ store }) => store.unread.state.get().unseen === 0));
  assert.ok(both(3));
  void inboxes[0]?.markRead([newest.id]);
  assert.deepEqual(counts(), [2, 3], "at once here");
  await eventually("one is read", () => both(2) && inboxes[1]?.state.get().notifications[0]?.isRead === true);
  void inboxes[1]?.remove([middle.id]);
  await eventually("one is deleted", () => both(1) && inboxes.every((it) => it.state.get().notifications.length === 2));
  await inboxes[0]?.markRead([middle.id]);
  assert.deepEqual(page.store.sync.get().failed, [], "what is gone cannot be marked, and nobody needs to know");
  void inboxes[1]?.markAllRead();
  assert.deepEqual(counts(), [1, 0]);
  await eventually("all are read", () => both(0) && (inboxes[0]?.unread().length ?? 1) === 0);
});

test("a count is right where nobody tells it, and what is chosen while an older choice is read stays", async (t) => {
  const team = await Team.make(t);
  const ada = await team.room("ada");
  // A network without WebSockets.
  const Blocked = class extends EventTarget {
    readyState = 0;
    constructor() {
      super();
      setTimeout(() => this.dispatchEvent(Object.assign(new Event("close"), { code: 1006, reason: "" })), 5);
    }
    close(): void {}
  } as unknown as typeof Socket;
  for (const text of ["One {{bob}}", "Two {{bob}}"]) await ada.room.createThread({ comment: { text } }).sent;
  await eventually("both are there", async () => {
    const { data } = await team.admin.notifications.get({ organizationId, userId: "bob" });
    return data.length === 2;
  });
  const bob = team.store("bob", { WebSocket: Blocked });
  const inbox = bob.inbox();
  t.after(inbox.enter());
  await eventually("they are read", () => inbox.unread().length === 2);
  const real = globalThis.fetch;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let counts = 0;
  t.mock.method(globalThis, "fetch", async (...request: Parameters<typeof fetch>) => {
    const reply = await real(...request);
    if (String(request[0]).endsWith("/count/get") && counts++ === 0) await released;
    return reply;
  });
  t.after(bob.unread.enter());
  await eventually("they are counted", () => counts === 1);
  await inbox.markRead(inbox.unread().slice(0, 1));
  // The count of before is late.
  release();
  await eventually("one is left", () => !bob.unread.state.get().isLoading);
  assert.equal(bob.unread.state.get().unread, 1);
  await inbox.markAllRead();
  await eventually("none is left", () => bob.unread.state.get().unread === 0);

  const settings = bob.settings();
  await bob.changeSettings({ inbox: "NONE" });
  assert.deepEqual([settings.get().value?.inbox, settings.get().isLoading], ["NONE", false]);
  const change = bob.changeSettings({ inbox: "MINE" });
  assert.equal(settings.get().value?.inbox, "MINE");
  await change;
  await assert.rejects(bob.changeSettings({ inbox: "SOME" as "ALL" }));
  assert.equal(settings.get().value?.inbox, "MINE");
});

test("a thread that is seen on one page is seen on all", async (t) => {
  const team = await Team.make(t);
  const [ada, page, other] = [await team.room("ada"), await team.room("bob"), await team.room("bob")];
  for (const { store } of [page, other]) t.after(store.unread.enter());
  const { thread, sent } = ada.room.createThread({ comment: { text: "Look" } });
  await sent;
  const unread = (): (boolean | undefined)[] =>
    [page, other].map(({ room }) => room.threads.get().threads.get(thread.annotationId)?.unread);
  await eventually("it is unread", () => unread().every((it) => it === true));
  assert.equal(first(ada.room).unread, false);
  void page.room.markThreadAsRead(thread.annotationId);
  assert.equal(unread()[0], false);
  await eventually("it is seen on the other page", () => unread()[1] === false);
  await sleep(5);
  await ada.room.createComment(thread.annotationId, { text: "Again" }).sent;
  await eventually("it is unread again", () => unread().every((it) => it === true));
  await other.room.createComment(thread.annotationId, { text: "I see" }).sent;
  await eventually("who answered has read it", () => unread().every((it) => it === false));
});

test("without functions of the application, the service knows people", async (t) => {
  const team = await Team.make(t);
  const groups = [{ groupId: "writers", groupName: "Writers" }];
  await team.admin.userGroups.add({ organizationId, organizationUserGroups: groups });
  const store = team.store("ada", { resolveUsers: undefined });
  assert.deepEqual(await store.users.find(["bob", "cy"]), [
    { id: "bob", name: "Bob" },
    { id: "cy", name: "cy" },
  ]);
  assert.deepEqual(await store.mentions("bo"), [{ id: "bob", name: "Bob" }]);
  assert.deepEqual(await store.mentions("ada"), [], "nobody mentions themselves");
  store.groups.want(["writers", "none"]);
  await eventually("the group is known", () => store.groups.state.get().get("writers")?.name === "Writers");
});

test("a thread in which nobody else commented can be deleted, and a broadcast reaches the others", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const own = ada.room.createThread({ comment: { text: "One" } });
  const answered = ada.room.createThread({ comment: { text: "Two" } });
  await Promise.all([own.sent, answered.sent]);
  await eventually("Bob sees them", () => bob.room.threads.get().threads.size === 2);
  await bob.room.createComment(answered.thread.annotationId, { text: "No" }).sent;
  const deleted = ada.room.deleteThread(own.thread.annotationId);
  assert.equal(ada.room.threads.get().threads.has(own.thread.annotationId), false);
  await deleted;
  await assert.rejects(ada.room.deleteThread(answered.thread.annotationId));
  await eventually("one is left", () => shown(bob.room).length === 1 && shown(ada.room).length === 1);
  const heard: unknown[] = [];
  const listener = ({ userId, data }: { userId: string; data: unknown }): unknown => heard.push([userId, data]);
  t.after(bob.room.onBroadcast(listener));
  // The same function may listen for two components, of which one goes.
  bob.room.onBroadcast(listener)();
  ada.room.broadcast({ typing: true });
  await eventually("Bob hears it", () => heard.length === 1);
  assert.deepEqual(heard, [["ada", { typing: true }]]);
});

test("people in a room, names and live state are told", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  await eventually(
    "they see each other",
    () => ada.room.people.get().length === 2 && bob.room.people.get().length === 2,
  );
  assert.deepEqual(
    ada.room.people.get().map(({ userId, status }) => [userId, status]),
    [
      ["ada", "online"],
      ["bob", "online"],
    ],
  );
  bob.room.setPresence("away");
  await eventually("Bob is away", () => ada.room.people.get()[1]?.status === "away");
  for (let slide = 1; slide <= 30; slide++) bob.room.setPresenceData({ slide });
  await eventually("Ada sees the last slide", () => ada.room.people.get()[1]?.data?.slide === 30);
  assert.equal(ada.room.people.get()[1]?.status, "away");
  assert.deepEqual(await ada.store.users.find(["bob", "cy"]), [
    { id: "bob", name: "Bob" },
    { id: "cy", name: "Cy" },
  ]);
  await ada.room.setLiveState("slide", { page: 3 });
  await eventually("Bob sees the slide", () => JSON.stringify(bob.room.liveState.get().get("slide")) === '{"page":3}');
});

test("people are asked for together and once, and who asks later waits for those who were asked for before", async (t) => {
  const team = await Team.make(t);
  const asked: string[][] = [];
  const resolveUsers = async (ids: string[]) => {
    asked.push(ids);
    await sleep(ids.includes("ada") ? 60 : 5);
    return ids.map((id) => ({ id, name: id.toUpperCase() }));
  };
  const { users } = team.store("ada", { resolveUsers });
  users.want(["ada"]);
  users.want(["bob", "ada"]);
  await sleep(0);
  users.want(["cy"]);
  assert.deepEqual(
    (await users.find(["ada", "cy"])).map(({ name }) => name),
    ["ADA", "CY"],
  );
  assert.deepEqual(asked, [["ada", "bob"], ["cy"]]);
});

test("comments written while the service is away arrive once, in their order, after it is back", async (t) => {
  const service = await Service.start(t);
  const team = await Team.make(t, service.base, service.adminToken);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const { thread, sent } = ada.room.createThread({ comment: { text: "0" } });
  await sent;
  await service.kill();
  const texts = Array.from({ length: 10 }, (_, number) => `${number + 1}`);
  const all = texts.map((text) => ada.room.createComment(thread.annotationId, { text }).sent);
  assert.deepEqual(shown(ada.room), [["0", ...texts]]);
  await eventually("they wait", () => ada.store.sync.get().pending === 10);
  await sleep(1_500);
  assert.equal(ada.store.sync.get().pending, 10);
  await service.again();
  await Promise.all(all);
  await eventually("Bob sees them", () => JSON.stringify(shown(bob.room)) === JSON.stringify([["0", ...texts]]));
  assert.deepEqual(ada.store.sync.get(), { pending: 0, failed: [] });
  await eventually("Ada sees them stored", () => first(ada.room).comments.every(({ commentId }) => commentId > 0));
  assert.deepEqual(shown(ada.room), [["0", ...texts]]);
});

test("what a page left is sent by the next one, once, whoever else is there", async (t) => {
  const service = await Service.start(t);
  const team = await Team.make(t, service.base, service.adminToken);
  const storage = () => indexedDbStorage() ?? assert.fail("There is no IndexedDB.");
  const options = () => ({ storage: storage(), getToken: () => token });
  const token = await team.token("ada");
  const gone = team.store("ada", options());
  const room = gone.room(documentId);
  const leave = room.enter();
  await room.ready();
  await service.kill();
  const { thread } = room.createThread({ comment: { text: "One" } });
  room.createComment(thread.annotationId, { text: "Two" });
  const scope = JSON.stringify([service.base, organizationId, "ada"]);
  await eventually("they are kept", async () => (await storage().load(scope)).length === 2);
  leave();
  // The room ends two seconds later, and its store two seconds after it.
  await sleep(4_300);
  await service.again();
  const pages = [await team.room("ada", options()), await team.room("ada", options())];
  for (const it of pages)
    await eventually("the page shows both", () => JSON.stringify(shown(it.room)) === '[["One","Two"]]');
  await eventually("nothing is kept", async () => (await storage().load(scope)).length === 0);
  const { data } = await team.admin.comments.get({ organizationId, documentId, annotationId: thread.annotationId });
  assert.deepEqual(
    data.map((it) => it?.commentText),
    ["One", "Two"],
  );
});

test("a reply that is lost sends nothing twice", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  const ada = await team.room("ada");
  const real = globalThis.fetch;
  let lost = 0;
  t.mock.method(globalThis, "fetch", async (...request: Parameters<typeof fetch>) => {
    const reply = await real(...request);
    if (String(request[0]).endsWith("/comments/add") && lost++ < 2) throw new TypeError("The connection was lost.");
    return reply;
  });
  const { thread } = ada.room.createThread({ comment: { text: "One" } });
  await ada.room.createComment(thread.annotationId, { text: "Two" }).sent;
  assert.equal(lost, 3);
  await eventually("Bob sees it once", () => JSON.stringify(shown(bob.room)) === '[["One","Two"]]');
});

test("a thread that was stored is not refused because its id is taken, and somebody else's is", async (t) => {
  const team = await Team.make(t);
  const ada = await team.room("ada");
  const real = globalThis.fetch;
  let calls = 0;
  t.mock.method(globalThis, "fetch", async (...[url, init]: Parameters<typeof fetch>) => {
    if (!String(url).endsWith("/commentannotations/add")) return real(url, init);
    const error = { status: "INTERNAL", message: "no" };
    if (calls++ === 0) return real(url, init).then(() => Response.json({ error }, { status: 500 }));
    // The key was released by that reply.
    return real(url, { ...init, headers: { ...init?.headers, "idempotency-key": `other-${calls}` } });
  });
  const { thread, sent } = ada.room.createThread({ comment: { text: "One" }, id: "one" });
  await sent;
  await eventually("it is shown as stored", () => (first(ada.room).comments[0]?.commentId ?? -1) > 0);
  assert.deepEqual([calls, shown(ada.room), thread.annotationId], [2, [["One"]], "one"]);
  const bob = await team.room("bob");
  await assert.rejects(bob.room.createThread({ comment: { text: "Mine" }, id: "one" }).sent, RefusedError);
});

test("a repetition asks for notifications as the change did when it was made", async (t) => {
  const team = await Team.make(t);
  const ada = await team.room("ada");
  const real = globalThis.fetch;
  const bodies: unknown[] = [];
  t.mock.method(globalThis, "fetch", async (...[url, init]: Parameters<typeof fetch>) => {
    const reply = await real(url, init);
    if (!String(url).endsWith("/commentannotations/add")) return reply;
    if (bodies.push(init?.body) > 1) return reply;
    ada.store.update({ ...ada.store.options, notifies: false });
    throw new TypeError("The connection was lost.");
  });
  await ada.room.createThread({ comment: { text: "One" } }).sent;
  assert.deepEqual([bodies.length, bodies[0] === bodies[1]], [2, true]);
});

test("a token is kept, got anew before its end, and once when it is refused", async (t) => {
  const team = await Team.make(t);
  let asked = 0;
  const ada = await team.room("ada", { getToken: () => ((asked += 1), team.token("ada")) });
  await ada.room.createThread({ comment: { text: "One" } }).sent;
  await ada.store.inbox().refresh();
  assert.equal(asked, 1);
});

test("threads are read all, or page by page, the newest first", async (t) => {
  const team = await Team.make(t);
  const threads = Array.from({ length: 230 }, (_, number) => ({
    annotationId: `t${number}`,
    createdAt: 1_700_000_000_000 + number,
    commentData: [{ commentText: `${number}`, from: { userId: "bob" } }],
  }));
  await team.admin.comments.annotationsAdd({ organizationId, documentId, commentAnnotations: threads });
  // A room that listens already would be told of the threads, and have more than it has read.
  await sleep(2_000);
  const read = ({ threads }: RoomStore): unknown[] => [threads.get().threads.size, threads.get().hasMore];
  assert.deepEqual(read((await team.room("ada")).room), [230, false]);
  const { room } = await team.room("bob", { maxThreads: 100 });
  assert.deepEqual(read(room), [100, true]);
  await room.fetchMore();
  assert.deepEqual(read(room), [200, true]);
  await room.fetchMore();
  assert.deepEqual(read(room), [230, false]);
});

test("a room that could not be read is read with the next connection", async (t) => {
  const team = await Team.make(t);
  const real = globalThis.fetch;
  let isRefused = true;
  t.mock.method(globalThis, "fetch", async (...[url, init]: Parameters<typeof fetch>) => {
    if (!isRefused || !String(url).endsWith("/commentannotations/get")) return real(url, init);
    return new Response("<html>", { status: 403 });
  });
  const { store, room } = await team.room("ada");
  assert.ok(room.threads.get().error);
  await eventually("it is connected", () => room.people.get().length === 1);
  isRefused = false;
  store.live.disconnect();
  store.live.connect();
  await eventually("it is read", () => !room.threads.get().error && !room.threads.get().isLoading);
});

test("what a page opens changes nothing of what it shows", async (t) => {
  const team = await Team.make(t);
  const { store, room } = await team.room("ada");
  room.createThread({ comment: { text: "One" } });
  let told = 0;
  room.threads.subscribe(() => told++);
  store.room("another");
  store.inbox();
  store.inbox(documentId);
  assert.equal(told, 0);
});

test("a document that the user may not see says so", async (t) => {
  const team = await Team.make(t);
  const store = team.store("ada");
  const room = store.room("nowhere");
  t.after(room.enter());
  await room.ready();
  const { isLoading, error } = room.threads.get();
  assert.ok(!isLoading && error);
});
