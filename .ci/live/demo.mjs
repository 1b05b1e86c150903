// Two people in the demo: they write, comment, mention, react, are told, and look at what was before; and one
// of them has a phone. And the gallery of the kit, whose parts have all their states without a service.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

import { BASE, Service, eventually } from "./service.mjs";

const { CHROMIUM, IMAGES } = process.env;
const service = await new Service().start();
const flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags.split(" ") });
const faults = [];

async function load(path) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("request", (request) => request.url().startsWith(BASE) || request.url().startsWith("data:") || faults.push(request.url()));
  await page.goto(BASE + path);
  return page;
}

async function open(who) {
  const page = await load(`/demo/?as=${who}`);
  await page.getByText("Saved", { exact: true }).waitFor();
  return page;
}

const isNarrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const [ada, bob] = [await open("ada"), await open("bob")];
const text = (page) => page.locator(".tiptap").innerText();
const others = (page) => page.locator(".rt-avatars [role=img]").evaluateAll((all) => all.map((it) => it.getAttribute("aria-label")).join(" "));
await eventually("both are seen", async () => (await others(ada)) === "Bob" && (await others(bob)) === "Ada");

await ada.locator(".tiptap").click();
await ada.keyboard.press("Control+End");
await ada.keyboard.type("We launch on Monday, free for small teams.", { delay: 10 });
await eventually("Bob sees what Ada writes", async () => (await text(bob)).includes("small teams."));
await bob.locator(".tiptap h1").click();
await bob.keyboard.press("End");
await bob.keyboard.type(" for spring", { delay: 10 });
const label = ada.locator(".collaboration-carets__label");
await eventually("Ada sees what Bob writes, and his cursor", async () => (await text(ada)).startsWith("Launch plan") && (await text(ada)).includes("for spring") && (await label.innerText()) === "Bob");

await ada.keyboard.press("Shift+Home");
await ada.getByRole("button", { name: "Comment", exact: true }).click();
await ada.keyboard.type("Are the notes ready by then, @b", { delay: 10 });
await ada.locator(".rt-mention-option", { hasText: "Bob" }).waitFor();
await ada.keyboard.press("Enter");
await ada.keyboard.press("Enter");
await bob.locator(".rt-thread", { hasText: "Are the notes ready by then, @Bob" }).waitFor();
await bob.locator(".tiptap [data-thread-id]", { hasText: "We launch on Monday" }).waitFor();
await eventually("Bob is notified", async () => (await bob.locator(".rt-count").innerText()) === "1");
await bob.locator(".rt-thread [role=textbox]").click();
await eventually("what Bob looks at is read", async () => (await bob.locator(".rt-count").count()) === 0);
await bob.keyboard.type("They are: **try** `npm run notes`, @a", { delay: 10 });
await bob.locator(".rt-mention-option", { hasText: "Ada" }).waitFor();
await bob.keyboard.press("Enter");
await bob.keyboard.press("Enter");
await ada.locator(".rt-comment", { hasText: "npm run notes" }).waitFor();
await eventually("Ada is notified", async () => (await ada.locator(".rt-count").innerText()) === "1");
await bob.getByRole("button", { name: "Add a reaction" }).first().click();
await bob.getByRole("button", { name: "🎉" }).click();
await ada.getByRole("button", { name: "🎉 by Bob" }).waitFor();
await bob.locator(".tiptap li").first().click();
await label.waitFor();
await ada.mouse.move(0, 0);
await ada.screenshot({ path: `${IMAGES}/demo.png` });

// What is written while the service is away is there when it is back.
await service.kill();
await ada.getByText(/^(Connecting|Offline)/).waitFor();
await ada.locator(".tiptap").click();
await ada.keyboard.press("Control+End");
await ada.keyboard.type(" Even offline.");
await ada.locator(".rt-thread [role=textbox]").click();
await ada.keyboard.type("I wrote this offline.");
await ada.keyboard.press("Enter");
await ada.getByText("Waiting for the connection").waitFor();
faults.length = 0;
await service.start();
await eventually("Bob sees what Ada wrote offline", async () => (await text(bob)).includes("Even offline."), 60);
await bob.locator(".rt-comment", { hasText: "I wrote this offline." }).waitFor();
await eventually("all is stored", async () => (await ada.locator(".rt-connection").innerText()) === "Saved", 60);
faults.length = 0;

// What was before: a version is named, seen with its authors, and restored.
const entry = (page, words) => page.locator(".version", { hasText: words });
const shown = ada.locator("[aria-label='Text of the version']");
const keep = async (name) => {
  await ada.getByLabel("Name of the version").fill(name);
  await ada.keyboard.press("Enter");
  await entry(ada, name).waitFor();
};
await ada.getByRole("button", { name: "History", exact: true }).click();
await keep("First draft");
await bob.locator(".tiptap li").last().click();
await bob.keyboard.press("End");
for (let n = 0; n < 2; n++) await bob.keyboard.press("Control+Shift+ArrowLeft");
await bob.keyboard.type("the sun.", { delay: 10 });
await ada.locator(".tiptap").click();
await ada.keyboard.press("Control+End");
await ada.keyboard.type(" Hooray!", { delay: 10 });
await eventually("both read that", async () => (await Promise.all([ada, bob].map(text))).every((it) => it.includes("the sun.") && it.includes("Hooray!")));
await keep("Before the launch");
await bob.locator(".tiptap h1").click();
await bob.keyboard.press("End");
await bob.keyboard.type(" and autumn", { delay: 10 });
await ada.locator(".history li:nth-child(2) .version", { hasText: "Bob" }).click();
await shown.locator("ins[title='Bob wrote this']", { hasText: "and autumn" }).waitFor();
await entry(ada, "First draft").click();
await shown.locator("ins[title='Bob wrote this']", { hasText: "for spring" }).waitFor();
await shown.locator("ins[title='Ada wrote this']", { hasText: "small teams" }).waitFor();
await entry(ada, "Before the launch").click();
await shown.locator("ins[title='Bob wrote this']", { hasText: "sun." }).waitFor();
await shown.locator("del[title='Bob deleted this']", { hasText: "dark" }).waitFor();
await shown.locator("ins[title='Ada wrote this']", { hasText: "Hooray!" }).waitFor();
assert(!(await shown.innerText()).includes("autumn"));
await ada.screenshot({ path: `${IMAGES}/demo-history.png` });
await ada.getByRole("button", { name: "Restore", exact: true }).click();
await shown.waitFor({ state: "detached" });
await eventually("what Bob added is gone for both", async () =>
  (await Promise.all([ada, bob].map(text))).every((it) => it.includes("the sun.") && it.includes("Hooray!") && !it.includes("autumn")));
await entry(ada, "Restored").waitFor();
await ada.keyboard.press("Escape");
const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());
await eventually("the button has the focus again", async () => (await focused(ada)) === "History");

// By keyboard alone, on a phone, in the dark.
await bob.setViewportSize({ width: 390, height: 844 });
await bob.emulateMedia({ colorScheme: "dark" });
await bob.getByRole("button", { name: /^Notifications/ }).focus();
await bob.keyboard.press("Enter");
await bob.locator(".rt-inbox-item", { hasText: "mentioned you" }).waitFor();
assert(await isNarrow(bob), "nothing is wider than a phone");
await bob.keyboard.press("Escape");
await bob.screenshot({ path: `${IMAGES}/demo-phone.png` });
await bob.getByRole("button", { name: "History", exact: true }).focus();
await bob.keyboard.press("Enter");
await entry(bob, "Restored").waitFor();
await eventually("the present has the focus", async () => (await focused(bob)) === "Now");
await bob.keyboard.press("Tab");
await bob.keyboard.press("Enter");
await bob.getByRole("group", { name: "Version" }).waitFor();
assert(await isNarrow(bob), "no version is wider than a phone");
await bob.keyboard.press("Escape");
await bob.getByRole("group", { name: "Version" }).waitFor({ state: "detached" });
await eventually("the button has the focus again", async () => (await focused(bob)) === "History");
await bob.getByRole("button", { name: "Resolve", exact: true }).focus();
await bob.keyboard.press("Enter");
await eventually("the thread goes for both", async () => (await ada.locator(".rt-thread").count()) + (await bob.locator(".rt-thread").count()) === 0);
await ada.locator(".tiptap h2").dblclick();
await ada.getByRole("button", { name: "Comment", exact: true }).click();
await ada.keyboard.type("Never mind.");
await ada.keyboard.press("Enter");
await bob.locator(".rt-thread", { hasText: "Never mind." }).waitFor();
await ada.getByRole("button", { name: "Delete" }).click();
await ada.locator(".rt-confirm").getByRole("button", { name: "Delete" }).click();
await eventually("a thread is deleted for both", async () => (await ada.locator(".rt-thread").count()) + (await bob.locator(".rt-thread").count()) === 0);
assert.deepEqual(faults, []);

const kit = await load("/kit/");
await kit.locator(".stage", { hasText: "Waiting for the connection" }).first().waitFor();
await kit.locator(".stage", { hasText: "This was not stored:" }).first().waitFor();
await kit.locator(".stage", { hasText: "Sending …" }).first().waitFor();
await kit.locator("#Composer [role=textbox]").first().fill("Is this sent?");
await kit.keyboard.press("Enter");
await kit.locator("#ThreadList .stage", { hasText: "Is this sent?" }).first().waitFor();
await kit.setViewportSize({ width: 390, height: 844 });
assert(await isNarrow(kit), "no part is wider than a phone");
assert.deepEqual(faults, []);
await browser.close();
await service.end();
console.log("two people wrote, commented, were told and restored a version, offline and on a phone; all parts of the kit have their states");
process.exit(0);
