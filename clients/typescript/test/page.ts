import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { JSDOM } from "jsdom";

/** Names of a page that libraries look for in the global scope. */
const NAMES = [
  "window",
  "Window",
  "document",
  "navigator",
  "Node",
  "Element",
  "HTMLElement",
  "Document",
  "DocumentFragment",
  "Text",
  "Range",
  "Selection",
  "MutationObserver",
  "DOMParser",
  "XMLSerializer",
  "KeyboardEvent",
  "MouseEvent",
  "InputEvent",
  "ClipboardEvent",
  "DataTransfer",
  "getSelection",
  "getComputedStyle",
  "requestAnimationFrame",
  "cancelAnimationFrame",
  "innerHeight",
  "innerWidth",
] as const;

/** Makes this process look like a page until the test ends; `close` is done before. Answers with an element of it. */
export function page(test: TestContext, close: () => void): HTMLElement {
  const { window } = new JSDOM('<!doctype html><div id="root"></div>', {
    pretendToBeVisual: true,
    url: "http://localhost/",
  });
  const global = globalThis as Record<string, unknown>;
  const before = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const name of NAMES) {
    const value = name === "window" ? window : (window as unknown as Record<string, unknown>)[name];
    const isMethod = ["getSelection", "getComputedStyle", "requestAnimationFrame", "cancelAnimationFrame"].includes(
      name,
    );
    Object.defineProperty(globalThis, name, {
      configurable: true,
      writable: true,
      value: isMethod ? (value as () => void)?.bind(window) : value,
    });
  }
  // What jsdom lacks: it has no layout.
  const rectangles = () => [] as unknown as DOMRectList;
  const rectangle = () => ({
    x: 0,
    y: 0,
    top: 0,
    left: 0,
    right: 0,
    bottom: 0,
    width: 0,
    height: 0,
    toJSON: () => ({}),
  });
  Object.assign(window.Range.prototype, { getClientRects: rectangles, getBoundingClientRect: rectangle });
  Object.assign(window.Element.prototype, { scrollIntoView: () => {} });
  Object.assign(window.document, { elementFromPoint: () => null });
  Object.assign(window, {
    matchMedia: () => ({
      matches: false,
      addEventListener: () => {},
      removeEventListener: () => {},
      addListener: () => {},
      removeListener: () => {},
    }),
  });
  test.after(async () => {
    close();
    // React cleans up later.
    await sleep(20);
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete global[name];
    }
    window.close();
  });
  const root = window.document.getElementById("root");
  if (!root) throw new Error("The page has no root.");
  return root;
}
