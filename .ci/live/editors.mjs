// The examples of clients/typescript/LIVE.md as they stand, in two pages of headless Chromium each: both
// people type at the same time, read the same in the end, and see each other's cursor.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { build } from "esbuild";
import { chromium } from "playwright-core";

import { LIVE, BASE, Service, Tenant, eventually } from "./service.mjs";

const PORT = Number(process.env.PAGES_PORT ?? 3934);
const { CHROMIUM } = process.env;
const examples = readFileSync(process.env.EXAMPLES, "utf8");

/** The code under a heading. */
function example(heading) {
  const [, code] = examples.match(new RegExp(`^## ${heading}\\n[^]*?^\`\`\`tsx?\\n([^]*?)^\`\`\``, "m")) ?? [];
  assert.ok(code, `LIVE.md has an example of ${heading}`);
  return code;
}

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

async function bundled(name) {
  const setting = `
    import { roomOf, roundtableSocket } from "roundtable/live";
    const { url, apiUrl, token, editor } = window.given;
    const getToken = async () => token;
    const element = window.document.querySelector("main"), parent = element;`;
  const code = example(name).replaceAll('"Ada"', "window.given.name");
  const contents = `${setting}\n${code}\n${SHOWN[name]}\nwindow.isSynced = () => provider.isSynced ?? provider.synced;`;
  const stdin = { contents, resolveDir: import.meta.dirname, loader: "tsx", sourcefile: `${name}.tsx` };
  const define = { "process.env.NODE_ENV": '"production"' };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", define, logLevel: "error" });
  return outputFiles[0].text;
}

const scripts = Object.fromEntries(await Promise.all(Object.keys(SHOWN).map(async (name) => [`/${name}.js`, await bundled(name)])));
const pages = createServer((request, response) => {
  const script = scripts[request.url];
  response.setHeader("content-type", script ? "text/javascript" : "text/html");
  response.end(script ?? "<!doctype html><meta charset=utf-8><main></main>");
}).listen(PORT, "127.0.0.1");

const service = await new Service().start();
const tenant = await Tenant.make(service);
const flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags.split(" ") });

async function open(name, who) {
  const page = await (await browser.newContext()).newPage();
  page.on("pageerror", (error) => assert.fail(`${name}: ${error.stack}`));
  await page.goto(`http://127.0.0.1:${PORT}/`);
  const given = { url: LIVE, apiUrl: BASE, token: await tenant.token(who), editor: { ...tenant.document, editorId: name }, name: who };
  await page.evaluate((given) => Object.assign(window, { given }), given);
  await page.addScriptTag({ url: `/${name}.js`, type: "module" });
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

await browser.close();
await service.end();
pages.close();
process.exit(0);
