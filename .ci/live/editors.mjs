// The examples of clients/typescript/LIVE.md as they stand, in two pages of headless Chromium each: both
// people type at the same time, read the same in the end, and see each other's cursor.
import assert from "node:assert/strict";

import { Browser, bundled, example } from "./browser.mjs";
import { LIVE, BASE, Service, Tenant, eventually } from "./service.mjs";

/** What each example leaves to its reader: where the editor is shown. */
const SHOWN = {
  Tiptap: "",
  BlockNote: `
    import { BlockNoteView } from "@blocknote/mantine";
    import { createElement } from "react";
    import { createRoot } from "react-dom/client";
    const Shown = () => createElement(BlockNoteView, { editor: useBlocks() });
    createRoot(element).render(createElement(Shown));`,
  CodeMirror: "",
};
/** What of a remote cursor is seen. */
const CURSORS = { Tiptap: ".collaboration-carets__label", BlockNote: ".bn-collaboration-cursor__base", CodeMirror: ".cm-ySelectionCaret" };
const TYPED = { Tiptap: ".tiptap", BlockNote: ".bn-editor", CodeMirror: ".cm-content" };

const SYNCED = "window.isSynced = () => provider.isSynced ?? provider.synced;";
const scripts = Object.fromEntries(
  await Promise.all(Object.keys(SHOWN).map(async (name) => [name, await bundled(name, example(name), SHOWN[name], SYNCED)])),
);
const service = await new Service().start();
const tenant = await Tenant.make(service);
const browser = await Browser.start(scripts);

async function open(name, who) {
  const given = { url: LIVE, apiUrl: BASE, token: await tenant.token(who), editor: { ...tenant.document, editorId: name }, name: who };
  const page = await browser.open(name, given);
  await page.locator(TYPED[name]).waitFor();
  await page.waitForFunction(() => window.isSynced());
  return page;
}

/** What an editor shows, cursors left out. */
const text = (page, name) => page.locator(TYPED[name]).evaluate((shown, cursor) => {
  const copy = shown.cloneNode(true);
  for (const it of copy.querySelectorAll(`${cursor}, [class*=cursor], [class*=caret], .cm-ySelectionInfo`)) it.remove();
  return copy.textContent.replace(/[\u2060\u200b]/g, "");
}, CURSORS[name]);

for (const name of Object.keys(SHOWN)) {
  const [ada, bob] = [await open(name, "ada"), await open(name, "bob")];
  const type = async (page, words) => {
    await page.locator(TYPED[name]).click();
    await page.keyboard.type(words, { delay: 15 });
  };
  await type(ada, "Once ");
  await eventually(`${name}: Bob reads what Ada wrote`, async () => (await text(bob, name)).includes("Once"))
    .catch(async (error) => assert.fail(`${error.message} ${await ada.content()} | ${await bob.content()}`));
  await Promise.all([type(ada, "upon a time there was a king"), type(bob, "and a queen in a castle")]);
  const letters = "Once upon a time there was a kingand a queen in a castle".replace(/ /g, "").length;
  let read = [];
  await eventually(`${name}: both read the same`, async () => {
    read = [await text(ada, name), await text(bob, name)];
    return read[0] === read[1] && read[0].replace(/\s/g, "").length === letters;
  }).catch((error) => assert.fail(`${error.message} ${read.join(" | ")}`));
  for (const [page, who] of [[ada, "Bob"], [bob, "Ada"]]) {
    await eventually(`${name}: the cursor of ${who} is seen`, async () => (await page.locator(CURSORS[name]).count()) === 1);
  }
  console.log(`${name}: ${read[0]}`);
  for (const page of [ada, bob]) await page.context().close();
}

await browser.end();
await service.end();
process.exit(0);
