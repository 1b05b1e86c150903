// Ada and Bob in an app with another editor: what differs from the long walk.
import { setTimeout as pause } from "node:timers/promises";

import { Somebody, launch } from "./people.mjs";
import { check, conclude, eventually, figure, shot, step } from "./table.mjs";

const { CHROMIUM, PAGE, BEGUN } = process.env;
const SLOW = 30_000;

const browser = await launch(CHROMIUM);
const ada = await Somebody.come(browser, "Ada Lovelace", `${PAGE}/?as=ada`);
const seconds = (Date.now() - Number(BEGUN)) / 1_000;
figure("from an empty folder to the page", `${seconds.toFixed(0)} s`, "< 180 s", seconds < 180, "time");
const bob = await Somebody.come(browser, "Bob Kahn", `${PAGE}/?as=bob`);
await eventually("Ada sees Bob", () => ada.page.getByRole("img", { name: bob.name }).isVisible());
await pause(1_000);
figure("sockets of a page in Strict Mode", Math.max(ada.sockets, bob.sockets), "<= 2", ada.sockets <= 2 && bob.sockets <= 2);
figure("writes by the view of a page", bob.writes, "0", bob.writes === 0);

step("Ada writes, and Bob sees her text and her cursor");
await ada.editor.click();
await pause(300);
await ada.page.keyboard.type("We launch on Monday, with cake.\nBring your own spoon.", { delay: 20 });
await bob.page.getByText("Bring your own spoon.").waitFor({ timeout: SLOW });
await bob.page.locator(".cm-ySelectionInfo, .collaboration-carets__label", { hasText: ada.name }).waitFor({ state: "attached", timeout: SLOW });
await shot(bob, "1-cursor");

step("Ada comments on what she selected, and mentions Bob");
await ada.page.keyboard.press("Shift+Home");
await pause(300);
await ada.page.getByRole("button", { name: "Comment", exact: true }).click();
await ada.page.getByRole("dialog", { name: "New comment" }).waitFor();
await ada.page.keyboard.type("Which spoon, @bo");
await ada.page.getByRole("option", { name: bob.name }).waitFor();
await shot(ada, "2-mention");
await check(ada, "a new comment");
await ada.page.keyboard.press("Enter");
await ada.page.keyboard.press("Enter");
await bob.comment("Which spoon,").waitFor({ timeout: SLOW });
await eventually("the text is marked for Bob", () => bob.page.locator("main .rt-comment--open", { hasText: "spoon" }).isVisible());
await eventually("Bob's inbox counts it", async () => (await bob.unread()) === 1);

step("Bob opens the notification, and resolves the thread");
await bob.bell().click();
await bob.page.locator(".rt-inbox-item").click();
await bob.page.locator(".rt-thread[data-selected]").waitFor();
await bob.page.locator("main .rt-comment--selected").first().waitFor();
await shot(bob, "3-selected");
await bob.page.emulateMedia({ colorScheme: "dark" });
await check(bob, "in the dark");
await shot(bob, "4-dark");
await ada.saved();
await Promise.all([ada.open(), bob.open()]);
await bob.page.locator("main .rt-comment--open").first().waitFor({ timeout: SLOW });
await pause(1_500);
figure("writes by the view of a page with comments", Math.max(ada.writes, bob.writes), "0", ada.writes === 0 && bob.writes === 0);
await bob.thread("Which spoon").getByRole("button", { name: "Resolve" }).click();
await eventually("no text is marked for Ada", async () => (await ada.page.locator("main .rt-comment--open").count()) === 0);
await bob.page.setViewportSize({ width: 390, height: 844 });
const wide = await bob.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
await shot(bob, "5-phone");
figure("wider than a phone", `${Math.max(0, wide)} px`, "0 px", wide <= 0);
await conclude(browser, [ada, bob]);
