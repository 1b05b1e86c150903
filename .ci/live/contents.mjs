// What editors write and what the service reads of it, and the other way round: the real packages of
// editors, each kind of content that they have, in each direction. Prints the table of
// docs/contract/editors.md. With arguments, only these editors.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import * as Y from "yjs";

import { kindsOfEditors, print, written } from "./kinds.mjs";
import { Service, Tenant, eventually } from "./service.mjs";

/** What a reading in XML shows of a kind, besides the words. */
const SHOWN = {
  heading: /heading[^>]*(2|two)/,
  marks: /<(bold|strong)[ >]/,
  link: /https:\/\/example\.com\/\?a=1&amp;b=2/,
  list: /list/i,
  task: /checked="true"/,
  quote: /quote/i,
  code: /code/i,
  break: /break|\n/i,
  rule: /rule|divider|break/i,
  image: /https:\/\/example\.com\/a\.png/,
  table: /<table.*row.*row/is,
  mention: /<mention/,
  emoji: /alpha 👩‍👩‍👧 beta é gamma/,
};

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

/** The blocks of a reading: lines, or the elements of a level of XML, with what is around them. */
function cut(data, type, depth) {
  if (type === "text") return { before: "", blocks: data.match(/.*\n|.+/g), after: "" };
  const cuts = [];
  let level = 0;
  for (const { 0: tag, index } of data.matchAll(/<(?!!)(\/?)[^>]*>/g)) {
    if (tag[1] === "/") {
      level -= 1;
      if (level === depth) cuts.push(index + tag.length);
    } else {
      if (level === depth) cuts.push(index);
      level += 1;
    }
  }
  const blocks = [];
  for (let at = 0; at < cuts.length; at += 2) blocks.push(data.slice(cuts[at], cuts[at + 1]));
  assert.equal(blocks.join(""), data.slice(cuts[0], cuts.at(-1)), data);
  return { before: data.slice(0, cuts[0]), blocks, after: data.slice(cuts.at(-1)) };
}

/** The items of Yjs that are alive in each block. */
function items(root, depth) {
  const live = (type) => {
    const found = [];
    for (let item = type._start; item; item = item.right) if (!item.deleted && item.countable) found.push(item);
    return found;
  };
  const name = ({ client, clock }, at = 0) => `${client}:${clock + at}`;
  const within = (item) => {
    const type = item.content.type;
    const own = [...(item.content.str ?? "-")].length > 1 ? item.content.str.split("").map((_, at) => name(item.id, at)) : [name(item.id)];
    const entries = type ? [...type._map.values()].filter((entry) => !entry.deleted) : [];
    return [...own, ...entries.map((entry) => name(entry.id)), ...(type ? live(type).flatMap(within) : [])];
  };
  if (root.constructor !== Y.Text) {
    let all = live(root);
    for (let level = 0; level < depth; level++) all = all.flatMap((item) => live(item.content.type));
    return all.map((item) => within(item).join());
  }
  const lines = [[]];
  for (const item of live(root)) {
    const units = item.content.str?.split("") ?? ["-"];
    for (const [at, unit] of units.entries()) {
      lines.at(-1).push(name(item.id, at));
      if (unit === "\n") lines.push([]);
    }
  }
  return lines.filter((line) => line.length > 0).map(String);
}

const same = (is, should) => (JSON.stringify(is) === JSON.stringify(should) ? "" : `${JSON.stringify(is)}, not ${JSON.stringify(should)}`);

/** What is wrong with one kind of content in one editor, for each direction. */
async function tried(name, kind) {
  const { type, contentKey, read, end, isNested, depth, get: view, change, hash, pull } = await written(tenant, name, kind);
  const get = async () => (await view()).data;
  const wrong = { read: "", same: "", word: "", deleted: "", inserted: "" };
  const data = await get();
  // What is beside the text, such as the caption of a picture, is in attributes.
  const readings = [data.replace(/<[^>]*>/g, ""), data];
  const missing = ["alpha", "beta", "gamma"].filter((word) => !readings.some((text) => text.includes(word)));
  if (type === "xml" && SHOWN[kind] && !SHOWN[kind].test(data)) missing.push(SHOWN[kind]);
  if (missing.length > 0) wrong.read = `${missing} missing in ${data}`;
  const before = await hash();
  wrong.same = await change(data);
  if ((await hash()) !== before) wrong.same = `changed ${data} to ${await get()}`;
  if (isNested) {
    const refusal = await change(data.replace("beta", "delta"));
    for (const direction of ["word", "deleted", "inserted"]) if (!refusal.includes("nested text")) wrong[direction] = refusal || "accepted";
    end();
    return { wrong, isNested, get };
  }
  /** Replaces the content, and shows what the editor and what a peer without an editor have then. */
  const changed = async (data) => {
    const refusal = await change(data);
    await pull();
    const peer = new Y.Doc();
    await pull(peer);
    const root = type === "text" ? peer.getText(contentKey) : peer.getXmlFragment(contentKey);
    return { refusal, blocks: read(), items: items(root, depth) };
  };
  const old = await changed(data);
  const { before: head, blocks, after: tail } = cut(data, type, depth);
  for (const at of blocks.keys()) {
    // A text does not name its pictures, which stay when their line is deleted.
    if (type === "text" && JSON.stringify(old.blocks[at]).includes('"image"')) continue;
    const without = (list) => list.toSpliced(at, 1);
    const shorter = await changed(head + without(blocks).join("") + tail);
    const name = `block ${at} of ${data}`;
    wrong.deleted ||= shorter.refusal || same(shorter.blocks, without(old.blocks)) || same(shorter.items, without(old.items));
    const again = await changed(data);
    // A text does not name the format of its lines: a new one is like the one before, but no heading.
    const { header: _, ...attributes } = old.blocks[at - 1]?.attributes ?? {};
    const block = type === "text" && old.blocks[at].ops ? { ops: [{ insert: blocks[at].slice(0, -1) }], attributes } : old.blocks[at];
    wrong.inserted ||= again.refusal || same(again.blocks, old.blocks.with(at, block)) || same(without(again.items), without(old.items));
    if (process.env.VERBOSE && (wrong.deleted || wrong.inserted)) console.error(name);
    [old.blocks, old.items] = [again.blocks, again.items];
  }
  const was = JSON.stringify(old.blocks);
  const { refusal, blocks: now } = await changed(data.replace("beta", "delta"));
  if (!was.includes("beta")) wrong.word = `the editor shows ${was}`;
  wrong.word ||= refusal || same(now, JSON.parse(was.replace("beta", "delta"))) || same(await get(), data.replace("beta", "delta"));
  end();
  return { wrong, isNested, get };
}

const gets = new Map();
const table = {};
const failures = [];
for (const [name, kinds] of await kindsOfEditors()) {
  table[name] = {};
  for (const kind of kinds) {
    const { wrong, isNested, get } = await tried(name, kind);
    gets.set(`${name}-${kind}`, get);
    if (process.env.VERBOSE) console.error(name, kind, await get(), wrong);
    for (const [what, why] of Object.entries(wrong)) if (why) failures.push(`${name}, ${kind}, ${what}: ${why}`);
    const right = isNested ? { word: "refused", deleted: "refused", inserted: "refused" } : {};
    table[name][kind] = Object.entries(wrong).map(([what, why]) => (why ? "no" : (right[what] ?? "yes"))).join(" / ");
  }
}
for (const [id, get] of gets) {
  await eventually(`the webhook of ${id} has its content`, async () => hooks.get(id) === (await get()), 60)
    .catch((error) => failures.push(`${error.message} ${hooks.get(id)}`));
}
const all = new Set(Object.values(table).flatMap(Object.keys));
print(Object.keys(table), [...all].map((kind) => [kind, Object.values(table).map((row) => row[kind] ?? "")]));
for (const failure of failures) console.log(failure);
receiver.close();
await service.end();
process.exit(failures.length > 0 ? 1 : 0);
