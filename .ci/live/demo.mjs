// Two people in the demo: they write, comment, reply, and are told; and one of them has a phone.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

import { BASE, Service, eventually } from "./service.mjs";

const { CHROMIUM, IMAGES } = process.env;
const service = await new Service().start();
const flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags.split(" ") });
const faults = [];

async function open(who) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("request", (request) => request.url().startsWith(BASE) || faults.push(request.url()));
  await page.goto(`${BASE}/demo/?as=${who}`);
  await page.getByText("Live", { exact: true }).waitFor();
  return page;
}

const [ada, bob] = [await open("ada"), await open("bob")];
const text = (page) => page.locator(".cm-content").evaluate((it) => [...it.querySelectorAll(".cm-line")].map((line) => line.textContent.replace(/\u2060.*\u2060/s, "")).join("\n"));
await eventually("both are seen", async () => (await ada.locator("#people").innerText()).replace(/\s+/g, " ") === "Ada Bob");

await ada.locator(".cm-content").click();
await ada.keyboard.press("Control+End");
await ada.keyboard.type("The live channel speaks to stock editors.", { delay: 10 });
await eventually("Bob sees what Ada writes", async () => (await text(bob)).includes("stock editors."));
await bob.locator(".cm-content").click();
await bob.keyboard.press("Control+Home");
await bob.keyboard.type("Release notes\n\n", { delay: 10 });
await eventually("Ada sees what Bob writes, and his cursor", async () => (await text(ada)).startsWith("Release notes") && (await ada.locator(".cm-ySelectionInfo").innerText()) === "Bob");

await ada.keyboard.press("Shift+Home");
await ada.locator("#comment-text").fill("Is that so, @bob?");
await ada.keyboard.press("Enter");
await bob.locator("article", { hasText: "Is that so" }).waitFor();
await eventually("Bob is notified", async () => (await bob.locator("#unread").innerText()) === "1");
await bob.locator("article textarea").fill("Try it with yours.");
await bob.keyboard.press("Enter");
await ada.locator("article", { hasText: "Try it with yours." }).waitFor();
await eventually("Ada is notified", async () => (await ada.locator("#unread").innerText()) === "1");
await bob.locator(".cm-content").click();
await ada.screenshot({ path: `${IMAGES}/demo.png` });

// What is written while the service is away is there when it is back.
await service.kill();
await ada.getByText("Offline").waitFor();
await ada.locator(".cm-content").click();
await ada.keyboard.press("Control+End");
await ada.keyboard.type(" Even offline.");
faults.length = 0;
await service.start();
await eventually("Bob sees what Ada wrote offline", async () => (await text(bob)).includes("Even offline."), 60);
faults.length = 0;

// By keyboard alone, on a phone, in the dark.
await bob.setViewportSize({ width: 390, height: 844 });
await bob.emulateMedia({ colorScheme: "dark" });
await bob.locator("#bell").focus();
await bob.keyboard.press("Enter");
await bob.locator("#notices", { hasText: "mentioned you" }).waitFor();
assert(!(await bob.evaluate(() => document.documentElement.scrollWidth > innerWidth)), "nothing is wider than a phone");
await bob.getByRole("button", { name: "Resolve" }).focus();
await bob.keyboard.press("Enter");
await eventually("the thread goes for both", async () => (await ada.locator("article").count()) === 0);
assert.deepEqual(faults, []);
await browser.close();
await service.end();
console.log("two people wrote, commented and were told, offline and on a phone");
process.exit(0);
