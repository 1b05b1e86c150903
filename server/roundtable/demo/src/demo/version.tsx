import CodeBlock from "@tiptap/extension-code-block";
import Collaboration from "@tiptap/extension-collaboration";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { useEffect, useState } from "react";
import type { EditorVersion } from "roundtable";
import { changesBetween } from "roundtable/history";
import { useRoundtable } from "roundtable/react";
import { RoundtableComments } from "roundtable/tiptap";
import * as Y from "yjs";

import { Change } from "./change.js";
import { Authors, Time, titleOf } from "./history.js";
import type { Session } from "./session.js";

const editorProps = { attributes: { "aria-label": "Text of the version", role: "document", tabindex: "0" } };

/** What {@link VersionText} is given. */
interface Props extends Session {
  version: EditorVersion;
  span: { from?: number | undefined; to: number };
  onClose: () => void;
  onRestore: () => void;
}

/** The text of a version, with what its authors wrote and deleted in their colors. */
export function VersionText({ organizationId, documentId, editorId, people, version, span, onClose, onRestore }: Props) {
  const { api } = useRoundtable();
  const [document] = useState(() => new Y.Doc());
  const [authors, setAuthors] = useState<string[]>([]);
  const [error, setError] = useState("");
  const extensions = [
    StarterKit.configure({ undoRedo: false, codeBlock: false, trailingNode: false }),
    // Code has no other marks.
    CodeBlock.extend({ marks: "ychange" }),
    RoundtableComments.extend({ addProseMirrorPlugins: () => [] }),
    Collaboration.configure({ document }),
    Change.configure({ people }),
  ];
  const editor = useEditor({ extensions, editorProps, editable: false }, [document]);
  const { from, to } = span;
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    changesBetween(api, { organizationId, documentId, editorId }, { from, to }, { signal }).then(
      (changes) => {
        if (signal.aborted || editor.isDestroyed) return;
        setError("");
        setAuthors([...changes.permanentUserData.dss.keys()]);
        editor.view.dispatch(editor.state.tr.setMeta(ySyncPluginKey, changes));
        // The plugin shows them later.
        setTimeout(() => editor.view.dom.querySelector("ins, del")?.scrollIntoView({ block: "center" }));
      },
      (failure: Error) => signal.aborted || setError(failure.message),
    );
    return () => left.abort();
  }, [api, editor, organizationId, documentId, editorId, from, to]);
  return (
    <div onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <div className="toolbar" role="group" aria-label="Version">
        <p role="status">
          <strong>{titleOf(version)}</strong> <Time at={to} /> <Authors people={people} userIds={authors} />
        </p>
        <button className="rt-submit" onClick={onRestore}>Restore</button>
      </div>
      {error && <p className="wait" role="alert">{error}</p>}
      <EditorContent editor={editor} />
    </div>
  );
}
