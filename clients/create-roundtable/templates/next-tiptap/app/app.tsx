"use client";
import Collaboration from "@tiptap/extension-collaboration";
import CollaborationCaret from "@tiptap/extension-collaboration-caret";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useState } from "react";
import { Room, Roundtable, useRoom } from "roundtable/react";
import { useSharedEditor } from "roundtable/react/editor";
import { fetchToken } from "roundtable/store";
import { RoundtableComments, addComment } from "roundtable/tiptap";
import { AvatarStack, ConnectionBadge, FloatingComposer, Inbox, ThreadList } from "roundtable/ui";
import people from "../people.json";

type Person = (typeof people)[number];

function Page({ me }: { me: Person }) {
  const room = useRoom();
  const { document: shared, provider } = useSharedEditor("body");
  const [selected, select] = useState<string>();
  const [anchor, setAnchor] = useState<Range>();
  const extensions = [StarterKit.configure({ undoRedo: false }), Collaboration.configure({ document: shared }),
    CollaborationCaret.configure({ provider, user: me }), RoundtableComments.configure({ room, onSelect: select })];
  const editorProps = { attributes: { "aria-label": "Launch plan" } };
  const editor = useEditor({ immediatelyRender: false, extensions, editorProps }, [room, shared, provider]);
  const show = (id: string | undefined) => (select(id), editor?.commands.selectThread(id));
  const ask = () => editor?.state.selection.empty || setAnchor(getSelection()?.getRangeAt(0).cloneRange());
  return (
    <div className="page">
      <header><h1>Launch plan</h1><button className="rt-button" onClick={ask}>Comment</button><ConnectionBadge />
        <AvatarStack /><Inbox onOpen={(it) => show(it.targetAnnotationId)} /></header>
      <main><EditorContent editor={editor} /></main>
      <aside aria-label="Comments"><ThreadList selected={selected} onSelect={show} /></aside>
      <FloatingComposer anchor={anchor} onClose={() => setAnchor(undefined)}
        onSubmit={(comment) => (addComment(editor!, comment), setAnchor(undefined))} />
    </div>
  );
}
const find = (query: string) => people.filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()));

export const App = ({ url, me }: { url: string; me: Person }) => (
  <Roundtable baseUrl={url} organizationId="acme" userId={me.id}
    getToken={fetchToken(`/api/roundtable?as=${me.id}`)} resolveUsers={() => people} resolveMentions={find}>
    <Room documentId="launch" fallback={<p>Loading …</p>}><Page me={me} /></Room>
  </Roundtable>
);
