import type { EditorState } from "@tiptap/pm/state";
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition } from "@tiptap/y-tiptap";
import * as Y from "yjs";

import type { AnchorLocation, PositionJson } from "../anchors/location.js";
import { findQuote, isQuoteOf, quoteOf } from "../anchors/quote.js";
import { documentText } from "./text.js";

/** A range of a document. */
export interface Range {
  from: number;
  to: number;
}

/** What y-prosemirror and y-tiptap know of the shared document. */
interface Binding {
  doc: Y.Doc;
  type: Y.XmlFragment;
  mapping: never;
}

/** The binding of the editor to Yjs, with either library; nothing in an editor that is not shared. */
function bindingOf(state: EditorState): Binding | undefined {
  const plugin = state.plugins.find((it) => (it as unknown as { key: string }).key.startsWith("y-sync$"));
  return (plugin?.getState(state) as { binding?: Binding } | undefined)?.binding ?? undefined;
}

/** The place of a range, for the `location` of a thread. */
export function locationOf(state: EditorState, { from, to }: Range, editorId: string): AnchorLocation {
  const { text, offsetAt } = documentText(state.doc);
  const quote = quoteOf(text, offsetAt(from), offsetAt(to));
  const binding = bindingOf(state);
  if (!binding) return { id: editorId, editorId, ...quote };
  const relative = (position: number): PositionJson =>
    Y.relativePositionToJSON(
      absolutePositionToRelativePosition(position, binding.type, binding.mapping) as Y.RelativePosition,
    );
  return { id: editorId, editorId, ...quote, from: relative(from), to: relative(to) };
}

/**
 * Where a place is now: by its relative positions, or, when these are gone, by its words. In rich text
 * positions do not survive the split of a paragraph before them.
 */
export function rangeOf(state: EditorState, location: AnchorLocation): Range | undefined {
  const binding = bindingOf(state);
  const absolute = (json: PositionJson | undefined): number | null => {
    if (!binding || !json) return null;
    const relative = Y.createRelativePositionFromJSON(json);
    return relativePositionToAbsolutePosition(binding.doc, binding.type, relative, binding.mapping);
  };
  const { text, offsetAt, positionAt } = documentText(state.doc);
  const [from, to] = [absolute(location.from), absolute(location.to)];
  const size = state.doc.content.size;
  const byPosition = from !== null && to !== null && from < to && to <= size ? { from, to } : undefined;
  if (byPosition && isQuoteOf(text.slice(offsetAt(byPosition.from), offsetAt(byPosition.to)), location.quote))
    return byPosition;
  const found = findQuote(text, location);
  // Without the words, the text in their place may be what became of them.
  return found ? { from: positionAt(found.from), to: positionAt(found.to - 1) + 1 } : byPosition;
}
