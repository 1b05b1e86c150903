// Forms of the content of editors: what the real packages of editors write is read in each form, sent
// back, and sent with another word, and the editors show it. Prints the table of
// docs/contract/editors.md. With arguments, only these editors.
import assert from "node:assert/strict";
import * as Y from "yjs";

import { EDITORS } from "./opened.mjs";
import { Service, Tenant } from "./service.mjs";

const FORMS = ["json", "html", "markdown", "text"];
const service = await new Service().start();
const tenant = await Tenant.make(service);
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Without the attributes that are null: they count as absent. */
const bare = (value) => {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined);
  const kept = entries.map(([key, entry]) => [key, bare(entry)]).filter(([key, entry]) => key !== "attrs" || Object.keys(entry).length > 0);
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
};
const same = (is, should) => (JSON.stringify(bare(is)) === JSON.stringify(bare(should)) ? "" : `${JSON.stringify(bare(is))}, not ${JSON.stringify(bare(should))}`);

/** What is wrong with each form of one kind of content in one editor, and what the form loses. */
async function tried(name, kind) {
  const editor = { ...tenant.document, editorId: `${name}-${kind}` };
  const document = new Y.Doc();
  const { contents, write, read, end, isNested } = await EDITORS[name](document);
  write([...contents.edge("first"), ...contents[kind], ...contents.edge("last")]);
  await settled();
  const updates = [Buffer.from(Y.encodeStateAsUpdate(document)).toString("base64")];
  const [contentKey, shared] = [...document.share].find(([, shared]) => shared._start);
  const type = shared.constructor === Y.Text ? "text" : "xml";
  await tenant.call("/v2/crdt/updates/add", { ...editor, updates, type, contentKey });
  const get = async (format) => (await tenant.call("/v2/crdt/get", { ...editor, format })).data[0];
  const change = (format, data) => tenant.call("/v2/crdt/update", { ...editor, type, format, data }).then(() => "", (error) => error.message);
  const hash = async () => (await tenant.state(editor)).stateHash;
  const pull = async () => {
    const { update } = await tenant.state(editor);
    Y.applyUpdate(document, new Uint8Array(Buffer.from(update, "base64")), "service");
    await settled();
  };
  const results = {};
  for (const format of FORMS) {
    const { data, lost } = await get(format);
    const text = JSON.stringify(data);
    const wrong = { read: "", same: "", word: "" };
    const words = ["alpha", "beta", "gamma"].filter((word) => !text.includes(word) && JSON.stringify(read()).includes(word));
    if (words.length > 0 && format !== "text") wrong.read = `${words} missing in ${text}`;
    if (format === "json" && lost.length > 0) wrong.read ||= `lost ${lost}`;
    if (format === "html" && type === "xml" && lost.length > 0) wrong.read ||= `lost ${lost}`;
    if (format === "json" && data.type === "doc" && ["ProseMirror", "Tiptap"].includes(name)) wrong.read ||= same(data.content, read());
    const isSent = format === "json" || (format !== "text" && type === "xml");
    if (isSent) {
      const before = await hash();
      wrong.same = await change(format, data);
      if ((await hash()) !== before) wrong.same ||= `changed ${text} to ${JSON.stringify((await get(format)).data)}`;
      const other = JSON.parse(text.replaceAll("beta", "delta"));
      const was = JSON.stringify(read());
      const refusal = await change(format, other);
      if (isNested) {
        wrong.word = !text.includes("beta") || refusal.includes("nested text") ? "" : refusal || "accepted";
      } else {
        await pull();
        wrong.word = refusal || same(read(), JSON.parse(was.replaceAll("beta", "delta"))) || same((await get(format)).data, other);
        wrong.word ||= await change(format, data);
        await pull();
        wrong.word ||= same(read(), JSON.parse(was));
      }
    }
    results[format] = { wrong, lost, isSent, isNested };
  }
  end();
  return results;
}

const table = {};
const failures = [];
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(EDITORS);
for (const name of names) {
  const { contents, end } = await EDITORS[name](new Y.Doc());
  end();
  table[name] = Object.fromEntries(FORMS.map((form) => [form, { shown: "whole", sent: "yes" }]));
  for (const kind of Object.keys(contents).filter((kind) => kind !== "edge")) {
    for (const [form, { wrong, lost, isSent, isNested }] of Object.entries(await tried(name, kind))) {
      for (const [what, why] of Object.entries(wrong)) if (why) failures.push(`${name}, ${kind}, ${form}, ${what}: ${why}`);
      const cell = table[name][form];
      if (wrong.read) cell.shown = "no";
      else if (lost.length > 0) cell.shown = "in part, named";
      if (wrong.same || wrong.word) cell.sent = "no";
      else if (!isSent) cell.sent = "";
      else if (isNested) cell.sent = "as read";
    }
  }
}
console.log(`| | ${Object.keys(table).join(" | ")} |\n|---|${"---|".repeat(Object.keys(table).length)}`);
for (const form of FORMS) {
  for (const direction of ["shown", "sent"]) {
    const cells = Object.values(table).map((row) => row[form][direction]);
    if (cells.some(Boolean)) console.log(`| \`${form}\`, ${direction} | ${cells.join(" | ")} |`);
  }
}
for (const failure of failures) console.log(failure);
assert.equal(failures.length, 0);
await service.end();
process.exit(0);
