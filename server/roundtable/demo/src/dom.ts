/** The element of the page with this id. */
export function at<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found as Kind;
}

/** Makes an element. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), members);
  element.append(...children);
  return element;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something for some seconds. */
export function say(text: string): void {
  const message = at("message");
  message.textContent = text;
  message.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (message.hidden = true), 8_000);
}

/** Does something, and says why when it fails. */
export function attempt(what: () => Promise<unknown>): void {
  what().catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));
}

/** Enter sends the form of a text, Shift-Enter begins a line. */
export function sendsByKey(text: HTMLTextAreaElement): void {
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      text.form?.requestSubmit();
    }
  });
}
