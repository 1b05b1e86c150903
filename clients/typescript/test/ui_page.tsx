import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import { type ReactNode, StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { Room, Roundtable, type RoundtableProps } from "roundtable/react";

import { page } from "./page.js";
import { documentId, eventually } from "./team.js";

/** A page with parts of the kit, and what a user does in it. */
export class UiPage {
  private constructor(readonly root: HTMLElement) {}

  /** Renders parts in a room, in Strict Mode, until the test ends. */
  static render(test: TestContext, options: RoundtableProps, children: ReactNode): UiPage {
    const root = page(test, () => made.unmount());
    const made = createRoot(root);
    flushSync(() =>
      made.render(
        <StrictMode>
          <Roundtable {...options}>
            <Room documentId={documentId}>{children}</Room>
          </Roundtable>
        </StrictMode>,
      ),
    );
    return new UiPage(root);
  }

  get text(): string {
    return this.root.textContent ?? "";
  }

  all(selector: string, text: string | RegExp = ""): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>(selector)].filter((it) => {
      const name = it.getAttribute("aria-label") ?? it.textContent ?? "";
      return typeof text === "string" ? name.includes(text) : text.test(name);
    });
  }

  /** The first element of a selector, by its label or text; it is waited for. */
  async find(selector: string, text: string | RegExp = ""): Promise<HTMLElement> {
    await eventually(`there is ${selector} ${text}`, () => this.all(selector, text).length > 0).catch((error: Error) =>
      assert.fail(`${error.message}: ${this.root.innerHTML}`),
    );
    return this.all(selector, text)[0] as HTMLElement;
  }

  async shows(text: string | RegExp): Promise<void> {
    const isShown = (): boolean => (typeof text === "string" ? this.text.includes(text) : text.test(this.text));
    await eventually(`the page shows ${text}`, isShown).catch((error: Error) =>
      assert.fail(`${error.message}: ${this.text}`),
    );
  }

  async click(selector: string, text: string | RegExp = ""): Promise<void> {
    const element = await this.find(selector, text);
    flushSync(() => {
      element.focus();
      element.click();
    });
  }

  /** Types at the end of a field. */
  type(field: HTMLElement, text: string): void {
    field.focus();
    const node = document.createTextNode(text);
    field.append(node);
    const range = document.createRange();
    range.setStart(node, text.length);
    range.collapse(true);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    flushSync(() => void field.dispatchEvent(new window.Event("input", { bubbles: true })));
  }

  press(key: string, more: KeyboardEventInit = {}): void {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
    flushSync(() => void (document.activeElement ?? document.body).dispatchEvent(event));
  }

  /** Writes into a field and sends it. */
  async write(field: string, text: string): Promise<void> {
    this.type(await this.find("[role=textbox]", field), text);
    this.press("Enter");
  }
}
