import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { CommentsExtension } from "@blocknote/core/comments";
import { type ReactNode, StrictMode, useEffect } from "react";
import { flushSync } from "react-dom";
import { type Root, createRoot } from "react-dom/client";
import { RoundtableThreadStore, useRoundtableBlockNote, userStoreOf } from "roundtable/blocknote";
import type { Role } from "roundtable/store";
import { Room, Roundtable } from "roundtable/react";

import { sharedEditor } from "../dist/editors/shared.js";
import { page } from "./page.js";
import { Socket, Team, documentId, eventually, organizationId } from "./team.js";

const body = (text: string) => [{ type: "paragraph", content: [{ type: "text", text, styles: {} }], children: [] }];

test("BlockNote's interface: threads, comments, reactions, status", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const [adas, bobs] = [ada, bob].map(({ store, room }) => new RoundtableThreadStore(store, room));
  assert.ok(adas && bobs);
  const told: number[] = [];
  t.after(bobs.subscribe((threads) => told.push(threads.size)));

  const made = await adas.createThread({ initialComment: { body: body("Really?") }, metadata: { page: 1 } });
  assert.equal(made.type, "thread");
  assert.deepEqual(
    [made.comments.length, made.comments[0]?.userId, made.comments[0]?.body, made.resolved, made.metadata],
    [1, "ada", body("Really?"), false, { page: 1 }],
  );
  assert.equal(adas.getThread(made.id), adas.getThreads().get(made.id));
  assert.throws(() => adas.getThread("none"), /no such thread/);

  await eventually("Bob is told", () => told.includes(1));
  const answer = await bobs.addComment({ comment: { body: body("Yes, {{ada}}.") }, threadId: made.id });
  assert.deepEqual([answer.type, answer.userId, answer.body], ["comment", "bob", body("Yes, {{ada}}.")]);
  // What BlockNote asks for next may be about the comment that is not stored yet.
  await bobs.addReaction({ threadId: made.id, commentId: answer.id, emoji: "🎉" });
  await bobs.updateComment({ threadId: made.id, commentId: answer.id, comment: { body: body("Yes!") } });
  await eventually("Ada sees it", () => {
    const [, second] = adas.getThread(made.id).comments;
    return second?.reactions[0]?.emoji === "🎉" && isDeepStrictEqual(second.body, body("Yes!"));
  });
  const [, second] = adas.getThread(made.id).comments;
  assert.ok(second && Number(second.id) > 0 && second.createdAt instanceof Date);
  assert.deepEqual(
    second.reactions.map(({ userIds }) => userIds),
    [["bob"]],
  );
  await bobs.deleteReaction({ threadId: made.id, commentId: second.id, emoji: "🎉" });
  await eventually("the reaction is gone", () => adas.getThread(made.id).comments[1]?.reactions.length === 0);

  await adas.resolveThread({ threadId: made.id });
  assert.equal(adas.getThread(made.id).resolved, true);
  await eventually("it is resolved", () => bobs.getThread(made.id).resolvedBy === "ada");
  await bobs.unresolveThread({ threadId: made.id });
  await eventually("it is open", () => !adas.getThread(made.id).resolved);
  await bobs.deleteComment({ threadId: made.id, commentId: second.id });
  await eventually("the answer is gone", () => adas.getThread(made.id).comments.length === 1);
  assert.equal(adas.getThreads(), adas.getThreads());
  await adas.deleteThread({ threadId: made.id });
  await eventually("the thread is gone", () => !bobs.getThreads().has(made.id));
  assert.deepEqual([ada.store.sync.get(), bob.store.sync.get()], Array(2).fill({ pending: 0, failed: [] }));
});

test("comments from elsewhere have a body, and those from here a text with mentions", async (t) => {
  const team = await Team.make(t);
  const commentData = [{ from: { userId: "bob" }, commentText: "Hello {{ada}},\nwelcome" }];
  await team.admin.comments.annotationsAdd({
    organizationId,
    documentId,
    commentAnnotations: [{ annotationId: "t", commentData }],
  });
  const { store, room } = await team.room("ada");
  await store.users.find(["ada"]);
  const threads = new RoundtableThreadStore(store, room);
  const lines = threads.getThread("t").comments[0]?.body as { content: { text: string }[] }[];
  assert.deepEqual(
    lines.map(({ content }) => content[0]?.text),
    ["Hello @Ada,", "welcome"],
  );

  const mention = { type: "mention", props: { userId: "bob" } };
  const rich = [
    {
      type: "paragraph",
      content: [
        { type: "text", text: "Hi " },
        mention,
        { type: "link", href: "/", content: [{ type: "text", text: " here" }] },
      ],
    },
  ];
  await threads.addComment({ comment: { body: rich }, threadId: "t" });
  await eventually("it is stored", () => store.sync.get().pending === 0);
  const { data } = await team.admin.comments.get({ organizationId, documentId, annotationId: "t" });
  assert.deepEqual([data[1]?.commentText, data[1]?.to.map(({ userId }) => userId)], ["Hi {{bob}} here", ["bob"]]);
});

test("BlockNote's list knows who resolved a thread, and has none without comments", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  const made = ["t", "empty"].map((id) => bob.room.createThread({ id, comment: { text: "One" } }));
  await Promise.all(made.map(({ sent }) => sent));
  const [comment] = bob.room.threads.get().threads.get("empty")?.comments ?? [];
  await bob.room.deleteComment("empty", comment?.commentId ?? 0);
  await bob.room.resolveThread("t");
  const { store, room } = await team.room("ada", { resolveUsers: () => sleep(50).then(() => [{ id: "bob", name: "Bo" }]) });
  const threads = new RoundtableThreadStore(store, room);
  assert.deepEqual([[...threads.getThreads().keys()], threads.getThread("t").resolvedBy], [["t"], "bob"]);
  const name = () => userStoreOf(store).getUser("bob")?.username;
  assert.equal(name(), "Bob");
  await eventually("the application names them", () => name() === "Bo");
  await bob.room.reopenThread("t");
  const cy = await team.room("cy");
  const later = new RoundtableThreadStore(cy.store, cy.room);
  t.after(later.subscribe(() => {}));
  await bob.room.resolveThread("t");
  await eventually("it is resolved", () => later.getThread("t").resolved);
  assert.ok(userStoreOf(cy.store).getUser("bob"));
});

test("rights decide what is offered", async (t) => {
  const team = await Team.make(t);
  const thread = (userId: string) =>
    ({ comments: [{ userId, reactions: [{ emoji: "🎉", userIds: ["cy"] }] }] }) as never;
  const comment = (userId: string) => ({ userId, reactions: [{ emoji: "🎉", userIds: ["cy"] }] }) as never;
  const offered = (role: "viewer" | "commenter" | "editor"): boolean[] => {
    const store = team.store("cy", { role });
    const { auth } = new RoundtableThreadStore(store, store.room(documentId));
    return [
      auth.canCreateThread(),
      auth.canAddComment(thread("ada")),
      auth.canUpdateComment(comment("cy")),
      auth.canUpdateComment(comment("ada")),
      auth.canDeleteComment(comment("cy")),
      auth.canDeleteComment(comment("ada")),
      auth.canResolveThread(thread("ada")),
      auth.canResolveThread(thread("cy")),
      auth.canAddReaction(comment("ada"), "👍"),
      auth.canAddReaction(comment("ada"), "🎉"),
      auth.canDeleteReaction(comment("ada"), "🎉"),
      auth.canDeleteThread(thread("cy")),
      auth.canDeleteThread(thread("ada")),
    ];
  };
  const [no, yes] = [false, true];
  assert.deepEqual(offered("viewer"), Array(13).fill(no));
  assert.deepEqual(offered("commenter"), [yes, yes, yes, no, yes, no, no, yes, yes, no, yes, yes, no]);
  assert.deepEqual(offered("editor"), [yes, yes, yes, no, yes, no, yes, yes, yes, no, yes, yes, no]);
});

test("an editor of a room: shared, with comments, and a view of it writes nothing", async (t) => {
  const team = await Team.make(t);
  const editors = new Map<string, ReturnType<typeof useRoundtableBlockNote>>();
  const mayWriteAtFirst: boolean[] = [];
  function Page({ name }: { name: string }): ReactNode {
    const editor = useRoundtableBlockNote({ user: { name, color: "#2a55d6" } });
    useEffect(() => {
      editor.mount(document.body.appendChild(document.createElement("div")));
      mayWriteAtFirst.push(editor.isEditable);
      editors.set(name, editor);
      return () => editor.unmount();
    }, [editor]);
    return null;
  }
  const root = page(t, () => roots.forEach((it) => it.unmount()));
  const roots: Root[] = [];
  const open = async (name: string, role: Role = "editor") => {
    let sockets = 0;
    const WebSocket = class extends Socket {
      constructor(url: string, protocols?: string[]) {
        super(url, protocols);
        sockets++;
      }
    };
    const store = team.store(name, { WebSocket, role });
    const made = createRoot(root.appendChild(document.createElement("div")));
    roots.push(made);
    flushSync(() =>
      made.render(
        <StrictMode>
          <Roundtable store={store}>
            <Room documentId={documentId} fallback="loading">
              <Page name={name} />
            </Room>
          </Roundtable>
        </StrictMode>,
      ),
    );
    await eventually("the editor is there", () => editors.has(name));
    const shared = sharedEditor(store, documentId, "body");
    await eventually("it has the document", () => shared.state.get().isSynced);
    await eventually("it may be written in", () => editors.get(name)?.isEditable ?? false);
    // What is written before would be a document beside that of the service.
    assert.equal(mayWriteAtFirst[0], false);
    // That of events, and that of the editor.
    assert.equal(sockets, 2);
    return {
      store,
      shared,
      editor: editors.get(name) ?? assert.fail(),
      text: () => shared.document.getXmlFragment("document-store").toString(),
    };
  };

  // Both begin apart, and nothing of either is hidden.
  const [ada, bobAtFirst] = [await open("ada"), await open("bob")];
  for (const { shared, editor } of [ada, bobAtFirst]) {
    void shared.provider.disconnect();
    editor.domElement?.dispatchEvent(new window.Event("focus"));
  }
  ada.editor.insertInlineContent("Ada was here.");
  bobAtFirst.editor.insertInlineContent("Bob was here.");
  for (const { shared } of [ada, bobAtFirst]) shared.provider.connect();
  const isWhole = (it: typeof ada) => /Ada was here\./.test(wordsOf(it)) && /Bob was here\./.test(wordsOf(it));
  const wordsOf = (it: typeof ada) => it.editor._tiptapEditor.getText();
  await eventually("both see both", () => isWhole(ada) && isWhole(bobAtFirst));
  roots.pop()?.unmount();
  editors.delete("bob");
  await eventually("all of Bob's is stored", () => bobAtFirst.store.sync.get().pending === 0);
  ada.editor.replaceBlocks(ada.editor.document, [{ type: "paragraph", content: "Hello from Ada" }]);
  const words = (from: number, to: number) => ada.editor._tiptapEditor.commands.setTextSelection({ from, to });
  words(3, 8);
  const comments = ada.editor.getExtension(CommentsExtension);
  await comments?.createThread({ initialComment: { body: body("Hello?") } });
  const threads = ada.store.room(documentId).threads;
  const [id = ""] = threads.get().threads.keys();
  assert.ok(ada.text().includes(id) && id !== "", ada.text());
  await eventually("all is stored", () => ada.store.sync.get().pending === 0);

  const updates: Uint8Array[] = [];
  ada.shared.document.on("update", (update: Uint8Array) => updates.push(update));
  const bob = await open("bob");
  assert.ok(bob.text().includes(id));
  const position = () => bob.editor.getExtension(CommentsExtension)?.store.state.threadPositions.get(id);
  await eventually("Bob's editor shows the thread", () => position() !== undefined);
  await sleep(500);
  assert.deepEqual([updates.length, bob.store.sync.get().pending], [0, 0]);

  // Who may not edit has the service mark the text.
  await team.allowAnchors("comment");
  const cy = await open("cy", "commenter");
  cy.editor._tiptapEditor.commands.setTextSelection({ from: 9, to: 13 });
  await cy.editor.getExtension(CommentsExtension)?.createThread({ initialComment: { body: body("From?") } });
  const theirs = [...cy.store.room(documentId).threads.get().threads.keys()].find((it) => it !== id) ?? "";
  assert.ok(!cy.text().includes(theirs));
  await eventually("the service has marked it", () => ada.text().includes(theirs));
  await eventually("its reply is there", () => cy.store.sync.get().pending === 0);
  assert.deepEqual(cy.store.sync.get().failed, []);
});
