import { EditorView, basicSetup } from "codemirror";
import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { addComment, roundtableComments, selectThread } from "roundtable/codemirror";
import { Room, Roundtable, useRoom } from "roundtable/react";
import { useSharedEditor } from "roundtable/react/editor";
import { fetchToken } from "roundtable/store";
import { AvatarStack, ConnectionBadge, FloatingComposer, Inbox, ThreadList } from "roundtable/ui";
import "roundtable/ui/styles.css";
import { yCollab } from "y-codemirror.next";
import people from "../people.json";
import "./page.css";

const me = people.find(({ id }) => id === new URLSearchParams(location.search).get("as")) ?? people[0]!;

function Page() {
  const room = useRoom();
  const { document: shared, awareness } = useSharedEditor("body");
  const main = useRef<HTMLElement>(null);
  const [view, setView] = useState<EditorView>();
  const [selected, select] = useState<string>();
  const [anchor, setAnchor] = useState<Range>();
  useEffect(() => {
    awareness.setLocalStateField("user", { ...me, colorLight: `${me.color}33` });
    const text = shared.getText("content");
    const comments = roundtableComments({ room, text, editorId: "body", onSelect: select });
    const extensions = [basicSetup, EditorView.lineWrapping, yCollab(text, awareness), comments,
      EditorView.theme({}, { dark: matchMedia("(prefers-color-scheme: dark)").matches }),
      EditorView.contentAttributes.of({ "aria-label": "Launch plan" })];
    const made = new EditorView({ parent: main.current!, doc: text.toString(), extensions });
    setView(made);
    return () => made.destroy();
  }, [room, shared, awareness]);
  useEffect(() => void (view && selectThread(view, selected)), [view, selected]);
  const ask = () => view?.state.selection.main.empty || setAnchor(getSelection()?.getRangeAt(0).cloneRange());
  return (
    <div className="page">
      <header><h1>Launch plan</h1><button className="rt-button" onClick={ask}>Comment</button><ConnectionBadge />
        <AvatarStack /><Inbox onOpen={(it) => select(it.targetAnnotationId)} /></header>
      <main ref={main} /><aside aria-label="Comments"><ThreadList selected={selected} onSelect={select} /></aside>
      <FloatingComposer anchor={anchor} onClose={() => setAnchor(undefined)}
        onSubmit={(comment) => (select(addComment(view!, comment).thread.annotationId), setAnchor(undefined))} />
    </div>
  );
}
const find = (query: string) => people.filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()));
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Roundtable baseUrl={import.meta.env.VITE_ROUNDTABLE_URL} organizationId="acme" userId={me.id}
      getToken={fetchToken(`/api/roundtable?as=${me.id}`)} resolveUsers={() => people} resolveMentions={find}>
      <Room documentId="launch" fallback={<p>Loading …</p>}><Page /></Room>
    </Roundtable>
  </StrictMode>,
);
