// Kinds of content, each as the real package of an editor writes it, and as the service has it.
import * as Y from "yjs";

import { EDITORS } from "./opened.mjs";

/** Lets editors and their documents follow each other. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

/** The editors that arguments name, or all, each with its kinds of content. */
export async function kindsOfEditors() {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(EDITORS);
  const found = [];
  for (const name of names) {
    const { contents, end } = await EDITORS[name](new Y.Doc());
    end();
    found.push([name, Object.keys(contents).filter((kind) => kind !== "edge")]);
  }
  return found;
}

/** Content of one kind in one editor, between two edges, whose document the service has. */
export async function written(tenant, name, kind) {
  const editor = { ...tenant.document, editorId: `${name}-${kind}` };
  const document = new Y.Doc();
  const { contents, write, read, end, isNested, depth = 0 } = await EDITORS[name](document);
  write([...contents.edge("first"), ...contents[kind], ...contents.edge("last")]);
  await settled();
  const updates = [Buffer.from(Y.encodeStateAsUpdate(document)).toString("base64")];
  const [contentKey, shared] = [...document.share].find(([, shared]) => shared._start);
  const type = shared.constructor === Y.Text ? "text" : "xml";
  await tenant.call("/v2/crdt/updates/add", { ...editor, updates, type, contentKey });
  return {
    type,
    contentKey,
    read,
    end,
    isNested,
    depth,
    /** What the service shows. */
    get: async (format) => (await tenant.call("/v2/crdt/get", { ...editor, format })).data[0],
    /** Why the service refuses other content, or what is lost of it; nothing if all is well. */
    change: async (data, format) => {
      const taken = ({ lost = [] }) => (lost.length > 0 ? `lost ${lost}` : "");
      return tenant.call("/v2/crdt/update", { ...editor, type, format, data }).then(taken, (error) => error.message);
    },
    hash: async () => (await tenant.state(editor)).stateHash,
    /** Takes what the service has into the document of the editor, or into another one. */
    pull: async (into = document) => {
      const { update } = await tenant.state(editor);
      Y.applyUpdate(into, new Uint8Array(Buffer.from(update, "base64")), "service");
      await settled();
    },
  };
}

/** Prints a table with a column for each name. */
export function print(names, rows) {
  console.log(`| | ${names.join(" | ")} |\n|---|${"---|".repeat(names.length)}`);
  for (const [name, cells] of rows) console.log(`| ${name} | ${cells.join(" | ")} |`);
}
