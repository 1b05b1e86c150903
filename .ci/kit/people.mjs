// Two people in a browser, and what their pages do beside what is seen.
import { chromium } from "playwright-core";

/** Keeps Chromium itself quiet: every request that is left is one of the page. */
const FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
/** Types of a sync message that carry content: the answer to a question, and a change. */
const [ANSWER, CHANGE] = [1, 2];

export async function launch(executablePath) {
  return chromium.launch({ executablePath, args: FLAGS.split(" ") });
}

/** Somebody with a browser of their own; `page` is the one they look at. */
export class Somebody {
  sockets = 0;
  writes = 0;
  strangers = new Set();
  faults = [];

  constructor(name, address, context) {
    this.name = name;
    this.address = address;
    this.context = context;
  }

  static async come(browser, name, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const somebody = new Somebody(name, address, context);
    await somebody.open();
    return somebody;
  }

  /** Opens the page, or opens it anew, and counts from zero. */
  async open() {
    await this.page?.close();
    this.page = await this.context.newPage();
    Object.assign(this, { sockets: 0, writes: 0 });
    this.page.on("pageerror", ({ message }) => this.faults.push(message));
    this.page.on("console", (it) => it.type() === "error" && this.faults.push(it.text()));
    this.page.on("request", (it) => this.#asked(it.url()));
    this.page.on("websocket", (it) => this.#connected(it));
    await this.page.goto(this.address);
    await this.editor.waitFor({ timeout: 120_000 });
  }

  get editor() {
    return this.page.locator("main [contenteditable=true]").first();
  }

  thread(text) {
    return this.page.locator(".rt-thread", { hasText: text });
  }

  comment(text) {
    return this.page.locator("article.rt-comment", { hasText: text });
  }

  bell() {
    return this.page.getByRole("button", { name: /^Notifications/ });
  }

  async unread() {
    return Number(/(\d+) unread/.exec(await this.bell().getAttribute("aria-label"))?.[1] ?? 0);
  }

  /** Ends the page when its shared text is stored, as people do who have seen "Saved". */
  async saved() {
    await this.page.locator(".rt-connection", { hasText: /^Saved$/ }).waitFor({ timeout: 30_000 });
  }

  async reply(threadText, text) {
    const field = this.thread(threadText).getByRole("textbox", { name: "Reply" });
    await field.click();
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press("Enter");
  }

  #asked(url) {
    const { protocol, hostname } = new URL(url);
    if (/^https?:$/.test(protocol) && !/^(localhost|127\.0\.0\.1)$/.test(hostname)) this.strangers.add(hostname);
  }

  #connected(socket) {
    // Not that of the development server.
    if (!new URL(socket.url()).pathname.endsWith("/live")) return;
    this.sockets += 1;
    socket.on("framesent", ({ payload }) => {
      if (typeof payload !== "string" && hasContent(payload)) this.writes += 1;
    });
  }
}

/** Whether a message in the dialect of Hocuspocus has content of a document. */
function hasContent(bytes) {
  let at = 0;
  const uint = () => {
    let value = 0;
    for (let shift = 0; at < bytes.length; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  at += uint();
  const [type, kind, length] = [uint(), uint(), uint()];
  // An update of two bytes is empty: no structs, and no deletions.
  return type === 0 && (kind === ANSWER || kind === CHANGE) && length > 2;
}
