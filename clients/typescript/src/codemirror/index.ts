import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from "@codemirror/view";
import * as Y from "yjs";

import { Later } from "../anchors/later.js";
import { type AnchorLocation, anchorLocation } from "../anchors/location.js";
import { findQuote, quoteOf } from "../anchors/quote.js";
import { decorated, threadAt } from "../anchors/shown.js";
import { randomName } from "../random.js";
import type { CommentContent } from "../store/change.js";
import type { Thread } from "../store/draft.js";
import type { RoomStore } from "../store/room.js";

export type { AnchorLocation } from "../anchors/location.js";

/** What {@link roundtableComments} is given. */
export interface CodeMirrorCommentsOptions {
  /** The document: `useRoom()`, or `store.room(documentId)`. */
  room: RoomStore;
  /** The text that `yCollab` binds to the editor. */
  text: Y.Text;
  /** The shared editor. */
  editorId: string;
  /** A thread was clicked in the text, or text without one. By default, it is selected. */
  onSelect?: (threadId: string | undefined) => void;
}

/** Where a thread is in the text. */
export interface TextRange {
  threadId: string;
  from: number;
  to: number;
}

const resolved = StateEffect.define<readonly TextRange[]>();
const select = StateEffect.define<string | undefined>();

interface CommentsState {
  ranges: readonly TextRange[];
  selected: string | undefined;
}

/** Local changes move ranges at once; what Yjs says replaces them a moment later. */
const commentsField = StateField.define<CommentsState>({
  create: () => ({ ranges: [], selected: undefined }),
  update: (before, transaction) => {
    let { ranges, selected } = before;
    if (transaction.docChanged) {
      ranges = ranges
        .map((it) => ({
          ...it,
          from: transaction.changes.mapPos(it.from, 1),
          to: transaction.changes.mapPos(it.to, -1),
        }))
        .filter(({ from, to }) => from < to);
    }
    for (const effect of transaction.effects) {
      if (effect.is(resolved)) ranges = effect.value;
      if (effect.is(select)) selected = effect.value;
    }
    return ranges === before.ranges && selected === before.selected ? before : { ranges, selected };
  },
});

/**
 * Comments on the text of a CodeMirror editor that `yCollab` shares. The place of a thread is a pair of
 * relative positions in its `location`; nothing is written into the text.
 *
 * ```ts
 * const extensions = [basicSetup, yCollab(text, awareness), roundtableComments({ room, text, editorId: "body" })];
 * addComment(view, { text: "Really?" });
 * ```
 *
 * `roundtable/ui/styles.css` has colors for the classes `rt-comment--open`, `--resolved`, `--pending` and `--selected`.
 */
export function roundtableComments(options: CodeMirrorCommentsOptions): Extension {
  const { room, onSelect } = options;
  const plugin = ViewPlugin.define((view) => new Follower(view, options));
  const decorations = EditorView.decorations.compute(
    [commentsField, pluginVersion],
    (state): DecorationSet =>
      RangeSet.of(
        decorated(state.field(commentsField), room.threads.get().threads, (from, to, { class: its, ...attributes }) =>
          Decoration.mark({ class: its, attributes }).range(from, to),
        ),
        true,
      ),
  );
  const clicks = EditorView.domEventHandlers({
    click: (event, view) => {
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const hit = position === null ? undefined : threadAt(threadRanges(view), position, room.threads.get().threads);
      if (onSelect) onSelect(hit);
      else view.dispatch({ effects: select.of(hit) });
      return false;
    },
  });
  return [commentsField, pluginVersion, optionsField.init(() => options), plugin, decorations, clicks];
}

/** Counts changes of threads, so that decorations are made anew. */
const pluginVersion = StateField.define<number>({
  create: () => 0,
  update: (version, { effects }) => (effects.some((it) => it.is(resolved)) ? version + 1 : version),
});

/** What the extension of a view was given. */
const optionsField = StateField.define<CodeMirrorCommentsOptions | undefined>({
  create: () => undefined,
  update: (it) => it,
});

/** Looks places up again when threads or the shared text change. */
class Follower {
  readonly #end: () => void;
  /** The editor takes a change of the shared text after those who observe it. */
  readonly #later = new Later(() => this.#resolve());

  readonly #view: EditorView;
  readonly #options: CodeMirrorCommentsOptions;

  constructor(view: EditorView, options: CodeMirrorCommentsOptions) {
    this.#view = view;
    this.#options = options;
    const { room, text } = options;
    const { ask } = this.#later;
    text.observe(ask);
    const end = room.threads.subscribe(ask);
    this.#end = () => {
      text.unobserve(ask);
      end();
    };
    ask();
  }

  destroy(): void {
    this.#later.end();
    this.#end();
  }

  #resolve(): void {
    const { room, text, editorId } = this.#options;
    const length = this.#view.state.doc.length;
    const ranges = [...room.threads.get().threads.values()].flatMap((thread) => {
      const location = anchorLocation(thread.location, editorId);
      const range = location && rangeIn(text, location);
      return range && range.to <= length ? [{ threadId: thread.annotationId, ...range }] : [];
    });
    this.#view.dispatch({ effects: resolved.of(ranges) });
  }
}

/**
 * Begins a thread on the selected text.
 *
 * @throws Error if nothing is selected, or the view has no `roundtableComments`.
 */
export function addComment(
  view: EditorView,
  comment: CommentContent & { id?: string },
): { thread: Thread; sent: Promise<void> } {
  const options = view.state.field(optionsField, false);
  if (!options) throw new Error("The editor has no roundtableComments.");
  const { from, to } = view.state.selection.main;
  if (from === to) throw new Error("No text is selected.");
  const { id = randomName(), ...content } = comment;
  const location = locationIn(options.text, from, to, options.editorId);
  return options.room.createThread({ id, comment: content, location: { ...location } });
}

/** Shows a thread as selected and scrolls to it; `undefined` selects none. Answers whether it is in the text. */
export function selectThread(view: EditorView, threadId: string | undefined): boolean {
  const range = threadRanges(view).find((it) => it.threadId === threadId);
  if (threadId !== undefined && !range) return false;
  view.dispatch({ effects: [select.of(threadId), ...(range ? [EditorView.scrollIntoView(range.from)] : [])] });
  return true;
}

/** Where threads are in the text. */
export function threadRanges(view: EditorView): readonly TextRange[] {
  return view.state.field(commentsField, false)?.ranges ?? [];
}

/** The selected thread. */
export function selectedThread(view: EditorView): string | undefined {
  return view.state.field(commentsField, false)?.selected;
}

/** The place of a range of a shared text, for the `location` of a thread: what is typed at its ends is not in it. */
export function locationIn(text: Y.Text, from: number, to: number, editorId: string): AnchorLocation {
  const relative = (index: number, side: number): Record<string, unknown> =>
    Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, index, side)) as Record<string, unknown>;
  return {
    id: editorId,
    editorId,
    ...quoteOf(text.toString(), from, to),
    from: relative(from, 0),
    to: relative(to, -1),
  };
}

/** Where a place is now: by its relative positions or, when its text was replaced, by its words. */
export function rangeIn(text: Y.Text, location: AnchorLocation): { from: number; to: number } | undefined {
  const absolute = (json: Record<string, unknown> | undefined): number | undefined => {
    if (!json || !text.doc) return undefined;
    const found = Y.createAbsolutePositionFromRelativePosition(Y.createRelativePositionFromJSON(json), text.doc);
    return found?.type === text ? found.index : undefined;
  };
  const [from, to] = [absolute(location.from), absolute(location.to)];
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  return findQuote(text.toString(), location);
}
