// The walk through the console: what a newcomer does first.
import assert from "node:assert";
import { chromium } from "playwright-core";

const { ADMIN_TOKEN, BASE, CHROMIUM, IMAGES } = process.env;
const flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags.split(" ") });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const faults = [];
page.on("pageerror", (error) => faults.push(error.message));
page.on("request", (request) => request.url().startsWith(BASE) || faults.push(request.url()));
const tab = (name) => page.getByRole("tab", { name }).click();
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
const steps = async () => {
  await call.click();
  await page.waitForTimeout(500);
  return (await page.locator(".step strong").allInnerTexts()).join(" | ");
};
await eventually("webhook, retry, inbox and mail are shown", async () => {
  const shown = await steps();
  return ["comment_annotation.add", "answered 503", "answered 200", "bob, inbox: delivered", "bob, email: delivered"].every((step) => shown.includes(step));
});
await page.screenshot({ path: `${IMAGES}/console.png` });
await tab("Mails");
await eventually("the mail is listed", async () => (await page.locator("td", { hasText: "bob@example.com" }).count()) === 1);
for (const [name, text] of [["What is there", "Have a look, @bob"], ["Clock and queues", "deliveries"]]) {
  await tab(name);
  await eventually(`${name} shows ${text}`, async () => (await page.locator("td", { hasText: text }).count()) > 0);
}
await tab("Try");
await page.getByRole("button", { name: "Run" }).click();
await eventually("a call is answered", async () => (await page.locator("main h2").count()) > 0);
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
console.log("The console shows a comment, its webhook, the retry and the mail.");
