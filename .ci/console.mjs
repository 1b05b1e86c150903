// The walk through the console: what a newcomer does first.
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const { ADMIN_TOKEN, AWS, AWS_SESSION_TOKEN, BASE, CHROMIUM, IMAGES } = process.env;
const flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags.split(" ") });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: BASE });
const page = await context.newPage();
const faults = [];
page.on("pageerror", (error) => faults.push(error.message));
page.on("request", (request) => request.url().startsWith(BASE) || faults.push(request.url()));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const title = (name) => page.getByRole("heading", { level: 1, name, exact: true });
const open = async (name) => {
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name, exact: true }).click();
  await title(name).waitFor();
};
const press = (name) => page.getByRole("button", { name, exact: true }).click();
// What stands in the way of a keyboard or a screen reader, is hard to read, or is wider than its page.
const usable = async (view) => {
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: width < 400 ? 844 : 800 });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map((it) => `${it.id}: ${it.nodes[0].html}`), [], `${view}, ${width}, ${colorScheme}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert(!wide, `${view} is wider than ${width} pixels`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
};
const eventually = async (what, is) => {
  for (let n = 0; n < 100; n++) {
    if (await is()) return;
    await page.waitForTimeout(200);
  }
  assert.fail(what);
};
const shows = (text) => eventually(`${text} is shown`, async () => (await page.getByRole("main").innerText()).includes(text));
const operator = async (path, body) => {
  const headers = { "content-type": "application/json", "x-service-admin-token": ADMIN_TOKEN };
  const reply = await fetch(`${BASE}/console/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.equal(reply.status, 200, await reply.clone().text());
};

await page.goto(`${BASE}/#${ADMIN_TOKEN}`);
await title("Overview").waitFor();
assert(!page.url().includes(ADMIN_TOKEN), "the token stays out of the address");
for (const text of ["running", BASE, "Data folder", "laptop"]) await shows(text);
await open("Connect");
await shows("There is no workspace yet.");
await open("Overview");
await usable("Overview without a workspace");
await press("Make a workspace");
await eventually("a key is chosen", async () => (await page.locator("#key option").count()) > 0);
const key = await page.locator("#key").inputValue();

await open("Webhooks");
await page.getByText("… and let each first attempt fail").click();
await eventually("the endpoint is listed", async () => (await page.locator("td", { hasText: "/inbox/console" }).count()) > 0);
await open("Overview");
await press("Create the document");
await page.getByRole("button", { name: "Create it again" }).waitFor();
await press("Make a comment");
await title("Activity").waitFor();
const call = page.locator("tr.row", { hasText: "commentannotations/add" }).first();
await call.waitFor();
// What follows appears by itself.
await call.click();
const steps = async () => (await page.locator(".step strong").allInnerTexts()).join(" | ");
await eventually("webhook, retry, inbox and mail are shown", async () => {
  const shown = await steps();
  return ["comment_annotation.add", "answered 503", "answered 200", "bob, inbox: delivered", "bob, email: delivered"].every((step) => shown.includes(step));
});
const lines = await page.locator(".feed button.line").evaluateAll((names) => names.map((it) => it.getClientRects().length));
assert(lines.length > 3 && lines.every((count) => count === 1), "each path is on one line");
await usable("Activity");
await page.emulateMedia({ colorScheme: "dark" });
await page.setViewportSize({ width: 390, height: 844 });
await press("Close");
await call.getByRole("button").click();
await eventually("what was chosen is on the screen", () => page.evaluate(() => Math.abs(document.querySelector(".detail").getBoundingClientRect().top - 64) < 9));
await page.screenshot({ path: `${IMAGES}/console-phone.png` });
await page.setViewportSize({ width: 1280, height: 800 });
await page.emulateMedia({ colorScheme: "light" });
const requestId = /request ([\w-]+)/.exec(await page.getByRole("region", { name: "Details" }).innerText())[1];
await page.getByLabel("Filter").fill(requestId);
await eventually("the filter leaves the call of a request id", async () => (await page.locator("tr.row").count()) === 1);

// Names that are longer than a page is wide.
const long = "long-".repeat(30);
const documents = [{ documentId: long, documentName: long }];
await operator("call", { apiKey: key, path: "/v2/organizations/documents/add", data: { organizationId: "acme", documents } });
await operator("call", { apiKey: null, path: "/v2/workspace/create", data: { ownerEmail: `${"you".repeat(20)}@example.com` } });

// What is copied works, and nothing secret is in the page before it is asked for.
await page.reload();
await open("Connect");
await shows("ROUNDTABLE_API_KEY");
const copied = async (name) => {
  await page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
  await page.getByRole("button", { name: `Copy ${name}`, exact: true }).filter({ hasText: "Copied" }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
};
const env = Object.fromEntries((await copied(".env")).trim().split("\n").map((line) => line.split("=", 2)));
const secret = env.ROUNDTABLE_AUTH_TOKEN;
assert.equal(await copied("auth token"), secret);
assert(!(await page.content()).includes(secret), "the auth token is hidden");
await press("Show");
await shows(secret);
await press("Hide");
await eventually("it is hidden again", async () => !(await page.content()).includes(secret));
const threads = async (headers) => {
  const reply = await fetch(`${env.ROUNDTABLE_URL}/v2/commentannotations/get`, { method: "POST", headers, body: JSON.stringify({ data: { organizationId: "acme", documentId: "welcome" } }) });
  return JSON.stringify(await reply.json());
};
assert.match(await threads({ "x-service-api-key": env.ROUNDTABLE_API_KEY, "x-service-auth-token": secret }), /Have a look/);
assert.match(await copied("main.tsx"), /organizationId="acme"/);
await press("Make a token");
assert.match(await threads({ authorization: `Bearer ${await copied("Token of ada, editor in acme, for an hour")}` }), /Have a look/);
await usable("Connect");

// Two people in the demo, whose API key is its own.
const demo = [];
for (const who of ["ada", "bob"]) {
  demo.push(await context.newPage());
  await demo.at(-1).goto(`${BASE}/demo/?as=${who}`);
}
await page.bringToFront();
await open("Live");
await page.getByRole("button", { name: /\d with Demo/ }).click();
for (const text of ["Ada", "Bob", "demo / demo", "notifications", "online"]) await shows(text);
await usable("Live");
await page.locator("#key").selectOption(key);

await open("Mails");
await eventually("the mail is listed", async () => (await page.locator("td", { hasText: "bob@example.com" }).count()) === 1);
await usable("Mails");
await open("Data");
await eventually("the comment is listed", async () => (await page.locator("td", { hasText: "Have a look, @bob" }).count()) > 0);
await usable("Data");
await open("Webhooks");
await shows("comment_annotation.add");
await usable("Webhooks");
await open("Test clock");
await press("+ 1 minute");
await shows("60 s ahead");
await usable("Test clock");
// A message that its worker gave up, as the worker leaves it.
const attributes = { reason: "It cannot be read.", worker: "cleanup.sweep" };
const letter = {
  QueueUrl: `${AWS}/000000000000/roundtable-cleanup-dead`, MessageBody: "no message of ours",
  MessageAttributes: Object.fromEntries(Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: "String", StringValue }])),
};
const sent = await fetch(AWS, { method: "POST", headers: { "x-amz-target": "AmazonSQS.SendMessage", "content-type": "application/x-amz-json-1.0", "x-amz-security-token": AWS_SESSION_TOKEN }, body: JSON.stringify(letter) });
assert.equal(sent.status, 200, await sent.text());
await open("Queues");
const cleanup = page.getByRole("row", { name: "cleanup", exact: false }).first();
await cleanup.getByRole("button", { name: "1: show" }).click();
const dead = page.getByRole("region", { name: "Dead letters" });
for (const text of Object.values(attributes)) await dead.getByText(text).waitFor();
await usable("Queues");
await dead.getByRole("button", { name: "Try again" }).click();
await eventually("the letter is in the queue again", async () => (await cleanup.innerText()).replace(/\s+/g, " ") === "cleanup 1 0");
await open("Try a call");
await press("Run");
await eventually("a call is answered", async () => (await page.locator("main h2").count()) > 0);
await usable("Try a call");

await open("Overview");
await eventually("what is there is counted", async () => /^[1-9]/.test(await page.locator(".tiles a[href='#/live']").innerText()));
await usable("Overview");
await page.screenshot({ path: `${IMAGES}/console.png` });
// By keyboard alone, on a phone.
await page.setViewportSize({ width: 390, height: 844 });
await page.getByRole("button", { name: "Menu" }).focus();
await page.keyboard.press("Enter");
await page.keyboard.press("Tab");
await page.keyboard.press("Tab");
await page.keyboard.press("Enter");
await eventually("the next view has the focus", () => page.evaluate(() => location.hash === "#/connect" && document.activeElement?.id === "title"));
await page.getByRole("button", { name: "Menu" }).focus();
await page.keyboard.press("Enter");
await page.keyboard.press("Escape");
assert(await page.evaluate(() => document.activeElement?.id === "menu" && getComputedStyle(document.getElementById("nav")).display === "none"), "Escape closes the menu");
await page.goBack();
await title("Overview").waitFor();
assert.deepEqual(faults, []);
await browser.close();
console.log("The console says what runs, what an app needs, who is connected, and what came of a comment.");
