import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { type ReactNode, useState, version } from "react";
import { flushSync } from "react-dom";
import { renderToString } from "react-dom/server";
import { Room, Roundtable, useThreads } from "roundtable/react";
import {
  AvatarStack,
  Composer,
  ConnectionBadge,
  FloatingComposer,
  Inbox,
  InboxItem,
  type InboxNotification,
  RoundtableUi,
  ThreadList,
  de,
} from "roundtable/ui";
import { RoundtableStore } from "roundtable/store";
import * as styled from "roundtable/ui";
import * as plain from "roundtable/ui/primitives";

import { Fake } from "./fake.js";
import { Service, Socket, Team, documentId, eventually, organizationId, silent } from "./team.js";
import { UiPage } from "./ui_page.js";

/** What most pages have. */
function Parts({ onOpen }: { onOpen?: (notification: InboxNotification) => void }): ReactNode {
  return (
    <>
      <ConnectionBadge />
      <AvatarStack />
      <Inbox {...(onOpen && { onOpen })} />
      <Composer />
      <ThreadList />
    </>
  );
}

test("a notification shows the words of a comment as the comment does, and no links", async (t) => {
  const team = await Team.make(t);
  const displayBodyMessage = "A **bold** `code` [link](https://example.com) https://example.com/a";
  const notification = { id: "1", isRead: true, displayBodyMessage, timestamp: 0 } as InboxNotification;
  const ui = UiPage.render(t, team.options("ada"), <InboxItem notification={notification} />);
  await ui.shows("A bold code link https://example.com/a");
  assert.deepEqual([ui.all("strong").length, ui.all("code").length, ui.all("a").length], [1, 1, 0]);
});

test("a comment that comes renders no other comment, and a thread that is selected is seen", async (t) => {
  const team = await Team.make(t);
  const { room } = await team.room("bob");
  const [one, two] = ["One", "Two"].map((text) => room.createThread({ comment: { text } }));
  await Promise.all([one?.sent, two?.sent]);
  for (const text of ["First", "Second", "Third"]) await room.createComment(one?.thread.annotationId ?? "", { text }).sent;
  await room.resolveThread(two?.thread.annotationId ?? "");
  let rendered = 0;
  let show: (thread: string | undefined) => void = () => {};
  function Page(): ReactNode {
    const [selected, select] = useState<string>();
    show = select;
    return <ThreadList selected={selected} />;
  }
  const classOf = (part: string): undefined => void (rendered += part === "comment-body" ? 1 : 0);
  const ui = UiPage.render(t, team.options("ada"), <RoundtableUi classOf={classOf}><Page /></RoundtableUi>);
  await ui.shows("Third");
  rendered = 0;
  await ui.write("Reply", "Fourth");
  await eventually("it is stored", () => ui.all("[data-pending]").length === 0);
  // In Strict Mode twice: as a draft, on its way, and stored; each of the others once at most, when it is read anew.
  assert.ok(rendered <= 14, `${rendered} renders`);

  const scrolled: (string | undefined)[] = [];
  window.Element.prototype.scrollIntoView = function (this: HTMLElement) {
    scrolled.push(this.dataset["thread"]);
  };
  (document.activeElement as HTMLElement).blur();
  flushSync(() => show(two?.thread.annotationId));
  await ui.shows("Two");
  await eventually("it is scrolled to", () => scrolled.includes(two?.thread.annotationId));
});

test(`React ${version}: a comment is written, answered, liked, edited, deleted, and its thread resolved`, async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  const ui = UiPage.render(t, team.options("ada"), <Parts />);
  await ui.shows("No comments.");
  await ui.write("New comment", "Is **this** `right`?");
  assert.match(ui.text, /Is this right\?/);
  assert.equal(ui.all("strong").length + ui.all(".rt-comment-body code").length, 2);
  await eventually("Bob sees it", () => bob.room.threads.get().threads.size === 1);
  const threads = () => [...bob.room.threads.get().threads.values()];
  const id = threads()[0]?.annotationId ?? "";

  bob.room.createComment(id, { text: "Yes." });
  await ui.shows("Yes.");
  await ui.find("[role=status]", "New comment by Bob");
  await ui.write("Reply", "Good.");
  await eventually("Bob sees the reply", () => threads()[0]?.comments.length === 3);
  await eventually("it is stored", () => ui.all("[data-pending]").length === 0);

  await ui.click(".rt-comment:nth-of-type(2) button", "Add a reaction");
  await ui.click(".rt-quick button", "🎉");
  const liked = () => threads()[0]?.comments.some((it) => it.reactionAnnotations.some(({ icon }) => icon === "🎉"));
  await eventually("Bob sees the reaction", () => liked() ?? false);
  await ui.click("button", /🎉 by Ada/);
  await eventually("it is taken back", () => !liked());

  await ui.click("button", /^Edit$/);
  const field = await ui.find("[role=textbox]", "Edit");
  assert.equal(document.activeElement, field);
  ui.press("Escape");
  assert.equal((document.activeElement as HTMLElement).textContent, "Edit");
  await ui.click("button", /^Edit$/);
  ui.type(await ui.find("[role=textbox]", "Edit"), " Or not?");
  ui.press("Enter");
  await ui.shows(/Is this right\? Or not\?/);
  const first = () => threads()[0]?.comments[0]?.commentText;
  await eventually("Bob sees the edit", () => first() === "Is **this** `right`? Or not?");

  await ui.click("article:last-of-type button", /^Delete$/);
  ui.press("Escape");
  assert.equal(ui.all(".rt-confirm").length, 0);
  await ui.click("article:last-of-type button", /^Delete$/);
  await ui.click(".rt-confirm button", /^Delete$/);
  assert.equal((document.activeElement as HTMLElement).dataset["thread"], id);
  await eventually("it is gone for Bob", () => threads()[0]?.comments.length === 2);

  await ui.click("button", /^Resolve$/);
  await ui.shows("No comments.");
  await eventually("Bob sees it resolved", () => threads()[0]?.status.type === "terminal");
  await ui.click("button", /^Resolved$/);
  await ui.click("button", /^Reopen$/);
  await eventually("Bob sees it open", () => threads()[0]?.status.type === "default");
  await ui.shows("Saved");
});

test("a mention is picked by keys, its person opens the notification, and it is read", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  t.after(bob.store.inbox().enter());
  const asked: string[] = [];
  const resolveMentions = (query: string) => {
    asked.push(query);
    return ["bob", "bea"].map((id) => ({ id, name: id === "bob" ? "Bob" : "Bea" }));
  };
  const ui = UiPage.render(t, team.options("ada", { resolveMentions }), <Parts />);
  await ui.shows("No comments.");
  const field = await ui.find("[role=textbox]", "New comment");
  ui.type(field, "Look, @b");
  await ui.find("[role=option]", "Bea");
  assert.deepEqual(asked.slice(-1), ["b"]);
  ui.press("ArrowDown");
  const chosen = document.getElementById(field.getAttribute("aria-activedescendant") ?? "");
  assert.deepEqual([chosen?.textContent?.endsWith("Bea"), chosen?.getAttribute("aria-selected")], [true, "true"]);
  ui.press("ArrowUp");
  ui.press("Enter");
  assert.equal(field.querySelector("[data-mention=bob]")?.textContent, "@Bob");
  ui.type(field, "please");
  ui.press("Enter");
  await ui.shows("Look, @Bob please");
  await eventually("Bob is told", () => bob.store.inbox().state.get().notifications.length === 1);
  const texts = () => [...bob.room.threads.get().threads.values()].map((it) => it.comments[0]?.commentText);
  await eventually("Bob sees it", () => texts().includes("Look, {{bob}} please"));
});

test("who is found late for other letters is not mentioned", async (t) => {
  const team = await Team.make(t);
  const [bob, al] = [{ id: "bob", name: "Bob" }, { id: "al", name: "Al" }];
  let reply = (): void => {};
  const resolveMentions = (query: string) =>
    query === "bo" ? [bob] : new Promise<(typeof al)[]>((resolve) => (reply = () => resolve([al])));
  const ui = UiPage.render(t, team.options("ada", { resolveMentions }), <Composer />);
  const field = await ui.find("[role=textbox]");
  ui.type(field, "@bo");
  await ui.find("[role=option]", "Bob");
  ui.type(field, "@al");
  assert.equal(ui.all("[role=option]").length, 0);
  await eventually("it is asked", () => (reply(), ui.all("[role=option]", "Al").length === 1));
  ui.press("Enter");
  assert.deepEqual([...field.querySelectorAll<HTMLElement>("[data-mention]")].map((it) => it.dataset["mention"]), ["al"]);
});

test("the key that ends a composition in Safari sends nothing", async (t) => {
  const team = await Team.make(t);
  const sent: string[] = [];
  const ui = UiPage.render(t, team.options("ada"), <Composer onSubmit={({ text }) => sent.push(text)} />);
  ui.type(await ui.find("[role=textbox]"), "日本");
  ui.press("Enter", { keyCode: 229 });
  assert.deepEqual(sent, []);
  ui.press("Enter");
  assert.deepEqual(sent, ["日本"]);
});

test("the inbox of a document counts and marks its notifications alone", async (t) => {
  const team = await Team.make(t);
  await team.admin.documents.add({ organizationId, documents: [{ documentId: "other", documentName: "Other" }] });
  const bob = await team.room("bob");
  const room = bob.store.room("other");
  t.after(room.enter());
  await room.ready();
  await room.createThread({ comment: { text: "Look, {{ada}}" } }).sent;
  await bob.room.createThread({ comment: { text: "Look, {{ada}}" } }).sent;
  const store = team.store("ada");
  const ui = UiPage.render(t, { store }, <Inbox documentId={documentId} />);
  await ui.click("button", "Notifications, 1 unread");
  await ui.click("button", "Mark all");
  await eventually("it is marked", async () => {
    const { data } = await store.api.notifications.get({ organizationId });
    return data.length === 2 && data.some((it) => it?.readByUserIds.includes("ada"));
  });
  await sleep(300);
  const unread = (await store.api.notifications.get({ organizationId })).data.filter((it) => !it?.readByUserIds.length);
  assert.deepEqual([unread.length, unread[0]?.metadata?.["documentId"]], [1, "other"]);
});

test("a notification is counted, opened by keys, and read", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  const opened: (string | undefined)[] = [];
  const ui = UiPage.render(
    t,
    team.options("ada"),
    <Parts onOpen={({ targetAnnotationId }) => opened.push(targetAnnotationId)} />,
  );
  await ui.shows("No comments.");
  const { thread } = bob.room.createThread({ comment: { text: "Look, {{ada}}" } });
  await ui.find("button", "Notifications, 1 unread");
  await ui.find("[role=status]", /New notification: .*Bob/);
  await ui.find(".rt-thread [aria-label=Unread]");
  await ui.click("button", "Notifications, 1 unread");
  assert.equal((document.activeElement as HTMLElement).getAttribute("role"), "dialog");
  ui.press("Escape");
  assert.equal(document.activeElement?.getAttribute("aria-expanded"), "false");
  await ui.click("button", "Notifications, 1 unread");
  await ui.click(".rt-inbox-item");
  assert.deepEqual(opened, [thread.annotationId]);
  assert.equal(document.activeElement?.getAttribute("aria-label"), "Notifications");
  const seen = await team.room("ada");
  t.after(seen.store.inbox().enter());
  await eventually("it is read", async () => {
    await seen.store.inbox().refresh();
    return seen.store.inbox().state.get().notifications.every(({ isRead }) => isRead);
  });
});

test("a refused comment says why, and can be sent again", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  const ui = UiPage.render(t, team.options("cy", { getToken: () => team.token("cy", "viewer") }), <Parts />);
  await ui.shows("No comments.");
  await ui.write("New comment", "Hm");
  const alert = await ui.find("[role=alert]", "This was not stored:");
  assert.match(alert.textContent ?? "", /^HmThis was not stored: [^:]+\.Send again/);
  await team.admin.permissions.add({
    user: { userId: "cy" },
    permissions: { resources: [{ type: "organization", id: organizationId, accessRole: "editor" }] },
  });
  await ui.click("[role=alert] button", "Send again");
  await eventually("Bob sees it", () => bob.room.threads.get().threads.size === 1);
  assert.equal(ui.all("[role=alert]").length, 0);
});

test("a thread shows the words that it is about, and goes with its only comment", async (t) => {
  const store = new RoundtableStore({ ...silent().options, WebSocket: Fake });
  const room = store.room(documentId);
  const location = { id: "intro", quote: "We launch on Monday" };
  void room.createThread({ comment: { text: "Really?" }, location });
  const { annotationId } = room.createThread({ comment: { text: "Who?" } }).thread;
  room.createComment(annotationId, { text: "I." });
  const ui = UiPage.render(t, { store }, <ThreadList />);
  await ui.shows("We launch on Monday");
  assert.equal(ui.all(".rt-quote").length, 1);
  for (const text of ["Really?", "I."]) {
    const comment = ui.all(".rt-comment").find((it) => it.textContent?.includes(text));
    const click = (selector: string): void =>
      flushSync(() =>
        [...(comment?.querySelectorAll<HTMLElement>(selector) ?? [])].find((it) => it.textContent === "Delete")?.click(),
      );
    click(".rt-action");
    click(".rt-confirm button");
    assert.ok(!ui.text.includes(text));
  }
  assert.deepEqual([...room.threads.get().threads.keys()], [annotationId]);
});

test("a comment that is made offline is shown as one that waits", async (t) => {
  const service = await Service.start(t);
  const team = await Team.make(t, service.base, service.adminToken);
  const ui = UiPage.render(t, team.options("ada"), <Parts />);
  await ui.shows("No comments.");
  await ui.shows("Saved");
  await service.kill();
  await ui.shows(/Offline|Connecting/);
  await ui.write("New comment", "Later");
  await ui.shows(/Waiting for the connection/);
  await ui.shows(/1 change waits/);
  assert.equal(ui.all("article[data-pending]").length, 1);
  await service.again();
  await eventually("it is stored", () => ui.all("[data-pending]").length === 0);
});

test("a composer beside its anchor takes the focus and gives it back", async (t) => {
  const team = await Team.make(t);
  let isOpen = true;
  const anchor = { getBoundingClientRect: () => new window.DOMRect(10, 10, 20, 20) };
  const ui = UiPage.render(
    t,
    team.options("ada"),
    <FloatingComposer anchor={anchor} thread={{ location: { id: "intro" } }} onClose={() => (isOpen = false)} />,
  );
  const field = await ui.find("[role=textbox]");
  assert.equal(document.activeElement, field);
  ui.press("Escape");
  assert.equal(isOpen, false);
});

test("a pin is at the place of its thread, and opens it beside itself", async (t) => {
  const team = await Team.make(t);
  const { room } = await team.room("bob");
  const created = room.createThread({ comment: { text: "Here?" }, location: { id: "board", x: 20, y: 130 } });
  await created.sent;
  let opened: string | undefined;
  function Pins(): ReactNode {
    return useThreads().threads.map((thread) => (
      <div key={thread.annotationId}>
        <styled.CommentPin thread={thread} />
        <styled.CommentPin thread={thread} className="other" onOpen={(id) => (opened = id)} />
      </div>
    ));
  }
  const ui = UiPage.render(t, team.options("ada"), <Pins />);
  const pin = await ui.find(".rt-pin", "Thread of Bob");
  // Not outside of the page.
  assert.deepEqual([pin.style.position, pin.style.top], ["absolute", "100%"]);
  await ui.click(".rt-pin:not(.other)");
  assert.deepEqual([pin.getAttribute("aria-expanded"), ui.all("[role=dialog]", "Comments").length], ["true", 1]);
  assert.equal(document.activeElement?.getAttribute("role"), "textbox");
  await ui.write("Reply", "Yes.");
  const { annotationId } = created.thread;
  await eventually("Bob sees it", () => room.threads.get().threads.get(annotationId)?.comments.length === 2);
  ui.press("Escape");
  assert.deepEqual([ui.all("[role=dialog]").length, document.activeElement], [0, pin]);

  await ui.click(".rt-pin.other");
  assert.deepEqual([opened, ui.all("[role=dialog]").length], [annotationId, 0]);
  // A resolved one has no field.
  await room.resolveThread(annotationId);
  await ui.find(".rt-pin[data-resolved]");
  await ui.click(".rt-pin:not(.other)");
  assert.equal((document.activeElement as HTMLElement).dataset["thread"], annotationId);
});

test("who points at a page is seen there, until the pointer leaves", async (t) => {
  const team = await Team.make(t);
  const { room, store } = await team.room("bob");
  const heard: unknown[] = [];
  room.onBroadcast(({ data }) => heard.push(data));
  const parts = <styled.Cursors id="board"><AvatarStack /></styled.Cursors>;
  const ui = UiPage.render(t, team.options("ada"), parts);
  await ui.find("[role=img]", "Bob");
  const board = await ui.find(".rt-cursors");
  board.getBoundingClientRect = () => new window.DOMRect(0, 0, 200, 100);
  const point = (type: string, clientX: number): void =>
    flushSync(() => void board.dispatchEvent(new window.MouseEvent(type, { bubbles: true, clientX, clientY: 50 })));
  for (let x = 0; x <= 50; x++) point("pointermove", x);
  await eventually("Bob hears where it is", () => heard.length > 0);
  point("pointerout", 0);
  await eventually("Bob hears that it has left", () => heard.length > 1);
  assert.deepEqual(heard, [{ cursors: "board", x: 25, y: 50 }, { cursors: "board" }]);

  room.broadcast({ cursors: "board", x: 25, y: 1e9 });
  const pointer = await ui.find(".rt-cursor", "Bob");
  assert.deepEqual([pointer.style.top, pointer.getAttribute("aria-hidden")], ["100%", "true"]);
  for (const other of [null, "x", { cursors: "other" }, { x: 1 }]) room.broadcast(other);
  room.broadcast({ cursors: "board", x: 25, y: 10 });
  await eventually("it has moved", () => ui.all(".rt-cursor")[0]?.style.top === "10%");
  room.broadcast({ cursors: "board" });
  await eventually("it has left", () => ui.all(".rt-cursor").length === 0);
  assert.deepEqual(store.sync.get().failed, []);
});

test("commands put Markdown around the selection", async (t) => {
  const team = await Team.make(t);
  const sent: string[] = [];
  const ui = UiPage.render(t, team.options("ada"), <Composer onSubmit={({ text }) => sent.push(text)} />);
  const field = await ui.find("[role=textbox]");
  ui.type(field, "so");
  document.getSelection()?.selectAllChildren(field);
  ui.press("b", { ctrlKey: true });
  await ui.click("button", "Italic");
  ui.press("Enter", { shiftKey: true });
  ui.press("Enter");
  assert.deepEqual(sent, ["**_so_**"]);
});

test("links of comments run no script, and HTML is text", () => {
  const text = "<b>x</b> [a](javascript:alert(1)) [b](https://b.example) https://c.example/d.";
  const html = renderToString(<plain.Text text={text} />);
  assert.equal(html.match(/<a /g)?.length, 2);
  assert.match(html, /&lt;b&gt;x&lt;\/b&gt; .*javascript/);
  assert.match(html, /href="https:\/\/c.example\/d"/);
});

test("a long comment of beginnings without ends takes no long time", () => {
  const start = performance.now();
  for (const piece of [" _a", " **", "[", "[a](", "`a *"]) renderToString(<plain.Text text={piece.repeat(40_000)} />);
  assert.ok(performance.now() - start < 4_000, `${performance.now() - start} ms`);
});

test("a refused answer to a thread that is deleted meanwhile is shown in the list", async (t) => {
  const team = await Team.make(t);
  const commentAnnotations = [{ annotationId: "t", commentData: [{ commentText: "One", from: { userId: "bob" } }] }];
  await team.admin.comments.annotationsAdd({ organizationId, documentId, commentAnnotations });
  const store = team.store("ada");
  const ui = UiPage.render(t, { store }, <Parts />);
  await ui.shows("One");
  const real = globalThis.fetch;
  let isAway = true;
  t.mock.method(globalThis, "fetch", async (...[url, init]: Parameters<typeof fetch>) => {
    if (isAway && String(url).endsWith("/comments/add")) throw new TypeError("The connection failed.");
    return real(url, init);
  });
  store.room(documentId).createComment("t", { text: "A long answer" });
  await team.admin.comments.annotationsDelete({ organizationId, documentId, annotationIds: ["t"] });
  await ui.shows("No comments.");
  isAway = false;
  await ui.find("[role=alert]", /^A long answer/);
});

test("a server renders the parts, and their words are those of the provider", async (t) => {
  const team = await Team.make(t);
  const options = team.options("ada", { WebSocket: Socket, getToken: () => assert.fail("A server needs no token.") });
  const html = renderToString(
    <Roundtable {...options}>
      <Room documentId={documentId}>
        <RoundtableUi strings={de} locale="de">
          <Parts />
        </RoundtableUi>
      </Room>
    </Roundtable>,
  );
  assert.match(html, /Wird geladen/);
  assert.match(html, /aria-label="Mitteilungen"/);
});

test("primitives are the same parts without classes", async (t) => {
  assert.deepEqual(Object.keys(plain).sort(), Object.keys(styled).sort());
  const team = await Team.make(t);
  const ui = UiPage.render(
    t,
    team.options("ada"),
    <RoundtableUi classOf={(part) => (part === "composer" ? "mine" : undefined)}>
      <plain.Composer className="own" />
      <plain.ThreadList
        filter="all"
        render={({ children, ...it }) => <main data-busy={it["aria-busy"]}>{children}</main>}
      />
    </RoundtableUi>,
  );
  await ui.shows("No comments.");
  assert.deepEqual([ui.all("[class^=rt-]").length, ui.all(".mine.own").length, ui.all("main").length], [0, 1, 1]);
});
