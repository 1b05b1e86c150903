import { CommentsExtension } from "@blocknote/core/comments";
import { BlockNoteView } from "@blocknote/mantine";
import "@blocknote/mantine/style.css";
import { BlockNoteViewEditor, FloatingComposerController, useExtension, useExtensionState } from "@blocknote/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { useRoundtableBlockNote } from "roundtable/blocknote";
import { Room, Roundtable } from "roundtable/react";
import { fetchToken } from "roundtable/store";
import { AvatarStack, ConnectionBadge, Inbox, ThreadList } from "roundtable/ui";
import "roundtable/ui/styles.css";
import people from "../people.json";
import "./page.css";

const me = people.find(({ id }) => id === new URLSearchParams(location.search).get("as")) ?? people[0]!;

function Page() {
  const editor = useRoundtableBlockNote({ user: me, domAttributes: { editor: { "aria-label": "Launch plan" } } });
  const { selectThread } = useExtension(CommentsExtension, { editor });
  const selected = useExtensionState(CommentsExtension, { editor, selector: (it) => it.selectedThreadId });
  return (
    <BlockNoteView className="page" editor={editor} renderEditor={false} comments={false}>
      <header><h1>Launch plan</h1><ConnectionBadge /><AvatarStack />
        <Inbox onOpen={(it) => selectThread(it.targetAnnotationId)} /></header>
      <main><BlockNoteViewEditor /><FloatingComposerController /></main>
      <aside aria-label="Comments"><ThreadList selected={selected} onSelect={selectThread} /></aside>
    </BlockNoteView>
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
