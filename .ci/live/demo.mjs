// Two people in the demo: they write, comment, mention, react, and are told; and one of them has a phone.
// And the gallery of the kit, whose parts have all their states without a service.
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
await bob.locator(".tiptap").click();
await bob.keyboard.press("Control+Home");
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

// By keyboard alone, on a phone, in the dark.
await bob.setViewportSize({ width: 390, height: 844 });
await bob.emulateMedia({ colorScheme: "dark" });
await bob.getByRole("button", { name: /^Notifications/ }).focus();
await bob.keyboard.press("Enter");
await bob.locator(".rt-inbox-item", { hasText: "mentioned you" }).waitFor();
assert(await isNarrow(bob), "nothing is wider than a phone");
await bob.keyboard.press("Escape");
await bob.screenshot({ path: `${IMAGES}/demo-phone.png` });
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
console.log("two people wrote, commented and were told, offline and on a phone; all parts of the kit have their states");
process.exit(0);
