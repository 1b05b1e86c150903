import type { ChainedCommands, Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import type { Ref } from "react";

/** A name, a drawing, what a click does, and what the format is called in the document. */
type Tool = [name: string, path: string, toggle: (it: ChainedCommands) => ChainedCommands, format: string];

const TOOLS: Tool[] = [
  ["Heading", "M6 5v14M18 5v14M6 12h12", (it) => it.toggleHeading({ level: 2 }), "heading"],
  ["Bold", "M7 5h6a3.5 3.5 0 0 1 0 7H7zm0 7h7a3.5 3.5 0 0 1 0 7H7z", (it) => it.toggleBold(), "bold"],
  ["Italic", "M10 5h8M6 19h8M14 5l-4 14", (it) => it.toggleItalic(), "italic"],
  ["Strike", "M4 12h16M17 8c0-4-10-4-10 0M7 16c0 4 10 4 10 0", (it) => it.toggleStrike(), "strike"],
  ["Code", "M8 7l-5 5 5 5m8-10l5 5-5 5", (it) => it.toggleCode(), "code"],
  ["List", "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01", (it) => it.toggleBulletList(), "bulletList"],
  ["Quote", "M10 12H5V6h5v7q0 4-4 5m13-6h-5V6h5v7q0 4-4 5", (it) => it.toggleBlockquote(), "blockquote"],
];
const COMMENT = "M4 5h16v11h-9l-5 4v-4h-2z";
const HISTORY = "M4 4v5h5M4.5 9a8 8 0 1 1-.5 4m8-6v5l3 2";

const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" width={18} height={18} aria-hidden="true" fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round" strokeLinejoin="round">
    <path d={path} />
  </svg>
);

/** What {@link Toolbar} is given. */
interface Props {
  editor: Editor;
  onComment: () => void;
  /** Whether the history is open, the button that opens it, and what a click does. */
  hasHistory: boolean;
  opener: Ref<HTMLButtonElement>;
  onHistory: () => void;
}

/** Formats of the selected text, a button that comments on it, and one that shows what it was before. */
export function Toolbar({ editor, onComment, hasHistory, opener, onHistory }: Props) {
  const { formats, isEmpty } = useEditorState({
    editor,
    selector: ({ editor: it }) => ({
      formats: TOOLS.map(([, , , format]) => it.isActive(format)),
      isEmpty: it.state.selection.empty,
    }),
  });
  return (
    <div className="toolbar" role="group" aria-label="Format" onMouseDown={(event) => event.preventDefault()}>
      {TOOLS.map(([name, path, toggle], at) => (
        <button
          key={name}
          className="rt-tool"
          title={name}
          aria-label={name}
          aria-pressed={formats[at]}
          onClick={() => toggle(editor.chain().focus()).run()}
        >
          <Icon path={path} />
        </button>
      ))}
      <button className="rt-button" disabled={isEmpty} title="Select text to comment on it" onClick={onComment}>
        <Icon path={COMMENT} /> <span>Comment</span>
      </button>
      <button ref={opener} className="rt-button" aria-expanded={hasHistory} onClick={onHistory}>
        <Icon path={HISTORY} /> <span>History</span>
      </button>
    </div>
  );
}
