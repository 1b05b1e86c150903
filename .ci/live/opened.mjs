// Editors, opened on a Yjs document by their real packages, and each kind of content that they have.
// `write` replaces the content by blocks, `read` shows the blocks; `depth` is that of blocks in XML.
import { JSDOM } from "jsdom";
import * as Y from "yjs";

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

const LINK = "https://example.com/?a=1&b=2";
const PICTURE = "https://example.com/a.png";
const EMOJI = "alpha 👩‍👩‍👧 beta é gamma";

/** Nodes of ProseMirror, by the names of a schema. */
const nodes = (name, imageIn = (image) => image) => {
  const text = (text, ...marks) => ({ type: "text", text, ...(marks.length > 0 && { marks }) });
  const of = (type, content, attrs) => ({ type: name[type] ?? type, ...(attrs && { attrs }), ...(content.length > 0 && { content }) });
  const paragraph = (...content) => of("paragraph", content);
  const mark = (type, attrs) => ({ type: name[type] ?? type, ...(attrs && { attrs }) });
  const cell = (type, words, attrs) => of(type, [paragraph(...(words ? [text(words)] : []))], { colspan: 1, rowspan: 1, colwidth: null, ...attrs });
  return {
    edge: (words) => [paragraph(text(words))],
    paragraph: [paragraph(text("alpha beta gamma"))],
    heading: [of("heading", [text("alpha beta gamma")], { level: 2 })],
    marks: [paragraph(text("alpha "), text("beta", mark("bold")), text(" gam", mark("italic")), text("ma", mark("bold"), mark("italic")))],
    link: [paragraph(text("alpha "), text("beta", mark("link", { href: LINK })), text(" gamma"))],
    list: [of("bulletList", [of("listItem", [paragraph(text("alpha beta"))]), of("listItem", [paragraph(text("gamma"))])])],
    task: [of("taskList", [of("taskItem", [paragraph(text("alpha beta"))], { checked: true }), of("taskItem", [paragraph(text("gamma"))], { checked: false })])],
    quote: [of("blockquote", [paragraph(text("alpha beta gamma"))])],
    code: [of("codeBlock", [text("alpha <b>beta</b>\n  & gamma")])],
    break: [paragraph(text("alpha"), of("hardBreak", []), text("beta gamma"))],
    rule: [paragraph(text("alpha beta")), of("horizontalRule", []), paragraph(text("gamma"))],
    image: [paragraph(text("alpha")), imageIn(of("image", [], { src: PICTURE, alt: "beta", title: "gamma" }), paragraph)],
    table: [
      of("table", [
        of("tableRow", [cell("tableHeader", "alpha", { colwidth: [120] }), cell("tableHeader", "beta")]),
        of("tableRow", [cell("tableCell", "gamma"), cell("tableCell", "")]),
        of("tableRow", [cell("tableCell", "omega", { colspan: 2 })]),
      ]),
    ],
    mention: [paragraph(text("alpha "), of("mention", [], { id: "beta", label: "gamma" }), text(" omega"))],
    emoji: [paragraph(text(EMOJI))],
  };
};

async function proseMirror(document) {
  const { Schema } = await import("@tiptap/pm/model");
  const { schema: basic } = await import("prosemirror-schema-basic");
  const { addListNodes } = await import("@tiptap/pm/schema-list");
  const { tableNodes } = await import("@tiptap/pm/tables");
  const { EditorState } = await import("@tiptap/pm/state");
  const { EditorView } = await import("@tiptap/pm/view");
  const { ySyncPlugin } = await import("y-prosemirror");
  // No package has these two: each application writes its own.
  const own = {
    task_list: { content: "task_item+", group: "block", toDOM: () => ["ul", 0] },
    task_item: { content: "paragraph block*", attrs: { checked: { default: false } }, toDOM: () => ["li", 0] },
    mention: { inline: true, group: "inline", atom: true, attrs: { id: {}, label: { default: "" } }, toDOM: () => ["span"] },
  };
  const tables = tableNodes({ tableGroup: "block", cellContent: "block+", cellAttributes: {} });
  const all = addListNodes(basic.spec.nodes, "paragraph block*", "block").append(tables).append(own);
  const schema = new Schema({ nodes: all, marks: basic.spec.marks });
  const plugins = [ySyncPlugin(document.getXmlFragment("prosemirror"))];
  const view = new EditorView(place(), { state: EditorState.create({ schema, plugins }) });
  const name = {
    bold: "strong",
    italic: "em",
    bulletList: "bullet_list",
    listItem: "list_item",
    taskList: "task_list",
    taskItem: "task_item",
    codeBlock: "code_block",
    hardBreak: "hard_break",
    horizontalRule: "horizontal_rule",
    tableRow: "table_row",
    tableCell: "table_cell",
    tableHeader: "table_header",
  };
  return {
    contents: nodes(name, (image, paragraph) => paragraph(image)),
    write: (content) => view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, content.map((it) => schema.nodeFromJSON(it)))),
    read: () => view.state.doc.toJSON().content,
    end: () => view.destroy(),
  };
}

async function tiptap(document) {
  const { Editor } = await import("@tiptap/core");
  const { default: Collaboration } = await import("@tiptap/extension-collaboration");
  const { default: Image } = await import("@tiptap/extension-image");
  const { TaskItem, TaskList } = await import("@tiptap/extension-list");
  const { default: Mention } = await import("@tiptap/extension-mention");
  const { TableKit } = await import("@tiptap/extension-table");
  const { default: StarterKit } = await import("@tiptap/starter-kit");
  const starter = StarterKit.configure({ undoRedo: false, trailingNode: false });
  const extensions = [starter, Image, TaskList, TaskItem, Mention, TableKit, Collaboration.configure({ document })];
  const editor = new Editor({ element: place(), extensions });
  return {
    contents: nodes({}),
    write: (content) => editor.commands.setContent({ type: "doc", content }),
    read: () => editor.getJSON().content,
    end: () => editor.destroy(),
  };
}

async function blockNote(document) {
  const { BlockNoteEditor, BlockNoteSchema, createInlineContentSpec, defaultInlineContentSpecs } = await import("@blocknote/core");
  const { withCollaboration } = await import("@blocknote/core/yjs");
  const render = () => ({ dom: window.document.createElement("span") });
  const mention = createInlineContentSpec({ type: "mention", propSchema: { user: { default: "" } }, content: "none" }, { render });
  const schema = BlockNoteSchema.create({ inlineContentSpecs: { ...defaultInlineContentSpecs, mention } });
  const collaboration = { provider: { awareness: awareness() }, fragment: document.getXmlFragment("document-store"), user: { name: "Ada", color: "#2a55d6" } };
  const editor = BlockNoteEditor.create(withCollaboration({ schema, collaboration }));
  editor.mount(place());
  const text = (text, styles = {}) => ({ type: "text", text, styles });
  const item = (content, checked) => ({ type: "checkListItem", props: { checked }, content });
  return {
    contents: {
      edge: (content) => [{ type: "paragraph", content }],
      paragraph: [{ type: "paragraph", content: "alpha beta gamma" }],
      heading: [{ type: "heading", props: { level: 2 }, content: "alpha beta gamma" }],
      marks: [{ type: "paragraph", content: [text("alpha "), text("beta", { bold: true }), text(" gam", { italic: true, textColor: "red" }), text("ma", { bold: true, italic: true })] }],
      link: [{ type: "paragraph", content: [text("alpha "), { type: "link", href: LINK, content: "beta" }, text(" gamma")] }],
      list: [{ type: "bulletListItem", content: "alpha beta", children: [{ type: "numberedListItem", content: "gamma" }] }],
      task: [item("alpha beta", true), item("gamma", false)],
      quote: [{ type: "quote", content: "alpha beta gamma" }],
      code: [{ type: "codeBlock", content: "alpha <b>beta</b>\n  & gamma" }],
      break: [{ type: "paragraph", content: "alpha\nbeta gamma" }],
      rule: [{ type: "paragraph", content: "alpha beta" }, { type: "divider" }, { type: "paragraph", content: "gamma" }],
      image: [{ type: "paragraph", content: "alpha" }, { type: "image", props: { url: PICTURE, caption: "beta gamma" } }],
      table: [{ type: "table", content: { type: "tableContent", rows: [{ cells: ["alpha", "beta"] }, { cells: ["gamma", ""] }] } }],
      mention: [{ type: "paragraph", content: [text("alpha "), { type: "mention", props: { user: "beta" } }, text(" gamma")] }],
      emoji: [{ type: "paragraph", content: EMOJI }],
    },
    write: (content) => editor.replaceBlocks(editor.document, content),
    read: () => JSON.parse(JSON.stringify(editor.document)),
    end: () => editor.unmount(),
    depth: 1,
  };
}

async function lexical(document) {
  const lexical = await import("lexical");
  const { createHeadlessEditor } = await import("@lexical/headless");
  const { CodeHighlightNode, CodeNode, $createCodeHighlightNode, $createCodeNode } = await import("@lexical/code");
  const { HorizontalRuleNode, $createHorizontalRuleNode } = await import("@lexical/extension");
  const { HeadingNode, QuoteNode, $createHeadingNode, $createQuoteNode } = await import("@lexical/rich-text");
  const { LinkNode, $createLinkNode } = await import("@lexical/link");
  const { ListNode, ListItemNode, $createListNode, $createListItemNode } = await import("@lexical/list");
  const { TableCellNode, TableNode, TableRowNode, $createTableCellNode, $createTableNode, $createTableRowNode } = await import("@lexical/table");
  const { createBinding, syncLexicalUpdateToYjs, syncYjsChangesToLexical } = await import("@lexical/yjs");
  const { $createParagraphNode: $paragraph, $createTextNode: $text, $createLineBreakNode, $getRoot } = lexical;
  // No package has these two; the playground of Lexical has them like this.
  class ImageNode extends lexical.DecoratorNode {
    __src = "";
    __altText = "";
    static getType = () => "image";
    static clone = (node) => Object.assign(new ImageNode(node.__key), { __src: node.__src, __altText: node.__altText });
    static importJSON = ({ src, altText }) => Object.assign(new ImageNode(), { __src: src, __altText: altText });
    exportJSON = () => ({ type: "image", version: 1, src: this.__src, altText: this.__altText });
  }
  class MentionNode extends lexical.TextNode {
    __mention = "";
    static getType = () => "mention";
    static clone = (node) => Object.assign(new MentionNode(node.__text, node.__key), { __mention: node.__mention });
    static importJSON = ({ text, mention }) => Object.assign(new MentionNode(text), { __mention: mention });
    exportJSON = () => ({ ...super.exportJSON(), type: "mention", mention: this.__mention });
  }
  const nodes = [HeadingNode, QuoteNode, LinkNode, ListNode, ListItemNode, CodeNode, CodeHighlightNode, HorizontalRuleNode, TableNode, TableRowNode, TableCellNode, ImageNode, MentionNode];
  const editor = createHeadlessEditor({ nodes, onError: (error) => { throw error; } });
  const provider = { awareness: awareness(), on() {}, off() {}, connect() {}, disconnect() {} };
  const binding = createBinding(editor, provider, "main", document, new Map([["main", document]]));
  editor.registerUpdateListener(({ prevEditorState, editorState, dirtyElements, dirtyLeaves, normalizedNodes, tags }) => {
    if (!tags.has("skip-collab")) syncLexicalUpdateToYjs(binding, provider, prevEditorState, editorState, dirtyElements, dirtyLeaves, normalizedNodes, tags);
  });
  binding.root.getSharedType().observeDeep((events, transaction) => transaction.origin !== binding && syncYjsChangesToLexical(binding, provider, events, false));
  const all = (children) => children.map((make) => make());
  const of = (make, ...children) => () => make().append(...all(children));
  const p = (...children) => of($paragraph, ...children);
  const t = (text, ...formats) => () => formats.reduce((node, format) => node.toggleFormat(format), $text(text));
  const code = (text, kind) => () => $createCodeHighlightNode(text, kind);
  const item = (text, checked) => of(() => $createListItemNode(checked), t(text));
  const cell = (text) => of($createTableCellNode, p(t(text)));
  return {
    contents: {
      edge: (words) => [p(t(words))],
      paragraph: [p(t("alpha beta gamma"))],
      heading: [of(() => $createHeadingNode("h2"), t("alpha beta gamma"))],
      marks: [p(t("alpha "), t("beta", "bold"), t(" gam", "italic"), t("ma", "bold", "italic"))],
      link: [p(t("alpha "), of(() => $createLinkNode(LINK), t("beta")), t(" gamma"))],
      list: [of(() => $createListNode("bullet"), item("alpha beta"), item("gamma"))],
      task: [of(() => $createListNode("check"), item("alpha beta", true), item("gamma", false))],
      quote: [of($createQuoteNode, t("alpha beta gamma"))],
      code: [of(() => $createCodeNode("html"), code("alpha "), code("<b>", "tag"), code("beta"), code("</b>", "tag"), $createLineBreakNode, code("  & gamma"))],
      break: [p(t("alpha"), $createLineBreakNode, t("beta gamma"))],
      rule: [p(t("alpha beta")), $createHorizontalRuleNode, p(t("gamma"))],
      image: [p(t("alpha "), () => Object.assign(new ImageNode(), { __src: PICTURE, __altText: "beta gamma" }))],
      table: [of($createTableNode, of($createTableRowNode, cell("alpha"), cell("beta")), of($createTableRowNode, cell("gamma"), cell("omega")))],
      mention: [p(t("alpha "), () => Object.assign(new MentionNode("beta"), { __mention: "gamma" }), t(" omega"))],
      emoji: [p(t(EMOJI))],
    },
    write: (content) => editor.update(() => $getRoot().clear().append(...all(content)), { discrete: true }),
    read: () => editor.getEditorState().toJSON().root.children,
    end() {},
    isNested: true,
  };
}

async function slate(document) {
  const { Editor, Node, Transforms, createEditor } = await import("slate");
  const { YjsEditor, withYjs } = await import("@slate-yjs/core");
  const editor = withYjs(createEditor(), document.get("content", Y.XmlText));
  // As the examples of Slate have it.
  editor.isInline = ({ type }) => type === "link" || type === "mention";
  editor.isVoid = ({ type }) => type === "image" || type === "mention" || type === "thematic-break";
  YjsEditor.connect(editor);
  const t = (text, marks) => ({ text, ...marks });
  const of = (type, children, attributes) => ({ type, ...attributes, children });
  const p = (...children) => of("paragraph", children);
  const item = (text, checked) => of("check-list-item", [t(text)], { checked });
  const cell = (text) => of("table-cell", [t(text)]);
  return {
    contents: {
      edge: (words) => [p(t(words))],
      paragraph: [p(t("alpha beta gamma"))],
      heading: [of("heading-two", [t("alpha beta gamma")])],
      marks: [p(t("alpha "), t("beta", { bold: true }), t(" gam", { italic: true }), t("ma", { bold: true, italic: true }))],
      link: [p(t("alpha "), of("link", [t("beta")], { url: LINK }), t(" gamma"))],
      list: [of("bulleted-list", [of("list-item", [t("alpha beta")]), of("list-item", [t("gamma")])])],
      task: [item("alpha beta", true), item("gamma", false)],
      quote: [of("block-quote", [t("alpha beta gamma")])],
      code: [of("code-block", [of("code-line", [t("alpha <b>beta</b>")]), of("code-line", [t("  & gamma")])], { language: "html" })],
      break: [p(t("alpha\nbeta gamma"))],
      rule: [p(t("alpha beta")), of("thematic-break", [t("")]), p(t("gamma"))],
      image: [p(t("alpha")), of("image", [t("")], { url: PICTURE, caption: "beta gamma" })],
      table: [of("table", [of("table-row", [cell("alpha"), cell("beta")]), of("table-row", [cell("gamma"), cell("")])])],
      mention: [p(t("alpha "), of("mention", [t("")], { character: "beta" }), t(" gamma"))],
      emoji: [p(t(EMOJI))],
    },
    write: (content) =>
      Editor.withoutNormalizing(editor, () => {
        editor.children.forEach(() => Transforms.removeNodes(editor, { at: [0] }));
        Transforms.insertNodes(editor, content, { at: [0] });
      }),
    read: () => editor.children.map((block) => Node.isNode(block) && JSON.parse(JSON.stringify(block))),
    end: () => YjsEditor.disconnect(editor),
    isNested: true,
  };
}

async function quill(document) {
  const { default: Quill } = await import("quill");
  const { QuillBinding } = await import("y-quill");
  const editor = new Quill(place(), { theme: "default" });
  const binding = new QuillBinding(document.getText("quill"), editor);
  const line = (insert, attributes) => [{ insert }, { insert: "\n", ...(attributes && { attributes }) }];
  return {
    contents: {
      edge: (words) => line(words),
      paragraph: line("alpha beta gamma"),
      heading: line("alpha beta gamma", { header: 2 }),
      marks: [{ insert: "alpha " }, { insert: "beta", attributes: { bold: true } }, { insert: " gamma", attributes: { italic: true } }, { insert: "\n" }],
      link: [{ insert: "alpha " }, { insert: "beta", attributes: { link: LINK } }, { insert: " gamma\n" }],
      list: [...line("alpha beta", { list: "bullet" }), ...line("gamma", { list: "bullet", indent: 1 })],
      task: [...line("alpha beta", { list: "checked" }), ...line("gamma", { list: "unchecked" })],
      quote: line("alpha beta gamma", { blockquote: true }),
      code: [...line("alpha <b>beta</b>", { "code-block": "plain" }), ...line("  & gamma", { "code-block": "plain" })],
      image: [{ insert: "alpha " }, { insert: { image: PICTURE } }, { insert: " beta gamma\n" }],
      table: [...line("alpha", { table: "one" }), ...line("beta", { table: "one" }), ...line("gamma", { table: "two" }), ...line("omega", { table: "two" })],
      emoji: line(EMOJI),
    },
    write: (content) => editor.setContents(content, "user"),
    read: () => {
      const lines = [];
      editor.getContents().eachLine(({ ops }, attributes) => void lines.push({ ops, attributes }));
      return lines;
    },
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
      edge: (words) => [`${words}\n`],
      paragraph: ["alpha beta gamma\n"],
      code: ["alpha <b>beta</b>\n", "\t  & gamma\n"],
      emoji: [`${EMOJI}\n`],
    },
    write: (lines) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: lines.join("") } }),
    read: () => view.state.doc.toString().match(/.*\n|.+/g),
    end: () => view.destroy(),
  };
}

export const EDITORS = { ProseMirror: proseMirror, Tiptap: tiptap, BlockNote: blockNote, Lexical: lexical, Slate: slate, Quill: quill, CodeMirror: codeMirror };
