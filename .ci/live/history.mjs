// History in stock editors in headless Chromium: BlockNote's sidebar, and the snapshots of y-prosemirror with
// their authors, wired by the examples of clients/typescript/LIVE.md. A version is restored while another
// person writes.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import * as Y from "yjs";

import { Browser, bundled, example } from "./browser.mjs";
import { stateHash } from "./hash.mjs";
import { BASE, LIVE, Service, Tenant, eventually } from "./service.mjs";

/** What is asked of a page. */
const PROBES = `
  window.isStored = () => provider.synced && provider.unsynced === 0;
  window.state = () => btoa(String.fromCharCode(...Y.encodeStateAsUpdate(document)));`;

/** BlockNote with a button that opens its sidebar. */
const BLOCKS = `
  import { BlockNoteView } from "@blocknote/mantine";
  import { VersioningSidebar } from "@blocknote/react";
  import { createElement, useState } from "react";
  import { createRoot } from "react-dom/client";
  function Shown() {
    const [isOpen, open] = useState(false);
    const sidebar = createElement(VersioningSidebar, { onClose: () => open(false) });
    const button = createElement("button", { id: "history", onClick: () => open(true) }, "History");
    return createElement(BlockNoteView, { editor: useVersionedBlocks() }, isOpen ? sidebar : button);
  }
  createRoot(element).render(createElement(Shown));`;

/** ProseMirror, whose schema shows who changed what. */
const PROSE = `
  import { Schema } from "@tiptap/pm/model";
  import { EditorState } from "@tiptap/pm/state";
  import { EditorView } from "@tiptap/pm/view";
  import { schema as basic } from "prosemirror-schema-basic";
  import { Roundtable } from "roundtable";
  import { RoundtableProvider } from "roundtable/live/provider";
  import { ySyncPlugin } from "y-prosemirror";
  import * as Y from "yjs";
  const ychange = {
    attrs: { user: { default: null }, type: { default: null }, color: { default: null } },
    toDOM: ({ attrs: { user, type } }) => [type === "removed" ? "del" : "ins", { "data-user": String(user) }, 0],
  };
  const schema = new Schema({ nodes: basic.spec.nodes, marks: basic.spec.marks.addToEnd("ychange", ychange) });
  const document = new Y.Doc();
  const provider = new RoundtableProvider({ ...editor, url, apiUrl, token: getToken, document });
  const plugins = [ySyncPlugin(document.getXmlFragment("prosemirror"))];
  const view = new EditorView(element, { state: EditorState.create({ schema, plugins }) });
  view.dom.style.whiteSpace = "pre-wrap";
  const client = new Roundtable(apiUrl, { userToken: getToken });`;

/** The example, as functions: it shows the changes of a time, and then the present. */
function shownChanges() {
  const code = example("History in ProseMirror and Tiptap");
  const [imports, body] = [/^import .*\n/gm, code.replace(/^import .*\n/gm, "")];
  const [show, back] = body.split(/^\/\/ .*\n/m);
  assert.ok(back, "the example leads back to the present");
  return `${code.match(imports).join("")}
    window.show = async (from, to) => { ${show} };
    window.back = () => { ${back} };`;
}

const scripts = {
  blocks: await bundled("blocks", example("BlockNote"), example("History in BlockNote"), BLOCKS, PROBES),
  prose: await bundled("prose", PROSE, shownChanges(), PROBES),
};
const service = await new Service().start();
const tenant = await Tenant.make(service);
const browser = await Browser.start(scripts);
const INPUT = { blocks: ".bn-editor", prose: ".ProseMirror" };

async function open(name, editorId, who) {
  const given = { url: LIVE, apiUrl: BASE, token: await tenant.token(who), editor: { ...tenant.document, editorId }, name: who };
  const page = await browser.open(name, given);
  await page.locator(INPUT[name]).waitFor();
  await page.waitForFunction(() => window.isStored());
  return page;
}

const stored = (page) => page.waitForFunction(() => window.isStored());

/** What an editor shows, cursors left out. */
const text = (page, name) => page.locator(INPUT[name]).evaluate((shown) => {
  const copy = shown.cloneNode(true);
  for (const it of copy.querySelectorAll("[class*=cursor]")) it.remove();
  return copy.textContent.replace(/[\u2060\u200b]/g, "");
});
const reads = (page, name, what, words) => eventually(what, async () => (await text(page, name)) === words)
  .catch(async (error) => assert.fail(`${error.message} It reads: ${await text(page, name)}`));

async function type(page, name, words, delay = 15) {
  await page.locator(INPUT[name]).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(words, { delay });
}

/** That all pages and the service have the same document in the end. */
async function converged(editorId, pages) {
  const hash = async (page) => {
    const document = new Y.Doc();
    Y.applyUpdate(document, new Uint8Array(Buffer.from(await page.evaluate(() => window.state()), "base64")));
    return stateHash(document);
  };
  await eventually("all have the same", async () => {
    const { stateHash: stored } = await tenant.state({ ...tenant.document, editorId });
    return (await Promise.all(pages.map(hash))).every((it) => it === stored);
  });
}

/** BlockNote's sidebar: a version is named, seen, renamed and restored. */
async function sidebar() {
  const [ada, bob] = [await open("blocks", "blocks", "ada"), await open("blocks", "blocks", "bob")];
  ada.on("dialog", (dialog) => dialog.accept("Draft"));
  const row = (page, name) => page.locator(".bn-snapshot").filter({ has: page.locator(`input.bn-snapshot-name[value="${name}"]`) });
  const current = (page) => page.locator(".bn-snapshot").filter({ hasText: "Current version" });
  await type(ada, "blocks", "A king");
  await reads(bob, "blocks", "Bob reads what Ada wrote", "A king");
  await ada.locator("#history").click();
  await ada.locator("[data-test=savecurrentversion]").click();
  await row(ada, "Draft").waitFor();
  assert.match(await row(ada, "Draft").innerText(), /ada/, "the version says who wrote it");

  await type(bob, "blocks", " and a queen");
  await reads(ada, "blocks", "Ada reads what Bob wrote", "A king and a queen");
  await row(ada, "Draft").click();
  await reads(ada, "blocks", "Ada sees the version", "A king");
  await type(bob, "blocks", " of spades");
  await pause(300);
  assert.equal(await text(ada, "blocks"), "A king", "what Bob writes is not in it");
  await current(ada).click();
  await reads(ada, "blocks", "Ada is back", "A king and a queen of spades");

  // Bob writes in the moment of the restoration.
  const writing = type(bob, "blocks", " They lived happily ever after.", 80);
  await pause(300);
  await row(ada, "Draft").hover();
  await row(ada, "Draft").locator(".bn-snapshot-menu-trigger").click();
  await ada.getByRole("menuitem", { name: "Restore" }).click();
  await writing;
  await eventually("the version is restored", async () => !(await text(ada, "blocks")).includes("queen"));
  await converged("blocks", [ada, bob]);
  const both = await text(bob, "blocks");
  assert.ok(both.startsWith("A king") && both.endsWith("after."), both);

  await row(ada, "Draft").click();
  await row(ada, "Draft").locator("input.bn-snapshot-name").fill("First draft");
  await ada.keyboard.press("Tab");
  await current(ada).click();
  await bob.locator("#history").click();
  await row(bob, "First draft").waitFor();
  console.log(`BlockNote: ${both}`);
  for (const page of [ada, bob]) await page.context().close();
}

/** What a page shows of changes: words, each with who wrote or deleted them. */
const shown = (page) => page.locator(INPUT.prose).evaluate((root) => {
  const words = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const change = node.parentElement.closest("ins, del");
    const by = change ? `${change.tagName === "INS" ? "+" : "-"}${change.dataset.user}` : "";
    if (words.at(-1)?.[0] === by) words.at(-1)[1] += node.data;
    else words.push([by, node.data]);
  }
  return words.map(([by, text]) => (by ? `[${by}: ${text}]` : text)).join("");
});

/** y-prosemirror's snapshots: who wrote what, and who deleted what of others. */
async function authors() {
  const [ada, bob] = [await open("prose", "prose", "ada"), await open("prose", "prose", "bob")];
  const all = [ada, bob];
  const agree = async (words) => {
    for (const page of all) await reads(page, "prose", "both read the same", words);
    for (const page of all) await stored(page);
    await pause(5); // times of the service have milliseconds
    return Date.now();
  };
  await type(ada, "prose", "The king. ");
  await agree("The king. ");
  await type(bob, "prose", "The queen. The ace.");
  const middle = await agree("The king. The queen. The ace.");
  await pause(5);
  await bob.keyboard.press("Control+Home");
  for (let n = 0; n < 4; n++) await bob.keyboard.press("Delete");
  await agree("king. The queen. The ace.");
  await ada.locator(INPUT.prose).click();
  await ada.keyboard.press("Control+End");
  for (let n = 0; n < 4; n++) await ada.keyboard.press("Backspace");
  await agree("king. The queen. The ");
  await type(ada, "prose", "joker.");
  const end = await agree("king. The queen. The joker.");

  const look = async (what, page, from, to, words) => {
    await page.evaluate(([from, to]) => window.show(from, to), [from, to]);
    await eventually(what, async () => (await shown(page)) === words).catch(async (error) => assert.fail(`${error.message} It shows: ${await shown(page)}`));
  };
  await look("who wrote the beginning", ada, undefined, middle, "[+ada: The king. ][+bob: The queen. The ace.]");
  const changed = "[-bob: The ]king. The queen. The [-ada: ace.][+ada: joker.]";
  await look("who changed what since then", ada, middle + 1, end, changed);
  await type(bob, "prose", " The end.");
  await pause(300);
  assert.equal(await shown(ada), changed, "it stays while Bob writes");
  await ada.evaluate(() => window.back());
  await reads(ada, "prose", "Ada is back", "king. The queen. The joker. The end.");
  await type(ada, "prose", " Truly.");
  await reads(bob, "prose", "and writes on", "king. The queen. The joker. The end. Truly.");
  await converged("prose", all);
  console.log(`y-prosemirror: ${await text(bob, "prose")}`);
  for (const page of all) await page.context().close();
}

await sidebar();
await authors();
await browser.end();
await service.end();
process.exit(0);
