/** Hears events of the page, where there is one; returns a function that ends it. */
export function listen(
  name: string,
  listener: () => void,
  target: Partial<EventTarget> | undefined = globalThis,
): () => void {
  target?.addEventListener?.(name, listener);
  return () => target?.removeEventListener?.(name, listener);
}
