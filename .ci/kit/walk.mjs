// Ada and Bob in an app with BlockNote: what they do, what the other one sees, and figures.
import assert from "node:assert/strict";
import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import { Somebody, launch } from "./people.mjs";
import { check, conclude, eventually, figure, shot, step } from "./table.mjs";

const { CHROMIUM, APP, PAGE, BEGUN } = process.env;
const SLOW = 30_000;
const p95 = (times) => Math.round([...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]);

/** When a text is on the screen, in milliseconds of the machine's clock. */
function seen(who, text) {
  return who.page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const find = () => [...document.querySelectorAll(".rt-comment-body")].some((it) => it.textContent.includes(wanted));
        const look = () => {
          if (!find()) return false;
          requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
          return true;
        };
        if (!look()) {
          const observer = new MutationObserver(() => look() && observer.disconnect());
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        }
      }),
    text,
  );
}

/** When Enter was pressed, in the same clock. */
function pressed(who) {
  return who.page.evaluate(
    () =>
      new Promise((resolve) =>
        addEventListener("keydown", ({ key, timeStamp }) => key === "Enter" && resolve(performance.timeOrigin + timeStamp), {
          capture: true,
          once: false,
        }),
      ),
  );
}

/** The service of this app, not its launcher. */
function servicePid() {
  const isService = (pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === APP && readlinkSync(`/proc/${pid}/exe`).endsWith("/bin/roundtable");
    } catch {
      return false;
    }
  };
  const found = readdirSync("/proc").filter((it) => /^\d+$/.test(it) && isService(it));
  assert.equal(found.length, 1, "there is one service");
  return Number(found[0]);
}

const browser = await launch(CHROMIUM);
const ada = await Somebody.come(browser, "Ada Lovelace", `${PAGE}/?as=ada`);
const seconds = (Date.now() - Number(BEGUN)) / 1_000;
figure("from an empty folder to the page", `${seconds.toFixed(0)} s`, "< 180 s", seconds < 180, "time");
const bob = await Somebody.come(browser, "Bob Kahn", `${PAGE}/?as=bob`);
await eventually("Ada sees Bob", () => ada.page.getByRole("img", { name: bob.name }).isVisible());
await eventually("Bob sees Ada", () => bob.page.getByRole("img", { name: ada.name }).isVisible());
await pause(1_000);
figure("sockets of a page in Strict Mode", Math.max(ada.sockets, bob.sockets), "<= 2", ada.sockets <= 2 && bob.sockets <= 2);
// The first one to open a document may give it its first paragraph; Bob came later.
figure("writes by the view of a page", bob.writes, "0", bob.writes === 0);
await check(ada, "an empty page");

step("Ada writes, and Bob sees her text and her cursor");
await ada.editor.click();
await ada.page.keyboard.type("We launch on Monday, with cake.\nBring your own spoon.", { delay: 10 });
await bob.page.getByText("Bring your own spoon.").waitFor({ timeout: SLOW });
await bob.page.locator(".bn-collaboration-cursor__label, [class*=collaboration][class*=label]", { hasText: ada.name }).first().waitFor({ state: "attached", timeout: SLOW });
await shot(bob, "1-cursor");

step("Ada comments on what she selected");
await ada.page.keyboard.press("Shift+Home");
await ada.page.getByRole("button", { name: "Add comment" }).click();
await pause(300);
await ada.page.keyboard.type("Which spoon?");
await shot(ada, "2-new-comment");
await ada.page.getByRole("button", { name: "Save" }).click();
await bob.comment("Which spoon?").waitFor({ timeout: SLOW });
await eventually("the text is marked for Bob", () => bob.page.locator("main .bn-thread-mark").first().isVisible());
await shot(ada, "3-comment");

step("Bob answers, Ada reacts");
await bob.reply("Which spoon?", "A large one.");
await ada.comment("A large one.").waitFor({ timeout: SLOW });
await ada.comment("A large one.").getByRole("button", { name: "Add a reaction" }).click();
await shot(ada, "4-reactions");
await ada.comment("A large one.").getByRole("button", { name: "👍" }).click();
await bob.comment("A large one.").getByRole("button", { name: `👍 by ${ada.name}` }).waitFor({ timeout: SLOW });

await eventually("Bob's inbox counts the reaction", async () => (await bob.unread()) === 1);

step("Ada mentions Bob, whose inbox counts it");
const before = await bob.unread();
await ada.thread("Which spoon?").getByRole("textbox", { name: "Reply" }).click();
await ada.page.keyboard.type("Then you bring it, @bo");
await ada.page.getByRole("option", { name: bob.name }).waitFor();
await shot(ada, "5-mention");
await check(ada, "a list of people");
await ada.page.keyboard.press("Enter");
await ada.page.keyboard.press("Enter");
await bob.comment("Then you bring it").waitFor({ timeout: SLOW });
await eventually("Bob's inbox counts one more", async () => (await bob.unread()) === before + 1);
await shot(bob, "6-unread");
await bob.bell().click();
const news = bob.page.locator(".rt-inbox-item", { hasText: "Then you bring it" });
await news.waitFor();
await shot(bob, "7-inbox");
await check(bob, "an open inbox");
await news.click();
// When the focus returns to the thread, its other notifications are read, too.
await eventually("the notification is read", async () => (await bob.unread()) <= before);
await eventually("its thread is selected", () => bob.page.locator(".rt-thread[data-selected]", { hasText: "Which spoon?" }).isVisible());
await shot(bob, "8-selected");

step("20 comments: how long each takes to the own screen, and to the other one");
const [own, other] = [[], []];
for (let n = 0; n < 20; n += 1) {
  const text = `Comment number ${n}.`;
  const field = ada.thread("Which spoon?").getByRole("textbox", { name: "Reply" });
  await field.click();
  await ada.page.keyboard.insertText(text);
  const [when, here, there] = [pressed(ada), seen(ada, text), seen(bob, text)];
  await pause(50);
  await ada.page.keyboard.press("Enter");
  own.push((await here) - (await when));
  other.push((await there) - (await when));
}
figure("own comment on the screen, p95", `${p95(own)} ms`, "<= 50 ms", p95(own) <= 50, "time");
figure("comment on the other screen, p95", `${p95(other)} ms`, "<= 400 ms", p95(other) <= 400, "time");
await shot(ada, "9-many");

step("Ada deletes, Bob resolves");
const last = ada.comment("Comment number 19.");
await last.getByRole("button", { name: "Delete" }).click();
await shot(ada, "10-delete");
await last.getByRole("group", { name: "Delete this comment?" }).getByRole("button", { name: "Delete" }).click();
await eventually("it is gone for both", async () => (await bob.comment("Comment number 19.").count()) + (await last.count()) === 0);
await bob.thread("Which spoon?").getByRole("button", { name: "Resolve" }).click();
await eventually("no thread is open for Ada", async () => (await ada.thread("Which spoon?").count()) === 0);
await ada.page.getByRole("button", { name: "Resolved" }).click();
await shot(ada, "11-resolved");
await ada.thread("Which spoon?").getByRole("button", { name: "Reopen" }).click();
await ada.page.getByRole("button", { name: "Open", exact: true }).click();
await bob.thread("Which spoon?").waitFor({ timeout: SLOW });

step("Ada has no network: her comment waits, and goes out once");
await ada.context.setOffline(true);
await ada.reply("Which spoon?", "Written in a tunnel.");
await ada.comment("Written in a tunnel.").locator(".rt-pending").waitFor();
await pause(1_500);
assert.equal(await bob.comment("Written in a tunnel.").count(), 0);
await shot(ada, "12-offline");
await ada.context.setOffline(false);
await bob.comment("Written in a tunnel.").waitFor({ timeout: 60_000 });
await ada.saved();
assert.equal(await bob.comment("Written in a tunnel.").count(), 1);

step("Ada closes the page without network: the next one sends");
await ada.context.setOffline(true);
await ada.reply("Which spoon?", "Written before the page was closed.");
await ada.comment("before the page was closed").locator(".rt-pending").waitFor();
await pause(500);
await ada.page.close();
await ada.context.setOffline(false);
await ada.open();
await bob.comment("before the page was closed").waitFor({ timeout: 60_000 });
figure("comments made without network that arrived once", `${await once("tunnel", "closed")} of 2`, "2 of 2", (await once("tunnel", "closed")) === 2);

async function once(...texts) {
  const counts = await Promise.all(texts.map((it) => bob.comment(it).count()));
  return counts.filter((it) => it === 1).length;
}

step("the service is killed: what is written meanwhile is there afterwards");
await ada.saved();
process.kill(servicePid(), "SIGKILL");
await ada.editor.click();
// An editor loses keys that come before it has taken a click: nobody is that fast.
await pause(300);
await ada.page.keyboard.press("Control+End");
await pause(300);
await ada.page.keyboard.type(" Even now.", { delay: 10 });
await ada.reply("Which spoon?", "Written while nobody answered.");
await shot(ada, "13-killed");
await bob.page.getByText("Even now.").waitFor({ timeout: 60_000 });
await bob.comment("Written while nobody answered.").waitFor({ timeout: 60_000 });
await ada.saved();
await Promise.all([ada.open(), bob.open()]);
const texts = ["Which spoon?", "A large one.", "Then you bring it", "Comment number 0.", "Comment number 18.", "tunnel", "closed", "nobody answered"];
for (const it of texts) await bob.comment(it).first().waitFor({ timeout: SLOW });
const lost = [];
for (const it of texts) if ((await bob.comment(it).count()) !== 1 || (await ada.comment(it).count()) !== 1) lost.push(it);
const body = await bob.editor.innerText();
for (const it of ["with cake.", "Bring your own spoon.", "Even now."]) if (body.split(it).length !== 2) lost.push(it);
figure("lost or twice after kill -9", lost.length === 0 ? 0 : lost.join(", "), "0", lost.length === 0);
await pause(1_500);
figure("writes by the view of a page with comments", Math.max(ada.writes, bob.writes), "0", ada.writes === 0 && bob.writes === 0);

step("in the dark, on a phone");
await bob.page.emulateMedia({ colorScheme: "dark" });
await check(bob, "in the dark");
await shot(bob, "14-dark");
await bob.page.setViewportSize({ width: 390, height: 844 });
const wide = await bob.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
await shot(bob, "15-phone");
await bob.bell().click();
await pause(300);
await shot(bob, "16-phone-inbox");
await check(bob, "an inbox on a phone");
figure("wider than a phone", `${Math.max(0, wide)} px`, "0 px", wide <= 0);
await conclude(browser, [ada, bob]);
