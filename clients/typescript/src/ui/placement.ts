const GAP = 6;

/** Where something is beside: an element, a range of text, or a rectangle of the window. */
export type Anchor = { getBoundingClientRect(): DOMRect } | DOMRect;

/** The side of the anchor. */
export type Placement = "block-end" | "block-start";

/** Puts an element beside an anchor: on the other side where there is more room, and never outside of the window. */
export function place(element: HTMLElement, anchor: Anchor, placement: Placement = "block-end"): void {
  const at = "getBoundingClientRect" in anchor ? anchor.getBoundingClientRect() : anchor;
  const { width, height } = element.getBoundingClientRect();
  const room = { "block-start": at.top - GAP, "block-end": innerHeight - at.bottom - GAP };
  const other = placement === "block-end" ? "block-start" : "block-end";
  const side = room[placement] < height && room[other] > room[placement] ? other : placement;
  const top = side === "block-end" ? at.bottom + GAP : at.top - GAP - height;
  const isRtl = getComputedStyle(element).direction === "rtl";
  const left = isRtl ? at.right - width : at.left;
  const within = (value: number, most: number): string => `${Math.max(GAP, Math.min(value, most - GAP))}px`;
  Object.assign(element.style, {
    position: "fixed",
    margin: "0",
    inset: "auto",
    top: within(top, innerHeight - height),
    left: within(left, innerWidth - width),
  });
}

/** Keeps an element beside an anchor while the page scrolls; returns a function that ends it. */
export function follow(element: HTMLElement, anchor: Anchor, placement?: Placement): () => void {
  const update = (): void => place(element, anchor, placement);
  update();
  window.addEventListener("scroll", update, { capture: true, passive: true });
  window.addEventListener("resize", update);
  const sizes = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(update);
  sizes?.observe(element);
  return () => {
    window.removeEventListener("scroll", update, { capture: true });
    window.removeEventListener("resize", update);
    sizes?.disconnect();
  };
}
