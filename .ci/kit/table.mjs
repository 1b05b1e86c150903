// Figures with their goals, and what both walks ask of a page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const { APP, SHOTS, TEMPLATE } = process.env;
/** What a user of a template calls their own: the page, and the token. */
const CODE = {
  "vite-blocknote": ["src/main.tsx", "vite.config.ts"],
  "vite-codemirror": ["src/main.tsx", "vite.config.ts"],
  "next-tiptap": ["app/app.tsx", "app/api/roundtable/route.ts"],
  "fastapi-vite": ["src/main.tsx", "api/main.py"],
};
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const figures = [];
const notes = new Set();
const found = [];

/** A figure with its goal. A promise that is broken fails; a time on a busy machine does not. */
export function figure(what, value, goal, isKept, kind = "promise") {
  figures.push({ what, value, goal, isKept, kind });
}

export const step = (what) => console.log(`  ${what}`);

export async function shot(who, name) {
  if (SHOTS) await who.page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

export async function eventually(what, ask, seconds = 30) {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(50)) if (await ask()) return;
  throw new Error(`Not within ${seconds} s: ${what}`);
}

/** What axe finds in our parts counts; what it finds in the editor is noted. */
export async function check(who, where) {
  await who.page.evaluate(axe);
  const { violations } = await who.page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, nodes } of violations)
    for (const { target } of nodes) {
      const at = target.join(" ");
      const isOurs = /rt-/.test(at);
      if (isOurs) found.push(at);
      notes.add(`axe${isOurs ? "" : ", not in our parts"}: ${id}: ${at} (${where})`);
    }
}

/** Ends the browser, prints all figures, and exits. */
export async function conclude(browser, people) {
  figure("axe, our parts", found.length, "0", found.length === 0);
  const strangers = new Set(people.flatMap((it) => [...it.strangers]));
  figure("requests to others than this machine", strangers.size === 0 ? 0 : [...strangers].join(", "), "0", strangers.size === 0);
  // What a browser says of a network that is off, or of a service that is killed.
  const refused = /ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_EMPTY_RESPONSE|WebSocket connection|Failed to fetch/;
  const faults = people.flatMap((it) => it.faults).filter((it) => !refused.test(it));
  for (const it of faults) notes.add(`console: ${it}`);
  figure("errors in the console of the browser", faults.length, "0", faults.length === 0);
  const isCode = (it) => !/^\s*(\/\/|#|import |from |$)/.test(it);
  const linesOf = (it) => readFileSync(join(APP, it), "utf8").split("\n").filter(isCode).length;
  const [page, token] = CODE[TEMPLATE].map(linesOf);
  figure("lines of the user's page, and of the token, without imports", `${page}, ${token}`, "<= 40 of the page", page <= 40);
  await browser.close();
  const widths = ["what", "value", "goal"].map((it) => Math.max(...figures.map((row) => String(row[it]).length)));
  const row = (cells) => console.log(cells.map((it, n) => String(it).padEnd(widths[n] ?? 0)).join("  ").trimEnd());
  row(["\nfigure", " value", "goal"]);
  for (const { what, value, goal, isKept, kind } of figures)
    row([what, value, goal, isKept ? "" : kind === "time" ? "missed: a time, on this machine" : "BROKEN"]);
  for (const it of notes) console.log(`- ${it}`);
  process.exit(figures.some(({ isKept, kind }) => !isKept && kind !== "time") ? 1 : 0);
}
