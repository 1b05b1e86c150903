import { type Editor, Mark, mergeAttributes } from "@tiptap/core";
import type { Transaction } from "@tiptap/pm/state";

import type { CommentContent } from "../store/change.js";
import type { Thread } from "../store/draft.js";
import { randomName } from "../random.js";
import type { RoomStore } from "../store/room.js";
import { type ThreadRange, commentsKey, commentsPlugin, selected } from "./plugin.js";
import { locationOf } from "./positions.js";

/** The name of the mark; the `anchorMark` of an API key whose commenters' comments the service marks. */
export const COMMENT_MARK = "roundtableComment";

const NO_ROOM = "RoundtableComments needs a room.";

/** What {@link RoundtableComments} is configured with. */
export interface RoundtableCommentsOptions {
  /** The document: `useRoom()`, or `store.room(documentId)`. */
  room: RoomStore | undefined;
  /** The shared editor. */
  editorId: string;
  /**
   * Who marks the text of a new thread: `editor`, this one, if the user may edit; `service`, for commenters,
   * if the API key has the mark as its `anchorMark`; `nobody`, when the place in the thread is enough.
   */
  marks: "editor" | "service" | "nobody";
  /** A thread was clicked in the text, or text without one. By default, it is selected. */
  onSelect: ((threadId: string | undefined) => void) | undefined;
}

/** A comment on a range of the text. */
export interface NewAnchoredComment extends CommentContent {
  /** The id of the thread; random when absent. */
  id?: string;
}

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    roundtableComments: {
      /** Begins a thread on the selected text; not if none is selected. */
      addComment: (comment: NewAnchoredComment) => ReturnType;
      /** Shows a thread as selected and scrolls to it; `undefined` selects none. */
      selectThread: (threadId: string | undefined) => ReturnType;
    };
  }
}

/**
 * Comments on the text of a Tiptap editor. A thread is a mark `{threadId}` in the document. What the
 * thread is like (open, resolved, selected, pending) is never written there, so readers write nothing.
 *
 * ```ts
 * const extensions = [StarterKit.configure({ undoRedo: false }), Collaboration.configure({ document }),
 *   RoundtableComments.configure({ room, editorId: "body" })];
 * editor.commands.addComment({ text: "Really?" });
 * ```
 *
 * `roundtable/ui/styles.css` has colors for the classes `rt-comment--open`, `--resolved`, `--pending` and `--selected`.
 */
export const RoundtableComments = Mark.create<RoundtableCommentsOptions>({
  name: COMMENT_MARK,
  // Threads may overlap, and what is typed at the end of one is not in it.
  excludes: "",
  inclusive: false,

  addOptions() {
    return { room: undefined, editorId: "body", marks: "editor", onSelect: undefined };
  },

  addAttributes() {
    return {
      threadId: {
        default: "",
        parseHTML: (element) => element.getAttribute("data-rt-thread"),
        renderHTML: ({ threadId }) => ({ "data-rt-thread": String(threadId) }),
      },
    };
  },

  parseHTML() {
    return [{ tag: "span[data-rt-thread]" }];
  },

  renderHTML({ HTMLAttributes }) {
    return ["span", mergeAttributes(HTMLAttributes), 0];
  },

  addCommands() {
    return {
      addComment:
        (comment) =>
        ({ editor, state, tr, dispatch }) => {
          if (state.selection.empty || !this.options.room) return false;
          if (dispatch) beginThread(editor, this.options, comment, tr);
          return true;
        },
      selectThread:
        (threadId) =>
        ({ tr, state, dispatch }) => {
          const range = threadRanges(state).find((it) => it.threadId === threadId);
          if (threadId !== undefined && !range) return false;
          dispatch?.(selected(tr, threadId));
          if (dispatch && range) queueMicrotask(() => scrollTo(this.editor, range));
          return true;
        },
    };
  },

  addProseMirrorPlugins() {
    const { room, editorId, onSelect } = this.options;
    if (!room) throw new Error(NO_ROOM);
    const mark = this.editor.schema.marks[COMMENT_MARK];
    if (!mark) return [];
    const select = (threadId: string | undefined): void =>
      this.editor.view.dispatch(selected(this.editor.state.tr, threadId));
    return [commentsPlugin({ room, editorId, mark, onSelect: onSelect ?? select })];
  },
});

/**
 * Begins a thread on the selected text, as the command `addComment` does, and returns it.
 *
 * @throws Error if nothing is selected, or the editor has no `RoundtableComments`.
 */
export function addComment(editor: Editor, comment: NewAnchoredComment): { thread: Thread; sent: Promise<void> } {
  const extension = editor.extensionManager.extensions.find(({ name }) => name === COMMENT_MARK);
  if (!extension) throw new Error("The editor has no RoundtableComments.");
  if (editor.state.selection.empty) throw new Error("No text is selected.");
  const { tr } = editor.state;
  const begun = beginThread(editor, extension.options as RoundtableCommentsOptions, comment, tr);
  if (tr.docChanged) editor.view.dispatch(tr);
  return begun;
}

/** Where threads are in the document, in its order. */
export function threadRanges(state: Editor["state"]): readonly ThreadRange[] {
  return commentsKey.getState(state)?.ranges ?? [];
}

/** The selected thread. */
export function selectedThread(state: Editor["state"]): string | undefined {
  return commentsKey.getState(state)?.selected;
}

function beginThread(
  editor: Editor,
  { room, editorId, marks }: RoundtableCommentsOptions,
  comment: NewAnchoredComment,
  transaction: Transaction,
): { thread: Thread; sent: Promise<void> } {
  if (!room) throw new Error(NO_ROOM);
  const { id = randomName(), ...content } = comment;
  const { from, to } = transaction.selection;
  const location = locationOf(editor.state, { from, to }, editorId);
  const anchor =
    marks === "service" && location.from && location.to
      ? { editorId, from: location.from, to: location.to, mark: COMMENT_MARK }
      : undefined;
  const begun = room.createThread({ id, comment: content, location: { ...location }, anchor });
  const mark = editor.schema.marks[COMMENT_MARK];
  if (marks === "editor" && editor.isEditable && mark) {
    transaction.addMark(from, to, mark.create({ threadId: id }));
    begun.sent.catch(() => removeMarks(editor, id));
  }
  return begun;
}

/** A thread that was refused leaves no mark. */
function removeMarks(editor: Editor, threadId: string): void {
  const mark = editor.schema.marks[COMMENT_MARK];
  if (editor.isDestroyed || !mark) return;
  const { tr } = editor.state;
  for (const { from, to } of threadRanges(editor.state).filter(
    (it) => it.threadId === threadId && it.source === "mark",
  )) {
    tr.removeMark(from, to, mark.create({ threadId }));
  }
  if (tr.docChanged) editor.view.dispatch(tr.setMeta("addToHistory", false));
}

function scrollTo(editor: Editor, { from }: ThreadRange): void {
  if (editor.isDestroyed) return;
  const { node } = editor.view.domAtPos(from);
  const element = node instanceof HTMLElement ? node : node.parentElement;
  element?.scrollIntoView?.({ block: "nearest" });
}
