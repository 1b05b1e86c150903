import type { BlockNoteEditor, BlockNoteEditorOptions } from "@blocknote/core";
import { CommentsExtension } from "@blocknote/core/comments";
import { withCollaboration } from "@blocknote/core/yjs";
import { useCreateBlockNote } from "@blocknote/react";
import { absolutePositionToRelativePosition, ySyncPluginKey } from "y-prosemirror";
import * as Y from "yjs";

import type { CommentAnchor } from "../generated/types.js";
import { useRoom, useRoundtable } from "../react/context.js";
import { useSharedEditor, useSharedEditorState } from "../react/editor.js";
import { useEffect, useMemo, useRef } from "../react/react.js";
import { FRAGMENT, beginning } from "./beginning.js";
import { RoundtableThreadStore, type ThreadStoreOptions } from "./thread_store.js";
import { userStoreOf } from "./users.js";

/** The mark of BlockNote's comments. */
const MARK = "comment";

/** Options of BlockNote, and those of its sharing. */
export interface BlockNoteOptions
  extends Partial<BlockNoteEditorOptions<any, any, any>>,
    Pick<ThreadStoreOptions, "mentionsOf"> {
  /** The shared editor; `body` when absent. */
  editorId?: string;
  /** Name and color of the user's cursor. */
  user: { name: string; color: string };
}

/**
 * An editor of the room with cursors and comments, for `<BlockNoteView comments={false}>` and BlockNote's
 * comment components. Use it below a `<Room>` with a `fallback`, which waits for the threads. It may be
 * written in as soon as it has the document.
 *
 * ```tsx
 * const editor = useRoundtableBlockNote({ user: { name: "Ada", color: "#2a55d6" } });
 * return <BlockNoteView editor={editor} comments={false}><ThreadsSidebar filter="all" /></BlockNoteView>;
 * ```
 */
export function useRoundtableBlockNote({
  editorId = "body",
  user,
  mentionsOf,
  ...options
}: BlockNoteOptions): BlockNoteEditor<any, any, any> {
  const store = useRoundtable();
  const room = useRoom();
  const shared = useSharedEditor(editorId);
  const made = useRef<BlockNoteEditor<any, any, any>>(undefined);
  const mentions = useRef(mentionsOf);
  mentions.current = mentionsOf;
  const comments = useMemo(() => {
    const threadStore = new RoundtableThreadStore(store, room, {
      editorId,
      anchorOf: () => made.current && anchorOf(made.current, editorId),
      ...(mentionsOf && { mentionsOf: (body) => mentions.current?.(body) ?? [] }),
    });
    return CommentsExtension({ threadStore, resolveUsers: userStoreOf(store) });
    // The function may be another one with each render; whether there is one may not.
  }, [store, room, editorId, mentionsOf !== undefined]);
  const fragment = shared.document.getXmlFragment(FRAGMENT);
  const collaboration = { provider: shared.provider, fragment, user };
  const begin = beginning(shared, fragment, () => store.role === "editor");
  const extensions = [...(options.extensions ?? []), comments, begin];
  // BlockNote shows one root: what is typed before the document is here makes another one, and hides one of both.
  const editorProps = { ...options._tiptapOptions?.editorProps, editable: () => shared.state.get().isLoaded };
  const _tiptapOptions = { ...options._tiptapOptions, editorProps };
  const editor = useCreateBlockNote(
    withCollaboration({ ...options, collaboration, extensions, _tiptapOptions }),
    [shared, comments],
  );
  const { isLoaded } = useSharedEditorState(shared);
  useEffect(() => {
    // An editor asks again whether it may be written in.
    if (isLoaded && !editor.headless) editor.prosemirrorView.setProps({});
  }, [isLoaded, editor]);
  made.current = editor as BlockNoteEditor<any, any, any>;
  return made.current;
}

/** The selected text, as the service marks it. */
function anchorOf(editor: BlockNoteEditor<any, any, any>, editorId: string): CommentAnchor | undefined {
  const state = editor.prosemirrorState;
  const { binding } = (ySyncPluginKey.getState(state) ?? {}) as { binding?: { type: Y.XmlFragment; mapping: never } };
  const { from, to, empty } = state.selection;
  if (!binding || empty) return undefined;
  const relative = (position: number): CommentAnchor["from"] =>
    Y.relativePositionToJSON(
      absolutePositionToRelativePosition(position, binding.type, binding.mapping) as Y.RelativePosition,
    );
  return { editorId, mark: MARK, from: relative(from), to: relative(to) };
}
