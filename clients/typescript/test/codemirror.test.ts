import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { RoomStore } from "roundtable/store";
import { addComment, roundtableComments, selectThread, selectedThread, threadRanges } from "roundtable/codemirror";
import { yCollab } from "y-codemirror.next";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";

import { settled } from "./fake.js";
import { page } from "./page.js";
import { Team, documentId, eventually, silent } from "./team.js";

const TEXT = "Alpha beta gamma delta\nSecond with some words\nThird";

/** Somebody with an editor. */
class Peer {
  readonly document = new Y.Doc();
  readonly text = this.document.getText("content");
  readonly undoManager = new Y.UndoManager(this.text);
  readonly awareness = new Awareness(this.document);
  readonly view: EditorView;

  constructor(room: RoomStore, content?: Uint8Array) {
    if (content) Y.applyUpdate(this.document, content);
    const { text, awareness, undoManager } = this;
    const extensions = [
      yCollab(text, awareness, { undoManager }),
      roundtableComments({ room, text, editorId: "body" }),
    ];
    this.view = new EditorView({
      state: EditorState.create({ doc: text.toString(), extensions }),
      parent: document.body,
    });
  }

  end(): void {
    this.view.destroy();
    this.awareness.destroy();
  }

  at(text: string): number {
    const found = this.view.state.doc.toString().indexOf(text);
    assert.notEqual(found, -1);
    return found;
  }

  /** Replaces a text; an empty one stands before `before`. */
  replace(old: string, insert: string, before = ""): void {
    const from = old === "" ? this.at(before) : this.at(old);
    this.view.dispatch({ changes: { from, to: from + old.length, insert } });
  }

  after(text: string, insert: string): void {
    this.view.dispatch({ changes: { from: this.at(text) + text.length, insert } });
  }

  select(text: string): this {
    this.view.dispatch({ selection: { anchor: this.at(text), head: this.at(text) + text.length } });
    return this;
  }

  marked(threadId: string): string[] {
    return threadRanges(this.view)
      .filter((it) => it.threadId === threadId)
      .map(({ from, to }) => this.view.state.sliceDoc(from, to));
  }

  get decorated(): string[] {
    return [...this.view.dom.querySelectorAll("[class*=rt-comment--]")].map((it) => `${it.className}: ${it.textContent}`);
  }
}

class Pair {
  readonly room = silent().room("plan");
  readonly ada: Peer;
  readonly bob: Peer;

  constructor(t: TestContext) {
    page(t, () => [this.ada, this.bob].forEach((it) => it.end()));
    const first = new Y.Doc();
    first.getText("content").insert(0, TEXT);
    const content = Y.encodeStateAsUpdate(first);
    this.ada = new Peer(this.room, content);
    this.bob = new Peer(this.room, content);
  }

  async thread(text: string): Promise<string> {
    const { thread } = addComment(this.ada.select(text).view, { text: "?" });
    await settled();
    return thread.annotationId;
  }

  async sync(): Promise<void> {
    const [a, b] = [this.ada.document, this.bob.document];
    const [toB, toA] = [
      Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)),
      Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)),
    ];
    Y.applyUpdate(b, toB, "remote");
    Y.applyUpdate(a, toA, "remote");
    await settled();
  }
}

type Edit = (pair: Pair) => void;

/** Edits around a thread on `gamma`, and the text of its range afterwards. */
const EDITS: [what: string, edit: Edit, range: string[]][] = [
  ["Enter before it", ({ ada }) => ada.replace("", "\n", "beta"), ["gamma"]],
  ["Enter at its beginning", ({ ada }) => ada.replace("", "\n", "gamma"), ["gamma"]],
  ["Enter inside", ({ ada }) => ada.replace("", "\n", "mma"), ["ga\nmma"]],
  ["Enter at its end", ({ ada }) => ada.after("gamma", "\n"), ["gamma"]],
  ["Enter before it, by somebody else", ({ bob }) => bob.replace("", "\n", "beta"), ["gamma"]],
  ["typing before it", ({ ada }) => ada.replace("", "more ", "beta"), ["gamma"]],
  ["typing at its beginning", ({ ada }) => ada.replace("", "X", "gamma"), ["gamma"]],
  ["typing inside", ({ ada }) => ada.replace("", "X", "mma"), ["gaXmma"]],
  ["typing at its end", ({ ada }) => ada.after("gamma", "X"), ["gamma"]],
  ["typing inside, by somebody else", ({ bob }) => bob.replace("", "X", "mma"), ["gaXmma"]],
  ["deletion of a part", ({ ada }) => ada.replace("mma", ""), ["ga"]],
  ["deletion over its beginning", ({ ada }) => ada.replace("beta ga", ""), ["mma"]],
  ["deletion over its end", ({ ada }) => ada.replace("mma delta", ""), ["ga"]],
  ["deletion of all of it", ({ ada }) => ada.replace("gamma", ""), []],
  [
    "deletion and undo",
    ({ ada }) => {
      ada.undoManager.stopCapturing();
      ada.replace("gamma", "");
      ada.undoManager.undo();
    },
    ["gamma"],
  ],
  [
    "deletion of its line and undo",
    ({ ada }) => {
      ada.undoManager.stopCapturing();
      ada.replace("Alpha beta gamma delta\n", "");
      ada.undoManager.undo();
    },
    ["gamma"],
  ],
  ["joining with the next line", ({ ada }) => ada.replace("\nSecond", "Second"), ["gamma"]],
  ["pasting it twice", ({ ada }) => ada.after("Third", "gammagamma"), ["gamma"]],
  [
    "moving its line to the end",
    ({ ada }) => {
      ada.replace("Alpha beta gamma delta\n", "");
      ada.after("Third", "\nAlpha beta gamma delta");
    },
    ["gamma"],
  ],
  ["replacement of it by another word", ({ ada }) => ada.replace("gamma", "epsilon"), []],
  [
    "typing by both at the same time",
    ({ ada, bob }) => {
      ada.replace("", "one ", "beta");
      bob.replace("", "X", "mma");
    },
    ["gaXmma"],
  ],
  [
    "deletion by one and typing inside by the other at the same time",
    ({ ada, bob }) => {
      ada.replace("gamma", "");
      bob.replace("", "X", "mma");
    },
    ["X"],
  ],
];

for (const [what, edit, range] of EDITS) {
  test(`a range: ${what}`, async (t) => {
    const pair = new Pair(t);
    const id = await pair.thread("gamma");
    edit(pair);
    await pair.sync();
    assert.deepEqual([pair.ada.marked(id), pair.bob.marked(id)], [range, range]);
    assert.equal(pair.ada.text.toString(), pair.bob.view.state.doc.toString());
  });
}

test("the state of a thread is on the screen alone", async (t) => {
  const pair = new Pair(t);
  const [one, two] = [await pair.thread("beta gamma"), await pair.thread("gamma delta")];
  const updates: unknown[] = [];
  pair.ada.document.on("update", (update: Uint8Array) => updates.push(update));
  assert.ok(pair.ada.decorated.every((it) => it.includes("rt-comment--open") && it.includes("rt-comment--pending")));
  // The stylesheet lays out comments of lists with the class `rt-comment`.
  assert.ok(!pair.ada.decorated.some((it) => /\brt-comment(?!--)/.test(it)));
  void pair.room.resolveThread(one);
  assert.deepEqual([selectThread(pair.ada.view, two), selectThread(pair.ada.view, "none")], [true, false]);
  await settled();
  assert.equal(selectedThread(pair.ada.view), two);
  assert.ok(pair.ada.decorated.some((it) => it.includes("rt-comment--resolved")));
  assert.ok(pair.ada.decorated.some((it) => it.includes("rt-comment--selected")));
  assert.ok(!pair.bob.decorated.some((it) => it.includes("rt-comment--selected")));
  assert.deepEqual(updates, []);
  pair.ada.view.dispatch({ selection: { anchor: 3 } });
  assert.throws(() => addComment(pair.ada.view, { text: "?" }), /No text is selected/);
});

test("a thread on a text comes to the editor of others", async (t) => {
  const team = await Team.make(t);
  const [ada, bob] = [await team.room("ada"), await team.room("bob")];
  const peers: Peer[] = [];
  page(t, () => peers.forEach((it) => it.end()));
  const first = new Y.Doc();
  first.getText("content").insert(0, TEXT);
  const [adas, bobs] = [ada, bob].map(({ room }) => new Peer(room, Y.encodeStateAsUpdate(first)));
  assert.ok(adas && bobs);
  peers.push(adas, bobs);
  const { thread, sent } = addComment(adas.select("gamma").view, { text: "Really?" });
  await sent;
  await eventually("Bob sees it", () => bobs.marked(thread.annotationId)[0] === "gamma");
  await bob.room.resolveThread(thread.annotationId);
  await eventually("Ada sees it resolved", () => adas.decorated.some((it) => it.includes("rt-comment--resolved")));
  assert.equal(ada.room.address.documentId, documentId);
});
