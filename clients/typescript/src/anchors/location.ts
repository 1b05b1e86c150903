import type { Location } from "../generated/types.js";
import type { Quote } from "./quote.js";

/** A relative position of Yjs as JSON. */
export type PositionJson = Record<string, unknown>;

/** The place of a thread in a shared editor, kept in its `location`. */
export interface AnchorLocation extends Quote {
  /** Groups threads of one editor: its `editorId`. */
  id: string;
  editorId: string;
  from?: PositionJson;
  to?: PositionJson;
}

/** The place of a thread in an editor; undefined if it has none there. */
export function anchorLocation(location: Location | undefined, editorId: string): AnchorLocation | undefined {
  const found = location as Partial<AnchorLocation> | undefined;
  if (found?.editorId !== editorId || typeof found.quote !== "string") return undefined;
  return { prefix: "", suffix: "", ...found, id: editorId, editorId, quote: found.quote };
}
