/** The text of a field; a mention in it is `{{userId}}`. */
export function textOf(root: Node): string {
  let text = "";
  for (const node of root.childNodes) {
    const { mention } = (node as HTMLElement).dataset ?? {};
    if (node.nodeName === "BR") text += "\n";
    else if (mention !== undefined) text += `{{${mention}}}`;
    else if (node.nodeName === "#text") text += node.nodeValue;
    else text += (node.nodeName === "DIV" && text ? "\n" : "") + textOf(node);
  }
  return text;
}

/** The element of a mention, which the caret does not enter. */
export function mentionElement(userId: string, name: string, className: string | undefined): HTMLElement {
  const element = document.createElement("span");
  element.dataset["mention"] = userId;
  element.setAttribute("contenteditable", "false");
  if (className) element.className = className;
  element.textContent = `@${name}`;
  return element;
}

/** Puts a text into a field, its mentions as elements. */
export function fill(root: HTMLElement, text: string, mention: (userId: string) => HTMLElement): void {
  const pieces = text.split(/\{\{([^{}]+)\}\}/);
  root.replaceChildren(...pieces.map((piece, at) => (at % 2 === 0 ? piece : mention(piece))));
}

/** The selection in a field; the end of its text when there is none. */
export function rangeIn(root: HTMLElement): Range {
  const selection = document.getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  if (range && root.contains(range.commonAncestorContainer)) return range;
  const end = document.createRange();
  end.selectNodeContents(root);
  end.collapse(false);
  return end;
}

/** Selects a range, or puts the caret there. */
export function select(range: Range): void {
  const selection = document.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Puts marks around the selection, and the caret or the selection between them. */
export function surround(root: HTMLElement, before: string, after: string): void {
  const range = rangeIn(root);
  const [start, end] = [document.createTextNode(before), document.createTextNode(after)];
  const tail = range.cloneRange();
  tail.collapse(false);
  tail.insertNode(end);
  range.insertNode(start);
  range.setStartAfter(start);
  range.setEndBefore(end);
  select(range);
}

/** Replaces the selection by a text. */
export function insert(root: HTMLElement, text: string): void {
  const range = rangeIn(root);
  select(range);
  // This one can be undone.
  if (document.execCommand?.("insertText", false, text)) return;
  range.deleteContents();
  range.insertNode(document.createTextNode(text));
  range.collapse(false);
  select(range);
}

/** What is typed after an `@` up to the caret, and where it is. */
export function mentionQuery(root: HTMLElement): { query: string; range: Range } | undefined {
  const { startContainer: node, startOffset: end, collapsed } = rangeIn(root);
  // The end of a field may be the place after its last text.
  const text = node === root ? root.childNodes[end - 1] : node;
  if (!collapsed || text?.nodeName !== "#text") return undefined;
  const typed = (text.nodeValue ?? "").slice(0, node === root ? undefined : end);
  const query = /(?:^|[\s(])@([^\s@]{0,40})$/u.exec(typed)?.[1];
  if (query === undefined) return undefined;
  const range = document.createRange();
  range.setStart(text, typed.length - query.length - 1);
  range.setEnd(text, typed.length);
  return { query, range };
}

/** Replaces a range by a mention and a space, with the caret after them. */
export function putMention(range: Range, element: HTMLElement): void {
  range.deleteContents();
  const space = document.createTextNode("\u00a0");
  range.insertNode(space);
  range.insertNode(element);
  range.setStartAfter(space);
  range.collapse(true);
  select(range);
}
