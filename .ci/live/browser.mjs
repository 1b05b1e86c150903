// Pages of headless Chromium whose scripts have the examples of clients/typescript/LIVE.md as they stand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const PORT = Number(process.env.PAGES_PORT ?? 3934);
const { CHROMIUM } = process.env;
const FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const examples = readFileSync(process.env.EXAMPLES, "utf8");

/** What the examples begin with; a page is given the rest. */
const SETTING = `
  import { roomOf, roundtableSocket } from "roundtable/live";
  const { url, apiUrl, token, editor } = window.given;
  const getToken = async () => token;
  const element = window.document.querySelector("main"), parent = element;`;

/** The code under a heading. */
export function example(heading) {
  const [, code] = examples.match(new RegExp(`^## ${heading}\\n[^]*?^\`\`\`tsx?\\n([^]*?)^\`\`\``, "m")) ?? [];
  assert.ok(code, `LIVE.md has an example of ${heading}`);
  return code.replaceAll('"Ada"', "window.given.name");
}

/** A script of a page: examples, and code beside them. */
export async function bundled(name, ...code) {
  const stdin = { contents: [SETTING, ...code].join("\n"), resolveDir: import.meta.dirname, loader: "tsx", sourcefile: `${name}.tsx` };
  const define = { "process.env.NODE_ENV": '"production"' };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", define, logLevel: "error" });
  return outputFiles[0].text;
}

/** A browser, and a server of pages with scripts by name. */
export class Browser {
  #server;
  #browser;

  static async start(scripts) {
    const started = new Browser();
    started.#server = createServer((request, response) => {
      const script = scripts[request.url.slice(1, -".js".length)];
      response.setHeader("content-type", script ? "text/javascript" : "text/html");
      response.end(script ?? "<!doctype html><meta charset=utf-8><main></main>");
    }).listen(PORT, "127.0.0.1");
    started.#browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ") });
    return started;
  }

  /** A page that runs a script. An error in it ends this process. */
  async open(name, given) {
    const page = await (await this.#browser.newContext()).newPage();
    page.on("pageerror", (error) => assert.fail(`${name}: ${error.stack}`));
    await page.goto(`http://127.0.0.1:${PORT}/`);
    await page.evaluate((given) => Object.assign(window, { given }), given);
    await page.addScriptTag({ url: `/${name}.js`, type: "module" });
    return page;
  }

  async end() {
    await this.#browser.close();
    this.#server.close();
  }
}
