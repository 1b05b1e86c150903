// What editors write and what the service reads of it, and the other way round: the real packages of
// editors, each kind of content that they have, in both directions. Prints the table of docs/contract/editors.md.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { JSDOM } from "jsdom";
import * as Y from "yjs";

import { Service, Tenant, eventually } from "./service.mjs";

const { window } = new JSDOM("<!doctype html><main></main>", { pretendToBeVisual: true, url: "http://127.0.0.1/" });
for (const name of Object.getOwnPropertyNames(window)) {
  if (!(name in globalThis)) globalThis[name] = window[name];
}
for (const name of ["navigator", "MutationObserver", "Event", "CustomEvent"]) {
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
}
const nowhere = { left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 };
window.Range.prototype.getClientRects = () => [];
window.Range.prototype.getBoundingClientRect = () => nowhere;
window.document.elementFromPoint = () => null;

const place = () => document.body.appendChild(document.createElement("div"));
const awareness = () => ({ on() {}, off() {}, getLocalState: () => ({}), getStates: () => new Map(), setLocalState() {}, setLocalStateField() {} });

/** Nodes of ProseMirror, by the names of a schema. */
const nodes = (name) => {
  const text = (text, ...marks) => ({ type: "text", text, ...(marks.length > 0 && { marks }) });
  const of = (type, content, attrs) => ({ type: name[type] ?? type, ...(attrs && { attrs }), ...(content.length > 0 && { content }) });
  const paragraph = (...content) => of("paragraph", content);
  const mark = (type, attrs) => ({ type: name[type] ?? type, ...(attrs && { attrs }) });
  return {
    paragraph: [paragraph(text("alpha beta gamma"))],
    heading: [of("heading", [text("alpha beta gamma")], { level: 2 })],
    marks: [paragraph(text("alpha "), text("beta", mark("bold")), text(" gam", mark("italic")), text("ma", mark("bold"), mark("italic")))],
    link: [paragraph(text("alpha "), text("beta", mark("link", { href: "https://example.com/?a=1&b=2" })), text(" gamma"))],
    list: [of("bulletList", [of("listItem", [paragraph(text("alpha beta"))]), of("listItem", [paragraph(text("gamma"))])])],
    quote: [of("blockquote", [paragraph(text("alpha beta gamma"))])],
    code: [of("codeBlock", [text("alpha <b>beta</b>\n  & gamma")])],
    break: [paragraph(text("alpha"), of("hardBreak", []), text("beta gamma"))],
    rule: [paragraph(text("alpha beta")), of("horizontalRule", []), paragraph(text("gamma"))],
    emoji: [paragraph(text("alpha 👩‍👩‍👧 beta é gamma"))],
  };
};

async function proseMirror(document) {
  const { Schema } = await import("@tiptap/pm/model");
  const { schema: basic } = await import("prosemirror-schema-basic");
  const { addListNodes } = await import("@tiptap/pm/schema-list");
  const { EditorState } = await import("@tiptap/pm/state");
  const { EditorView } = await import("@tiptap/pm/view");
  const { ySyncPlugin } = await import("y-prosemirror");
  const schema = new Schema({ nodes: addListNodes(basic.spec.nodes, "paragraph block*", "block"), marks: basic.spec.marks });
  const plugins = [ySyncPlugin(document.getXmlFragment("prosemirror"))];
  const view = new EditorView(place(), { state: EditorState.create({ schema, plugins }) });
  const name = { bold: "strong", italic: "em", bulletList: "bullet_list", listItem: "list_item", codeBlock: "code_block", hardBreak: "hard_break", horizontalRule: "horizontal_rule" };
  return {
    contents: nodes(name),
    write: (content) => view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, content.map((it) => schema.nodeFromJSON(it)))),
    read: () => view.state.doc.toJSON(),
    end: () => view.destroy(),
  };
}

async function tiptap(document) {
  const { Editor } = await import("@tiptap/core");
  const { default: Collaboration } = await import("@tiptap/extension-collaboration");
  const { default: StarterKit } = await import("@tiptap/starter-kit");
  const extensions = [StarterKit.configure({ undoRedo: false, trailingNode: false }), Collaboration.configure({ document })];
  const editor = new Editor({ element: place(), extensions });
  return {
    contents: nodes({}),
    write: (content) => editor.commands.setContent({ type: "doc", content }),
    read: () => editor.getJSON(),
    end: () => editor.destroy(),
  };
}

async function blockNote(document) {
  const { BlockNoteEditor } = await import("@blocknote/core");
  const { withCollaboration } = await import("@blocknote/core/yjs");
  const collaboration = { provider: { awareness: awareness() }, fragment: document.getXmlFragment("document-store"), user: { name: "Ada", color: "#2a55d6" } };
  const editor = BlockNoteEditor.create(withCollaboration({ collaboration }));
  editor.mount(place());
  const text = (text, styles = {}) => ({ type: "text", text, styles });
  return {
    contents: {
      paragraph: [{ type: "paragraph", content: "alpha beta gamma" }],
      heading: [{ type: "heading", props: { level: 2 }, content: "alpha beta gamma" }],
      marks: [{ type: "paragraph", content: [text("alpha "), text("beta", { bold: true }), text(" gam", { italic: true, textColor: "red" }), text("ma", { bold: true, italic: true })] }],
      link: [{ type: "paragraph", content: [text("alpha "), { type: "link", href: "https://example.com/?a=1&b=2", content: "beta" }, text(" gamma")] }],
      list: [{ type: "bulletListItem", content: "alpha beta", children: [{ type: "checkListItem", props: { checked: true }, content: "gamma" }] }],
      quote: [{ type: "quote", content: "alpha beta gamma" }],
      code: [{ type: "codeBlock", content: "alpha <b>beta</b>\n  & gamma" }],
      break: [{ type: "paragraph", content: "alpha\nbeta gamma" }],
      image: [{ type: "paragraph", content: "alpha" }, { type: "image", props: { url: "https://example.com/a.png", caption: "beta gamma" } }],
      table: [{ type: "table", content: { type: "tableContent", rows: [{ cells: ["alpha", "beta"] }, { cells: ["gamma", ""] }] } }],
      emoji: [{ type: "paragraph", content: "alpha 👩‍👩‍👧 beta é gamma" }],
    },
    write: (content) => editor.replaceBlocks(editor.document, content),
    read: () => editor.document,
    end: () => editor.unmount(),
  };
}

async function lexical(document) {
  const lexical = await import("lexical");
  const { createHeadlessEditor } = await import("@lexical/headless");
  const { HeadingNode, QuoteNode, $createHeadingNode, $createQuoteNode } = await import("@lexical/rich-text");
  const { LinkNode, $createLinkNode } = await import("@lexical/link");
  const { ListNode, ListItemNode, $createListNode, $createListItemNode } = await import("@lexical/list");
  const { createBinding, syncLexicalUpdateToYjs, syncYjsChangesToLexical } = await import("@lexical/yjs");
  const { $createParagraphNode: $paragraph, $createTextNode: $text, $createLineBreakNode, $getRoot } = lexical;
  const editor = createHeadlessEditor({ nodes: [HeadingNode, QuoteNode, LinkNode, ListNode, ListItemNode], onError: (error) => { throw error; } });
  const provider = { awareness: awareness(), on() {}, off() {}, connect() {}, disconnect() {} };
  const binding = createBinding(editor, provider, "main", document, new Map([["main", document]]));
  editor.registerUpdateListener(({ prevEditorState, editorState, dirtyElements, dirtyLeaves, normalizedNodes, tags }) => {
    if (!tags.has("skip-collab")) syncLexicalUpdateToYjs(binding, provider, prevEditorState, editorState, dirtyElements, dirtyLeaves, normalizedNodes, tags);
  });
  binding.root.getSharedType().observeDeep((events, transaction) => transaction.origin !== binding && syncYjsChangesToLexical(binding, provider, events, false));
  const written = (...children) => () => children.map((make) => make());
  const p = (...children) => () => $paragraph().append(...children.map((make) => make()));
  const t = (text, ...formats) => () => formats.reduce((node, format) => node.toggleFormat(format), $text(text));
  return {
    contents: {
      paragraph: written(p(t("alpha beta gamma"))),
      heading: written(() => $createHeadingNode("h2").append($text("alpha beta gamma"))),
      marks: written(p(t("alpha "), t("beta", "bold"), t(" gam", "italic"), t("ma", "bold", "italic"))),
      link: written(p(t("alpha "), () => $createLinkNode("https://example.com/?a=1&b=2").append($text("beta")), t(" gamma"))),
      list: written(() => $createListNode("bullet").append($createListItemNode().append($text("alpha beta")), $createListItemNode().append($text("gamma")))),
      quote: written(() => $createQuoteNode().append($text("alpha beta gamma"))),
      break: written(p(t("alpha"), $createLineBreakNode, t("beta gamma"))),
      emoji: written(p(t("alpha 👩‍👩‍👧 beta é gamma"))),
    },
    write: (content) => editor.update(() => $getRoot().clear().append(...content()), { discrete: true }),
    read: () => editor.getEditorState().toJSON(),
    end() {},
    isNested: true,
  };
}

async function quill(document) {
  const { default: Quill } = await import("quill");
  const { QuillBinding } = await import("y-quill");
  const editor = new Quill(place(), { theme: "default" });
  const binding = new QuillBinding(document.getText("quill"), editor);
  return {
    contents: {
      paragraph: [{ insert: "alpha beta gamma\n" }],
      heading: [{ insert: "alpha beta gamma" }, { insert: "\n", attributes: { header: 2 } }],
      marks: [{ insert: "alpha " }, { insert: "beta", attributes: { bold: true } }, { insert: " gamma", attributes: { italic: true } }, { insert: "\n" }],
      link: [{ insert: "alpha " }, { insert: "beta", attributes: { link: "https://example.com/?a=1&b=2" } }, { insert: " gamma\n" }],
      list: [{ insert: "alpha beta" }, { insert: "\n", attributes: { list: "bullet" } }, { insert: "gamma" }, { insert: "\n", attributes: { list: "checked" } }],
      quote: [{ insert: "alpha beta gamma" }, { insert: "\n", attributes: { blockquote: true } }],
      code: [{ insert: "alpha <b>beta</b>" }, { insert: "\n", attributes: { "code-block": "plain" } }, { insert: "  & gamma" }, { insert: "\n", attributes: { "code-block": "plain" } }],
      image: [{ insert: "alpha " }, { insert: { image: "https://example.com/a.png" } }, { insert: " beta gamma\n" }],
      emoji: [{ insert: "alpha 👩‍👩‍👧 beta é gamma\n" }],
    },
    write: (content) => editor.setContents(content, "user"),
    read: () => editor.getContents().ops,
    end: () => binding.destroy(),
  };
}

async function codeMirror(document) {
  const { EditorState } = await import("@codemirror/state");
  const { EditorView } = await import("@codemirror/view");
  const { yCollab } = await import("y-codemirror.next");
  const text = document.getText("content");
  const { Awareness } = await import("y-protocols/awareness");
  const view = new EditorView({ parent: place(), state: EditorState.create({ extensions: [yCollab(text, new Awareness(document))] }) });
  return {
    contents: {
      paragraph: "alpha beta gamma",
      code: "alpha <b>beta</b>\n\t  & gamma\n",
      emoji: "alpha 👩‍👩‍👧 beta é gamma",
    },
    write: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    read: () => view.state.doc.toString(),
    end: () => view.destroy(),
  };
}

const EDITORS = { ProseMirror: proseMirror, Tiptap: tiptap, BlockNote: blockNote, Lexical: lexical, Quill: quill, CodeMirror: codeMirror };

const service = await new Service().start();
const tenant = await Tenant.make(service);
const hooks = new Map();
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const { crdtData } = JSON.parse(body);
  if (crdtData) hooks.set(crdtData.id, crdtData.data);
  response.end();
}).listen(0, "127.0.0.1");
await eventually("the receiver listens", () => receiver.address());
const rawNotificationUrl = `http://127.0.0.1:${receiver.address().port}/`;
const webhooks = { useWebhookService: true, webhookServiceConfig: { rawNotificationUrl, triggers: { crdt: { updateData: true } } } };
await tenant.call("/v2/workspace/webhookconfig/update", webhooks);

const get = async (editor) => (await tenant.call("/v2/crdt/get", editor)).data[0];
const pull = async (document, editor) => {
  const { update } = await tenant.state(editor);
  Y.applyUpdate(document, new Uint8Array(Buffer.from(update, "base64")), "service");
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

/** What is wrong with one kind of content in one editor, for each direction. */
async function tried(open, kind, editorId) {
  const editor = { ...tenant.document, editorId };
  const document = new Y.Doc();
  const { contents, write, read, end, isNested } = await open(document);
  write(contents[kind]);
  await settled();
  const updates = [Buffer.from(Y.encodeStateAsUpdate(document)).toString("base64")];
  const wrong = { read: "", same: "", word: "" };
  const [contentKey, shared] = [...document.share].find(([, shared]) => shared._start) ?? [];
  const type = shared?.constructor === Y.Text ? "text" : "xml";
  await tenant.call("/v2/crdt/updates/add", { ...editor, updates, type, contentKey });
  const { data } = await get(editor);
  const words = ["alpha", "beta", "gamma"];
  // What is beside the text, such as the caption of a picture, is in attributes.
  const readings = [data.replace(/<[^>]*>/g, ""), data];
  const missing = words.filter((word) => !readings.some((text) => text.includes(word)));
  if (missing.length > 0) wrong.read = `${missing} missing in ${data}`;
  const change = (data) => tenant.call("/v2/crdt/update", { ...editor, type, data });
  const hash = async () => (await tenant.state(editor)).stateHash;
  const before = await hash();
  const refused = await change(data).then(() => "", (error) => error.message);
  if (refused && !isNested) wrong.same = refused;
  else if ((await hash()) !== before) wrong.same = `changed ${data} to ${(await get(editor)).data}`;
  if (isNested) {
    wrong.word = await change(data.replace("beta", "delta")).then(() => "accepted", (error) => (error.message.includes("nested text") ? "" : error.message));
  } else {
    await pull(document, editor);
    await settled();
    const was = JSON.stringify(read());
    await change(data.replace("beta", "delta")).catch((error) => (wrong.word = error.message));
    await pull(document, editor);
    await settled();
    const is = JSON.stringify(read());
    if (!was.includes("beta")) wrong.word ||= `the editor shows ${was}`;
    if (is !== was.replace("beta", "delta")) wrong.word ||= `${was} became ${is}`;
    const { data: after } = await get(editor);
    if (after !== data.replace("beta", "delta")) wrong.word ||= `${data} became ${after}`;
  }
  end();
  return { wrong, isNested };
}

const kinds = [];
const table = {};
const failures = [];
for (const [name, open] of Object.entries(EDITORS)) {
  const { contents, end } = await open(new Y.Doc());
  end();
  table[name] = {};
  for (const kind of Object.keys(contents)) {
    if (!kinds.includes(kind)) kinds.push(kind);
    const { wrong, isNested } = await tried(open, kind, `${name}-${kind}`);
    if (process.env.VERBOSE) console.error(name, kind, wrong);
    for (const [what, why] of Object.entries(wrong)) if (why) failures.push(`${name}, ${kind}, ${what}: ${why}`);
    const mark = (what) => (wrong[what] ? "no" : "yes");
    table[name][kind] = isNested ? `${mark("read")} / refused / refused` : `${mark("read")} / ${mark("same")} / ${mark("word")}`;
  }
}
for (const [name, row] of Object.entries(table)) {
  for (const kind of Object.keys(row)) {
    const editor = { ...tenant.document, editorId: `${name}-${kind}` };
    await eventually(`the webhook of ${editor.editorId} has its content`, async () => hooks.get(editor.editorId) === (await get(editor)).data, 60)
      .catch((error) => failures.push(`${error.message} ${hooks.get(editor.editorId)}`));
  }
}
console.log(`| | ${Object.keys(table).join(" | ")} |\n|---|${"---|".repeat(Object.keys(table).length)}`);
for (const kind of kinds) console.log(`| ${kind} | ${Object.values(table).map((row) => row[kind] ?? "").join(" | ")} |`);
for (const failure of failures) console.log(failure);
receiver.close();
await service.end();
assert.deepEqual(failures, []);
process.exit(0);
