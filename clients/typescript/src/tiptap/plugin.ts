import { Fragment, type MarkType, type Node, Slice } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";

import { Later } from "../anchors/later.js";
import { anchorLocation } from "../anchors/location.js";
import { decorated, threadAt } from "../anchors/shown.js";
import type { Thread } from "../store/draft.js";
import type { RoomStore } from "../store/room.js";
import { type Range, rangeOf } from "./positions.js";

/** Where a thread is in the document. */
export interface ThreadRange extends Range {
  threadId: string;
  /** Whether a mark says so, or the place in the thread's `location`. */
  source: "mark" | "location";
}

/** What the plugin knows. */
export interface CommentsState {
  /** In the order of the document; a thread has more than one if its text was divided. */
  ranges: readonly ThreadRange[];
  selected: string | undefined;
  decorations: DecorationSet;
}

/** What a transaction tells the plugin. */
interface Told {
  /** The thread to select; null for none. */
  selected?: string | null;
  /** Places of threads are looked up anew. */
  resolves?: boolean;
}

/** The state of comments in an editor. */
export const commentsKey = new PluginKey<CommentsState>("roundtableComments");

/** What the plugin is told. */
export interface CommentsPluginOptions {
  room: RoomStore;
  editorId: string;
  mark: MarkType;
  /** A thread was clicked, or nothing. */
  onSelect: (threadId: string | undefined) => void;
}

/**
 * Shows the threads of a room: marks and places are in the document, and what a thread is like is only
 * on the screen, as decorations. It never changes the document.
 */
export function commentsPlugin(options: CommentsPluginOptions): Plugin<CommentsState> {
  const { room, mark } = options;
  const threads = (): ReadonlyMap<string, Thread> => room.threads.get().threads;
  const shown = (document: Node, ranges: readonly ThreadRange[], selected: string | undefined): CommentsState => ({
    ranges,
    selected,
    decorations: DecorationSet.create(document, decorated({ ranges, selected }, threads(), Decoration.inline)),
  });
  return new Plugin<CommentsState>({
    key: commentsKey,
    state: {
      init: (_, state) => shown(state.doc, marked(state.doc, mark), undefined),
      apply: (transaction, before, _, state) => {
        const told = transaction.getMeta(commentsKey) as Told | undefined;
        if (!transaction.docChanged && !told) return before;
        const selected = told?.selected === undefined ? before.selected : (told.selected ?? undefined);
        const marks = transaction.docChanged
          ? marked(state.doc, mark)
          : before.ranges.filter(({ source }) => source === "mark");
        const places = told?.resolves
          ? located(state, marks, threads(), options.editorId)
          : mapped(before.ranges, transaction);
        return shown(state.doc, ordered([...marks, ...places]), selected);
      },
    },
    props: {
      decorations: (state) => commentsKey.getState(state)?.decorations,
      handleClick: (view, position) => {
        const ranges = commentsKey.getState(view.state)?.ranges ?? [];
        options.onSelect(threadAt(ranges, position, threads()));
        return false;
      },
      transformPasted: (slice) => {
        const known = threads();
        const fragment = mapMarks(slice.content, mark, (threadId) => known.has(threadId));
        return fragment === slice.content ? slice : new Slice(fragment, slice.openStart, slice.openEnd);
      },
    },
    view: (view) => new Follower(view, room),
  });
}

/** Shows again when threads change, or somebody else changed the document. */
class Follower {
  readonly #end: () => void;
  /** What binds the editor to Yjs is behind while a transaction is applied. */
  readonly #later = new Later(() => this.#resolve());

  readonly #view: EditorView;

  constructor(view: EditorView, room: RoomStore) {
    this.#view = view;
    this.#end = room.threads.subscribe(this.#later.ask);
    this.#later.ask();
  }

  update(view: EditorView, before: EditorState): void {
    if (view.state.doc !== before.doc && isOfOthers(view.state, before)) this.#later.ask();
  }

  destroy(): void {
    this.#later.end();
    this.#end();
  }

  #resolve(): void {
    const told: Told = { resolves: true };
    this.#view.dispatch(this.#view.state.tr.setMeta(commentsKey, told).setMeta("addToHistory", false));
  }
}

/** Whether the binding to Yjs made the last change; it keeps that in its state. */
function isOfOthers(state: EditorState, before: EditorState): boolean {
  const plugin = state.plugins.find((it) => (it as unknown as { key: string }).key.startsWith("y-sync$"));
  const sync = plugin?.getState(state) as { isChangeOrigin?: boolean } | undefined;
  return sync?.isChangeOrigin === true && plugin?.getState(before) !== sync;
}

/** Selects a thread. */
export function selected(transaction: Transaction, threadId: string | undefined): Transaction {
  const told: Told = { selected: threadId ?? null };
  return transaction.setMeta(commentsKey, told);
}

/** Ranges with a mark; pieces of one thread that touch are one range. */
function marked(document: Node, type: MarkType): ThreadRange[] {
  const ranges: ThreadRange[] = [];
  const open = new Map<string, ThreadRange>();
  document.descendants((node, position) => {
    if (!node.isInline) return;
    for (const { attrs } of node.marks.filter((mark) => mark.type === type)) {
      const threadId = String(attrs["threadId"]);
      const last = open.get(threadId);
      if (last?.to === position) last.to = position + node.nodeSize;
      else {
        const range: ThreadRange = { threadId, from: position, to: position + node.nodeSize, source: "mark" };
        open.set(threadId, range);
        ranges.push(range);
      }
    }
  });
  return ranges;
}

/** Ranges of threads without a mark. */
function located(
  state: EditorState,
  marks: readonly ThreadRange[],
  threads: ReadonlyMap<string, Thread>,
  editorId: string,
): ThreadRange[] {
  const hasMark = new Set(marks.map(({ threadId }) => threadId));
  const found: ThreadRange[] = [];
  for (const thread of threads.values()) {
    const threadId = thread.annotationId;
    const location = hasMark.has(threadId) ? undefined : anchorLocation(thread.location, editorId);
    const range = location && rangeOf(state, location);
    if (range) found.push({ threadId, ...range, source: "location" });
  }
  return found;
}

/** Ranges without a mark after a change: what is typed at their ends is not in them. */
function mapped(ranges: readonly ThreadRange[], { mapping }: Transaction): ThreadRange[] {
  return ranges
    .filter(({ source }) => source === "location")
    .map((range) => ({ ...range, from: mapping.map(range.from, 1), to: mapping.map(range.to, -1) }))
    .filter(({ from, to }) => from < to);
}

function ordered(ranges: ThreadRange[]): ThreadRange[] {
  return ranges.sort((a, b) => a.from - b.from || b.to - a.to);
}

/** The same content without marks of threads that are not kept. */
function mapMarks(content: Fragment, type: MarkType, isKept: (threadId: string) => boolean): Fragment {
  let isSame = true;
  const nodes: Node[] = [];
  content.forEach((node) => {
    const marks = node.marks.filter((mark) => mark.type !== type || isKept(String(mark.attrs["threadId"])));
    const inner = mapMarks(node.content, type, isKept);
    const next = node.isText ? node.mark(marks) : node.type.create(node.attrs, inner, marks);
    const isKeptNode = marks.length === node.marks.length && inner === node.content;
    nodes.push(isKeptNode ? node : next);
    if (!isKeptNode) isSame = false;
  });
  return isSame ? content : Fragment.fromArray(nodes);
}
