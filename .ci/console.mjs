// The walk through the console: what a newcomer does first.
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const { ADMIN_TOKEN, AWS, BASE, CHROMIUM, IMAGES } = process.env;
const flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags.split(" ") });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const faults = [];
page.on("pageerror", (error) => faults.push(error.message));
page.on("request", (request) => request.url().startsWith(BASE) || faults.push(request.url()));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tab = (name) => page.getByRole("tab", { name }).click();
// What stands in the way of a keyboard or a screen reader, or is hard to read.
const usable = async (view) => {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map((it) => `${it.id}: ${it.nodes[0].html}`), [], `${view}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
};
const eventually = async (what, is) => {
  for (let n = 0; n < 100; n++) {
    if (await is()) return;
    await page.waitForTimeout(200);
  }
  assert.fail(what);
};

await page.goto(`${BASE}/#${ADMIN_TOKEN}`);
assert(!page.url().includes(ADMIN_TOKEN), "the token stays out of the address");
await page.getByRole("button", { name: "New workspace" }).click();
await eventually("a key is chosen", async () => (await page.locator("#key option").count()) > 0);
await tab("Webhooks");
await page.getByText("… and let each first attempt fail").click();
await eventually("the endpoint is listed", async () => (await page.locator("td", { hasText: "/inbox/console" }).count()) > 0);
await tab("Follow");
await page.getByRole("button", { name: "Make a comment" }).click();
const call = page.locator("tr.row", { hasText: "commentannotations/add" }).first();
await call.waitFor();
// What follows appears by itself.
await call.click();
const steps = async () => (await page.locator(".step strong").allInnerTexts()).join(" | ");
await eventually("webhook, retry, inbox and mail are shown", async () => {
  const shown = await steps();
  return ["comment_annotation.add", "answered 503", "answered 200", "bob, inbox: delivered", "bob, email: delivered"].every((step) => shown.includes(step));
});
await page.screenshot({ path: `${IMAGES}/console.png` });
await usable("Follow");
const requestId = /request ([\w-]+)/.exec(await page.getByRole("region", { name: "Details" }).innerText())[1];
await page.getByLabel("Filter").fill(requestId);
await eventually("the filter leaves the call of a request id", async () => (await page.locator("tr.row").count()) === 1);
await tab("Mails");
await eventually("the mail is listed", async () => (await page.locator("td", { hasText: "bob@example.com" }).count()) === 1);
for (const [name, text] of [["What is there", "Have a look, @bob"], ["Clock and queues", "deliveries"]]) {
  await tab(name);
  await eventually(`${name} shows ${text}`, async () => (await page.locator("td", { hasText: text }).count()) > 0);
  await usable(name);
}
// A message that its worker gave up, as the worker leaves it.
const attributes = { reason: "It cannot be read.", worker: "cleanup.sweep" };
const letter = {
  QueueUrl: `${AWS}/000000000000/roundtable-cleanup-dead`, MessageBody: "no message of ours",
  MessageAttributes: Object.fromEntries(Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: "String", StringValue }])),
};
const sent = await fetch(AWS, { method: "POST", headers: { "x-amz-target": "AmazonSQS.SendMessage", "content-type": "application/x-amz-json-1.0" }, body: JSON.stringify(letter) });
assert.equal(sent.status, 200, await sent.text());
const cleanup = page.getByRole("row", { name: "cleanup", exact: false }).first();
await cleanup.getByRole("button", { name: "1: show" }).click();
const dead = page.getByRole("region", { name: "Dead letters" });
for (const text of Object.values(attributes)) await dead.getByText(text).waitFor();
await usable("Dead letters");
await dead.getByRole("button", { name: "Try again" }).click();
await eventually("the letter is in the queue again", async () => (await cleanup.innerText()).replace(/\s+/g, " ") === "cleanup 1 0");
await tab("Try");
await page.getByRole("button", { name: "Run" }).click();
await eventually("a call is answered", async () => (await page.locator("main h2").count()) > 0);
await usable("Try");
// By keyboard alone, on a phone, in the dark.
await page.setViewportSize({ width: 390, height: 844 });
await page.emulateMedia({ colorScheme: "dark" });
await page.locator("[role=tab][aria-selected=true]").focus();
await page.keyboard.press("ArrowRight");
await eventually("the next view has the focus", () => page.evaluate(() => document.activeElement?.id === "tab-webhooks"));
const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
assert(!wide, "nothing is wider than a phone");
assert.deepEqual(faults, []);
await browser.close();
console.log("The console shows a comment, its webhook, the retry, the mail and a dead letter.");
