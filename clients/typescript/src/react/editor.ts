"use client";

import { type SharedEditor, type SharedEditorState, sharedEditor } from "../editors/shared.js";
import { useRoom, useRoundtable } from "./context.js";
import { useEffect, useMemo, useState } from "./react.js";
import { useWhole } from "./select.js";

export type { SharedEditor, SharedEditorState } from "../editors/shared.js";

/**
 * A shared editor of the room: its Yjs document, its awareness and its provider, the same for all
 * components. It connects when it is mounted. On a server, do not read its awareness and provider: they
 * have timers. Below a `<Room>` with a `fallback`, nothing is rendered there.
 */
export function useSharedEditor(editorId = "body"): SharedEditor {
  const store = useRoundtable();
  const { documentId } = useRoom().address;
  const [generation, setGeneration] = useState(0);
  const editor = useMemo(() => sharedEditor(store, documentId, editorId), [store, documentId, editorId, generation]);
  useEffect(() => {
    // A page that shows a hidden part again comes later than the end of what it had.
    if (editor.hasEnded) setGeneration((before) => before + 1);
    else return editor.enter();
  }, [editor]);
  return editor;
}

/** How a shared editor is: connected, synced, writable, saved. */
export function useSharedEditorState(editor: SharedEditor): SharedEditorState {
  return useWhole(editor.state);
}
