import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import StarterKit from "@tiptap/starter-kit";
import type { RoomStore } from "roundtable/store";
import {
  RoundtableComments,
  type RoundtableCommentsOptions,
  addComment,
  selectedThread,
  threadRanges,
} from "roundtable/tiptap";
import * as Y from "yjs";

import { page } from "./page.js";
import { Team, documentId, eventually, silent } from "./team.js";

/** Somebody with an editor. */
class Peer {
  readonly document = new Y.Doc();
  readonly editor: Editor;

  constructor(
    readonly room: RoomStore,
    content?: Uint8Array,
    options: Partial<RoundtableCommentsOptions> = {},
  ) {
    if (content) Y.applyUpdate(this.document, content);
    this.editor = new Editor({
      element: document.createElement("div"),
      extensions: [
        StarterKit.configure({ undoRedo: false }),
        Collaboration.configure({ document: this.document }),
        RoundtableComments.configure({ room, ...options }),
      ],
    });
  }

  /** The position of a text; of its end with `end`. */
  at(text: string, end = false): number {
    let found = -1;
    this.editor.state.doc.descendants((node, position) => {
      const index = node.isTextblock ? node.textContent.indexOf(text) : -1;
      if (found < 0 && index >= 0) found = position + 1 + index + (end ? text.length : 0);
    });
    assert.notEqual(found, -1, `There is no ${text} in ${this.editor.getText()}`);
    return found;
  }

  select(text: string): this {
    this.editor.commands.setTextSelection({ from: this.at(text), to: this.at(text, true) });
    return this;
  }

  cursor(text: string, end = false): this {
    this.editor.commands.setTextSelection(this.at(text, end));
    return this;
  }

  type(text: string): void {
    // What a browser does with a key: the text takes the marks of the cursor.
    const { state, view } = this.editor;
    view.dispatch(state.tr.insertText(text));
  }

  /** The texts of a thread's ranges. */
  marked(threadId: string): string[] {
    const { state } = this.editor;
    return threadRanges(state)
      .filter((it) => it.threadId === threadId)
      .map(({ from, to }) => state.doc.textBetween(from, to, "/"));
  }

  get undoManager(): Y.UndoManager {
    const { state } = this.editor;
    const plugin = state.plugins.find((it) => (it as unknown as { key: string }).key.startsWith("y-undo$"));
    return (plugin?.getState(state) as { undoManager: Y.UndoManager }).undoManager;
  }

  get decorated(): string[] {
    return [...this.editor.view.dom.querySelectorAll("[class*=rt-comment--]")].map((it) => `${it.className}: ${it.textContent}`);
  }
}

/** Two people whose documents are the same after `sync`. */
class Pair {
  readonly room = silent().room("plan");
  readonly ada: Peer;
  readonly bob: Peer;
  readonly #others: Peer[] = [];

  constructor(t: TestContext, options: Partial<RoundtableCommentsOptions> = {}) {
    page(t, () => [this.ada, this.bob, ...this.#others].forEach(({ editor }) => editor.destroy()));
    this.ada = new Peer(this.room, undefined, options);
    this.ada.editor.commands.setContent("<p>Alpha beta gamma delta</p><p>Second with some words</p><p>Third</p>");
    this.bob = new Peer(this.room, Y.encodeStateAsUpdate(this.ada.document), options);
  }

  /** Somebody with another room and a copy of the document. */
  stranger(documentId: string): Peer {
    const peer = new Peer(silent().room(documentId), Y.encodeStateAsUpdate(this.ada.document));
    this.#others.push(peer);
    return peer;
  }

  /** A thread on a text. */
  thread(text: string): string {
    const { thread } = addComment(this.ada.select(text).editor, { text: "?" });
    this.ada.editor.commands.setTextSelection(1);
    this.sync();
    // Undoing what follows undoes nothing before.
    this.ada.undoManager.stopCapturing();
    return thread.annotationId;
  }

  sync(): void {
    const [a, b] = [this.ada.document, this.bob.document];
    const [toB, toA] = [
      Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)),
      Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)),
    ];
    Y.applyUpdate(b, toB, "remote");
    Y.applyUpdate(a, toA, "remote");
  }
}

type Edit = (pair: Pair) => void;

/** Edits around a thread on `gamma`, and what is in its ranges afterwards: with a mark, and without one, here and there. */
const EDITS: [what: string, edit: Edit, marks: string[], location?: string[], theirs?: string[]][] = [
  ["Enter before it", ({ ada }) => void ada.cursor("beta").editor.commands.splitBlock(), ["gamma"]],
  ["Enter at its beginning", ({ ada }) => void ada.cursor("gamma").editor.commands.splitBlock(), ["gamma"]],
  ["Enter inside", ({ ada }) => void ada.cursor("mma").editor.commands.splitBlock(), ["ga", "mma"], ["ga/mma"], ["ga"]],
  ["Enter at its end", ({ ada }) => void ada.cursor("gamma", true).editor.commands.splitBlock(), ["gamma"]],
  ["Enter before it, by somebody else", ({ bob }) => void bob.cursor("beta").editor.commands.splitBlock(), ["gamma"]],
  ["typing before it", ({ ada }) => ada.cursor("beta").type("more "), ["gamma"]],
  ["typing at its beginning", ({ ada }) => ada.cursor("gamma").type("X"), ["gamma"]],
  ["typing inside", ({ ada }) => ada.cursor("mma").type("X"), ["gaXmma"]],
  ["typing at its end", ({ ada }) => ada.cursor("gamma", true).type("X"), ["gamma"]],
  ["deletion of a part", ({ ada }) => void ada.select("mma").editor.commands.deleteSelection(), ["ga"]],
  [
    "deletion over its beginning",
    ({ ada }) => void ada.select("beta ga").editor.commands.deleteSelection(),
    ["mma"],
    ["mma"],
  ],
  ["deletion of all of it", ({ ada }) => void ada.select("gamma").editor.commands.deleteSelection(), []],
  [
    "deletion and undo",
    ({ ada }) => {
      ada.select("gamma").editor.commands.deleteSelection();
      ada.editor.commands.undo();
    },
    ["gamma"],
  ],
  [
    "deletion of its paragraph and undo",
    ({ ada }) => {
      ada.select("Alpha beta gamma delta").editor.commands.deleteSelection();
      ada.editor.commands.undo();
    },
    ["gamma"],
  ],
  ["joining with the next paragraph", ({ ada }) => void ada.cursor("Second").editor.commands.joinBackward(), ["gamma"]],
  [
    "a list around it, and none again",
    ({ ada }) => {
      ada.cursor("gamma").editor.commands.toggleBulletList();
      ada.editor.commands.liftListItem("listItem");
    },
    ["gamma"],
  ],
  ["a heading", ({ ada }) => void ada.cursor("gamma").editor.commands.toggleHeading({ level: 2 }), ["gamma"]],
  ["bold text over its end", ({ ada }) => void ada.select("mma delta").editor.commands.toggleBold(), ["gamma"]],
  [
    "dragging it to the end",
    ({ ada }) => {
      const { state, view } = ada.select("gamma").editor;
      const slice = state.selection.content();
      const { tr } = state;
      tr.deleteSelection();
      tr.replace(tr.mapping.map(ada.at("Third", true)), undefined, slice);
      view.dispatch(tr);
    },
    ["gamma"],
    [],
  ],
  [
    "pasting it twice",
    ({ ada }) => {
      const slice = ada.select("gamma").editor.state.selection.content();
      for (let time = 0; time < 2; time++) {
        ada.cursor("Third", true);
        ada.editor.view.dispatch(ada.editor.state.tr.replaceSelection(slice));
      }
    },
    ["gamma", "gammagamma"],
    ["gamma"],
  ],
  [
    "typing by both at the same time",
    ({ ada, bob }) => {
      ada.cursor("beta").type("one ");
      bob.cursor("mma").type("X");
    },
    ["gaXmma"],
  ],
  [
    "Enter by one and typing by the other at the same time",
    ({ ada, bob }) => {
      ada.cursor("beta").editor.commands.splitBlock();
      bob.cursor("Alpha").type("The ");
    },
    ["gamma"],
  ],
];

for (const [what, edit, marks] of EDITS) {
  test(`a mark: ${what}`, async (t) => {
    const pair = new Pair(t);
    const id = pair.thread("gamma");
    edit(pair);
    pair.sync();
    await sleep(0);
    assert.deepEqual([pair.ada.marked(id), pair.bob.marked(id)], [marks, marks]);
    assert.equal(pair.ada.editor.getHTML(), pair.bob.editor.getHTML());
  });
}

for (const [what, edit, marks, location = marks, theirs = location] of EDITS) {
  test(`a place without a mark: ${what}`, async (t) => {
    const pair = new Pair(t, { marks: "nobody" });
    const id = pair.thread("gamma");
    await sleep(0);
    edit(pair);
    pair.sync();
    await sleep(0);
    await sleep(0);
    // Positions do not survive a split and its like: the words are found again, or nothing is shown.
    assert.deepEqual([pair.ada.marked(id), pair.bob.marked(id)], [location, theirs]);
  });
}

test("a place without a mark keeps its end, however long it is", async (t) => {
  const pair = new Pair(t, { marks: "nobody" });
  const long = Array.from({ length: 60 }, (_, number) => `word${number}`).join(" ");
  pair.ada.editor.commands.setContent(`<p>Before</p><p>${long}</p>`);
  pair.sync();
  const id = pair.thread(long);
  pair.bob.cursor("Before").type("Long ");
  pair.sync();
  await sleep(0);
  const late = new Peer(pair.room, Y.encodeStateAsUpdate(pair.ada.document), { marks: "nobody" });
  await sleep(0);
  await sleep(0);
  assert.deepEqual([pair.ada, pair.bob, late].map((it) => it.marked(id)), [[long], [long], [long]]);
  late.editor.destroy();
});

test("threads overlap, and the state of each is on the screen alone", async (t) => {
  const pair = new Pair(t);
  const [one, two] = [pair.thread("beta gamma"), pair.thread("gamma delta")];
  await sleep(0);
  for (const peer of [pair.ada, pair.bob])
    assert.deepEqual([peer.marked(one), peer.marked(two)], [["beta gamma"], ["gamma delta"]]);
  const before = Y.encodeStateVector(pair.ada.document);
  assert.ok(pair.ada.decorated.every((it) => it.includes("rt-comment--open") && it.includes("rt-comment--pending")));
  // The stylesheet lays out comments of lists with the class `rt-comment`.
  assert.ok(!pair.ada.decorated.some((it) => /\brt-comment(?!--)/.test(it)));
  void pair.room.resolveThread(one);
  assert.equal(pair.ada.editor.commands.selectThread(two), true);
  assert.equal(pair.ada.editor.commands.selectThread("none"), false);
  await sleep(0);
  assert.equal(selectedThread(pair.ada.editor.state), two);
  assert.ok(
    pair.ada.decorated.some((it) => it.includes("rt-comment--resolved") && it.endsWith("beta ")),
    pair.ada.decorated.join(),
  );
  assert.ok(pair.ada.decorated.some((it) => it.includes("rt-comment--selected") && it.endsWith("delta")));
  assert.ok(!pair.bob.decorated.some((it) => it.includes("rt-comment--selected")));
  pair.ada.editor.commands.selectThread(undefined);
  assert.deepEqual(
    [selectedThread(pair.ada.editor.state), Y.encodeStateVector(pair.ada.document)],
    [undefined, before],
  );
});

test("a view of a document with comments, known or not, writes nothing", async (t) => {
  const pair = new Pair(t);
  pair.thread("gamma");
  const stranger = pair.stranger("plan");
  const updates: unknown[] = [];
  stranger.document.on("update", (update: Uint8Array) => updates.push(update));
  await sleep(50);
  assert.deepEqual([stranger.decorated, updates], [[], []]);
});

test("what is copied to another document loses its comments", async (t) => {
  const pair = new Pair(t);
  const id = pair.thread("gamma");
  const other = pair.stranger("other");
  const html = `<p>a <span data-rt-thread="${id}">copy</span> of it</p>`;
  for (const [peer, marks] of [
    [pair.ada, 1],
    [other, 0],
  ] as const) {
    peer.editor.commands.setContent("<p></p>");
    peer.editor.view.pasteHTML(html, new Event("paste") as ClipboardEvent);
    assert.equal(peer.editor.getText(), "a copy of it");
    assert.equal(peer.editor.getHTML().split("data-rt-thread").length - 1, marks);
  }
});

test("nothing begins without a selection, and `can` changes nothing", async (t) => {
  const { ada, room } = new Pair(t);
  ada.editor.commands.setTextSelection(3);
  assert.equal(ada.editor.commands.addComment({ text: "?" }), false);
  assert.throws(() => addComment(ada.editor, { text: "?" }), /No text is selected/);
  ada.select("gamma");
  assert.equal(ada.editor.can().addComment({ text: "?" }), true);
  assert.equal(room.threads.get().threads.size, 0);
  assert.equal(ada.editor.commands.addComment({ id: "mine", text: "?" }), true);
  assert.deepEqual(
    [ada.marked("mine"), room.threads.get().threads.get("mine")?.location?.["quote"]],
    [["gamma"], "gamma"],
  );
});

test("a thread that the service refuses leaves no mark", async (t) => {
  const team = await Team.make(t);
  const cy = await team.room("cy", { role: "viewer" });
  page(t, () => peer.editor.destroy());
  const peer = new Peer(cy.room);
  peer.editor.commands.setContent("<p>Alpha beta</p>");
  const { thread, sent } = addComment(peer.select("beta").editor, { text: "?" });
  assert.deepEqual(peer.marked(thread.annotationId), ["beta"]);
  await assert.rejects(sent);
  await sleep(0);
  assert.deepEqual([peer.marked(thread.annotationId), peer.editor.getHTML()], [[], "<p>Alpha beta</p>"]);
});

test("a commenter's thread is marked by the service", async (t) => {
  const team = await Team.make(t);
  await team.allowAnchors("roundtableComment");
  const [ada, cy] = [await team.room("ada"), await team.room("cy", { role: "commenter" })];
  const { sharedEditor } = await import("../dist/editors/shared.js");
  const [adas, cys] = [ada, cy].map(({ store }) => sharedEditor(store, documentId, "body"));
  assert.ok(adas && cys);
  for (const it of [adas, cys]) t.after(it.enter());
  const peers: Editor[] = [];
  page(t, () => peers.forEach((it) => it.destroy()));
  const open = (shared: typeof adas, room: RoomStore, marks: "editor" | "service") => {
    const extensions = [
      StarterKit.configure({ undoRedo: false }),
      Collaboration.configure({ document: shared.document }),
      RoundtableComments.configure({ room, marks }),
    ];
    const editor = new Editor({ element: document.createElement("div"), extensions, editable: marks === "editor" });
    peers.push(editor);
    return editor;
  };
  const editor = open(adas, ada.room, "editor");
  await eventually("Ada has the document", () => adas.state.get().isSynced);
  editor.commands.setContent("<p>Alpha beta</p>");
  await eventually("Cy has it", () => cys.document.getXmlFragment("default").toString().includes("beta"));
  const theirs = open(cys, cy.room, "service");
  await sleep(20);
  theirs.commands.setTextSelection({ from: 7, to: 11 });
  const { thread, sent } = addComment(theirs, { text: "?" });
  assert.ok(!theirs.getHTML().includes(thread.annotationId));
  await sent;
  await eventually("the mark is there", () =>
    editor.getHTML().includes(`data-rt-thread="${thread.annotationId}">beta</span>`),
  );
  assert.equal(cys.state.get().unsynced, 0);
});
