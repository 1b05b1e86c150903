// Forms of the content of editors: what the real packages of editors write is read in each form, sent
// back, and sent with another word, and the editors show it. Prints the table of
// docs/contract/editors.md. With arguments, only these editors.
import assert from "node:assert/strict";

import { kindsOfEditors, print, written } from "./kinds.mjs";
import { Service, Tenant } from "./service.mjs";

const FORMS = ["json", "html", "markdown", "text"];
const service = await new Service().start();
const tenant = await Tenant.make(service);

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
  const { type, read, end, isNested, get, change, hash, pull } = await written(tenant, name, kind);
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
      wrong.same = await change(data, format);
      if ((await hash()) !== before) wrong.same ||= `changed ${text} to ${JSON.stringify((await get(format)).data)}`;
      const other = JSON.parse(text.replaceAll("beta", "delta"));
      const was = JSON.stringify(read());
      const refusal = await change(other, format);
      if (isNested) {
        wrong.word = !text.includes("beta") || refusal.includes("nested text") ? "" : refusal || "accepted";
      } else {
        await pull();
        wrong.word = refusal || same(read(), JSON.parse(was.replaceAll("beta", "delta"))) || same((await get(format)).data, other);
        wrong.word ||= await change(data, format);
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
for (const [name, kinds] of await kindsOfEditors()) {
  table[name] = Object.fromEntries(FORMS.map((form) => [form, { shown: "whole", sent: "yes" }]));
  for (const kind of kinds) {
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
const cells = (form, direction) => Object.values(table).map((row) => row[form][direction]);
const rows = FORMS.flatMap((form) => ["shown", "sent"].map((direction) => [`\`${form}\`, ${direction}`, cells(form, direction)]));
print(Object.keys(table), rows.filter(([, cells]) => cells.some(Boolean)));
for (const failure of failures) console.log(failure);
assert.equal(failures.length, 0);
await service.end();
process.exit(0);
