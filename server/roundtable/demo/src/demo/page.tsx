import { posToDOMRect } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import CollaborationCaret from "@tiptap/extension-collaboration-caret";
import { Selection } from "@tiptap/extensions";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useEffect, useRef, useState } from "react";
import type { EditorVersion } from "roundtable";
import { useRoom } from "roundtable/react";
import { useSharedEditor } from "roundtable/react/editor";
import { RoundtableComments, addComment } from "roundtable/tiptap";
import { type Anchor, Avatar, AvatarStack, ConnectionBadge, FloatingComposer, Inbox, ThreadList } from "roundtable/ui";

import { History } from "./history.js";
import type { Session } from "./session.js";
import { Toolbar } from "./toolbar.js";
import { VersionText } from "./version.js";
import { spanOf, useVersions } from "./versions.js";

const editorProps = { attributes: { "aria-label": "Text of the document", role: "textbox", "aria-multiline": "true" } };

/** A document that several people write and comment on. */
export function Page(session: Session) {
  const { me, people, editorId } = session;
  const room = useRoom();
  const { document, provider } = useSharedEditor(editorId);
  const [selected, select] = useState<string>();
  const [anchor, setAnchor] = useState<Anchor>();
  const [hasHistory, setHistory] = useState(false);
  const [version, setVersion] = useState<EditorVersion>();
  const versions = useVersions(session, document, hasHistory);
  const opener = useRef<HTMLButtonElement>(null);
  const extensions = [
    StarterKit.configure({ undoRedo: false }),
    Selection,
    Collaboration.configure({ document }),
    CollaborationCaret.configure({ provider, user: me }),
    RoundtableComments.configure({ room, editorId, onSelect: select }),
  ];
  const editor = useEditor({ extensions, editorProps }, [room, document, provider]);
  const show = (threadId: string | undefined) => {
    select(threadId);
    editor.commands.selectThread(threadId);
  };
  useEffect(() => void editor.commands.selectThread(selected), [editor, selected]);
  const ask = () => {
    const { from, to } = editor.state.selection;
    setAnchor({ getBoundingClientRect: () => posToDOMRect(editor.view, from, to) });
  };
  const leave = () => {
    setHistory(false);
    setVersion(undefined);
  };
  const close = () => {
    leave();
    // The button takes the focus back when it is seen again.
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <>
      <header>
        <h1>Roundtable <span>demo</span></h1>
        <ConnectionBadge />
        <nav aria-label="People">
          {people.filter(({ userId }) => userId !== me.userId).map(({ userId, name }) => (
            <a key={userId} href={`/demo/?as=${userId}`} target={`demo-${userId}`}>Open as {name}</a>))}
        </nav>
        <AvatarStack />
        <Inbox
          onOpen={({ targetAnnotationId }) => {
            leave();
            show(targetAnnotationId);
          }}
        />
        <Avatar userId={me.userId} />
      </header>
      <main>
        <div hidden={version !== undefined}>
          <Toolbar
            editor={editor}
            onComment={ask}
            hasHistory={hasHistory}
            opener={opener}
            onHistory={() => (hasHistory ? close() : setHistory(true))}
          />
          <EditorContent editor={editor} />
        </div>
        {version && (
          <VersionText
            {...session}
            version={version}
            span={spanOf(versions.all ?? [], version)}
            onClose={() => setVersion(undefined)}
            onRestore={() => void versions.restore(version).then((isRestored) => isRestored && setVersion(undefined))}
          />
        )}
      </main>
      <aside aria-label={hasHistory ? "History" : "Comments"}>
        {hasHistory ? (
          <History versions={versions} people={people} shown={version} onShow={setVersion} onClose={close} />
        ) : (
          <ThreadList selected={selected} onSelect={show} />
        )}
      </aside>
      <FloatingComposer
        anchor={anchor}
        onClose={() => setAnchor(undefined)}
        onSubmit={(comment) => {
          select(addComment(editor, comment).thread.annotationId);
          editor.commands.setTextSelection(editor.state.selection.to);
          setAnchor(undefined);
        }}
      />
      <footer>
        <a href="/kit/">All parts of the kit</a> <a href="/docs/">Documentation</a> <a href="/">Console</a>
      </footer>
    </>
  );
}
