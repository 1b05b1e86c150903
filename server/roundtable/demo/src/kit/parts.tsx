import { type ReactNode, useState } from "react";
import { useOthers, useRoundtable, useThreads } from "roundtable/react";
import * as ui from "roundtable/ui";

import { users } from "./content.js";
import type { State } from "./stores.js";

/** A part in one of its states. */
export interface Shown {
  label: string;
  /** That of the document; `usual` when absent. */
  state?: State;
  isDark?: boolean;
  part: ReactNode;
}

/** A part of the kit. */
export interface PartOfKit {
  name: string;
  about: string;
  /** To copy. */
  code: string;
  shown: Shown[];
  /** Whether it needs much room. */
  isWide?: boolean;
}

const Thread = ({ id }: { id: string }) => {
  const thread = useThreads().threads.find(({ annotationId }) => annotationId === id);
  return thread && <ui.Thread thread={thread} />;
};

const Reactions = ({ quick }: { quick?: string[] }) => {
  const thread = useThreads().threads.find(({ annotationId }) => annotationId === "launch");
  const [comment] = thread?.comments ?? [];
  return comment && <ui.Reactions threadId="launch" comment={comment} {...(quick && { quick })} />;
};

function Floating() {
  const [anchor, setAnchor] = useState<Element>();
  return (
    <p>
      We launch on <button className="rt-button" onClick={(event) => setAnchor(event.currentTarget)}>Monday</button>
      <ui.FloatingComposer anchor={anchor} thread={{ location: { id: "day", quote: "Monday" } }} onClose={() => setAnchor(undefined)} />
    </p>
  );
}

function Mentions({ query, id }: { query: string; id: string }) {
  const [picked, pick] = useState<string>();
  const people = ui.useMentionable(query);
  return <>{picked ?? <ui.MentionList id={id} people={people} onPick={({ name }) => pick(name)} />}</>;
}

const Board = ({ children }: { children?: ReactNode }) => <ui.Cursors className="board">{children}</ui.Cursors>;

function Pins() {
  const pinned = useThreads().threads.filter(({ location }) => typeof location?.x === "number");
  return <Board>{pinned.map((it) => <ui.CommentPin key={it.annotationId} thread={it} />)}</Board>;
}

function OpenThread({ id = "launch" }: { id?: string }) {
  const [anchor, setAnchor] = useState<Element>();
  return (
    <p>
      We launch on <button className="rt-button" onClick={(event) => setAnchor(event.currentTarget)}>Monday</button>
      <ui.FloatingThread anchor={anchor} threadId={id} onClose={() => setAnchor(undefined)} />
    </p>
  );
}

function Presence() {
  const { users: people } = useRoundtable();
  const names = useOthers((others) => others.map(({ userId }) => people.of(userId).name).join(", "));
  return <p>{names === "" ? "Nobody else is here." : `Here as well: ${names}`}</p>;
}

const everybody = users.map(({ userId }) => userId);
const states = (part: ReactNode, ...which: State[]): Shown[] => which.map((state) => ({ label: LABELS[state], state, part }));
const dark = (part: ReactNode): Shown => ({ label: "Dark", isDark: true, part });

const LABELS: Record<State, string> = {
  usual: "Usual", empty: "Empty", loading: "Loading", error: "Error", offline: "Offline", refused: "Refused", sending: "Sending", rtl: "Right to left",
};

/** All parts, in the order of the page. */
export const PARTS: PartOfKit[] = [
  {
    name: "ThreadList",
    about: "The threads of the room. Buttons choose which, unless `filter` does.",
    code: `<ThreadList selected={selected} onSelect={select} />`,
    isWide: true,
    shown: [
      { label: "Many", part: <ui.ThreadList filter="all" /> },
      ...states(<ui.ThreadList />, "empty", "loading", "error", "offline", "refused", "rtl"),
      dark(<ui.ThreadList />),
    ],
  },
  {
    name: "Thread",
    about: "Its comments, a field for an answer, and a button that resolves it.",
    code: `<Thread thread={thread} onSelect={select} />`,
    isWide: true,
    shown: [
      { label: "Usual", part: <Thread id="price" /> },
      { label: "Unread", part: <Thread id="launch" /> },
      { label: "Resolved", part: <Thread id="typo" /> },
      ...states(<Thread id="launch" />, "sending", "refused"),
    ],
  },
  {
    name: "Composer",
    about: "A field for a comment. Enter sends, Shift and Enter begins a line, @ looks for people.",
    code: `<Composer thread={{ location: { id: "intro" } }} onSent={select} />\n<Composer threadId={thread.annotationId} />`,
    isWide: true,
    shown: [
      { label: "New thread", part: <ui.Composer /> },
      { label: "Answer", part: <ui.Composer threadId="launch" /> },
      { label: "With a text", part: <ui.Composer initial="**Now**, or on _Monday_?" label="A text to begin with" onCancel={() => {}} /> },
      ...states(<ui.Composer />, "rtl"),
      dark(<ui.Composer />),
    ],
  },
  {
    name: "FloatingComposer",
    about: "The same beside what it is about: an element, a range or a rectangle.",
    code: `<FloatingComposer anchor={anchor} thread={{ location: { id: "day" } }}\n  onSent={select} onClose={() => setAnchor(undefined)} />`,
    shown: [{ label: "Beside a button", state: "empty", part: <Floating /> }],
  },
  {
    name: "Inbox",
    about: "A bell that opens the notifications in a native popover; to open one marks it as read.",
    code: `<Inbox onOpen={({ targetAnnotationId }) => select(targetAnnotationId)} />`,
    shown: [...states(<ui.Inbox />, "usual", "empty", "loading", "error", "rtl"), dark(<ui.Inbox />)],
  },
  {
    name: "InboxList",
    about: "The notifications on a page of their own.",
    code: `<InboxList onOpen={open} unread />`,
    isWide: true,
    shown: [...states(<ui.InboxList />, "usual", "empty", "loading", "error", "rtl"), dark(<ui.InboxList />)],
  },
  {
    name: "Bell",
    about: "The number of unread notifications, for an inbox of your own.",
    code: `<Bell isExpanded={isOpen} onClick={() => setOpen(!isOpen)} />`,
    shown: [...states(<ui.Bell />, "usual", "empty"), dark(<ui.Bell />)],
  },
  {
    name: "AvatarStack",
    about: "Who else is in the room, or whomever it is given.",
    code: `<AvatarStack max={4} />\n<AvatarStack userIds={["ada", "bob"]} />`,
    shown: [
      { label: "In the room", part: <ui.AvatarStack /> },
      { label: "Many", part: <ui.AvatarStack userIds={everybody} max={4} /> },
      { label: "Letters", part: <ui.Avatar userId="bob" /> },
      { label: "Picture", part: <ui.Avatar userId="cy" /> },
      ...states(<ui.AvatarStack />, "rtl"),
      dark(<ui.AvatarStack userIds={everybody} max={4} />),
    ],
  },
  {
    name: "Presence",
    about: "No part, but a hook: who is here, as your page likes to say it.",
    code: `const names = useOthers((others) => others.map(({ userId }) => userId).join(", "));`,
    shown: states(<Presence />, "usual", "empty", "rtl"),
  },
  {
    name: "Cursors",
    about: "An element with the pointers of others who are in it: told ten times a second at most, and kept nowhere. Cursors in a text are those of its editor, as in the demo.",
    code: `<Cursors id="board">…</Cursors>`,
    shown: [{ label: "Bob and Cy", part: <Board /> }, ...states(<Board />, "empty", "rtl"), dark(<Board />)],
  },
  {
    name: "CommentPin",
    about: "Who began a thread, at the `x` and `y` of its `location` in percent: a button that opens the thread beside it, or calls `onOpen`.",
    code: `<Cursors>\n  {threads.map((it) => <CommentPin key={it.annotationId} thread={it} />)}\n</Cursors>`,
    shown: [...states(<Pins />, "usual", "empty", "offline", "refused", "rtl"), dark(<Pins />)],
  },
  {
    name: "FloatingThread",
    about: "A thread beside what it is about: an element, a range or a rectangle.",
    code: `<FloatingThread anchor={anchor} threadId={selected} onClose={() => setAnchor(undefined)} />`,
    shown: [{ label: "Beside a button", part: <OpenThread /> }, { label: "Resolved", part: <OpenThread id="typo" /> }, ...states(<OpenThread />, "rtl")],
  },
  {
    name: "Reactions",
    about: "Who reacted how, and what else is offered.",
    code: `<Reactions threadId={threadId} comment={comment} quick={["👍", "👎"]} />`,
    shown: [
      { label: "Usual", part: <Reactions /> },
      { label: "Two are offered", part: <Reactions quick={["👍", "👎"]} /> },
      ...states(<Reactions />, "rtl"),
      dark(<Reactions />),
    ],
  },
  {
    name: "MentionList",
    about: "People to choose from, also by arrows and first letters. Composers have it.",
    code: `const people = useMentionable("b");\n\n<MentionList id="people" people={people} onPick={mention} />`,
    shown: [
      { label: "Some", part: <Mentions id="some" query="" /> },
      { label: "Nobody", part: <Mentions id="nobody" query="zz" /> },
      { label: "Dark", isDark: true, part: <Mentions id="dark" query="" /> },
    ],
  },
  {
    name: "ConnectionBadge",
    about: "Whether everything is stored, on its way, or waiting for the connection.",
    code: `<ConnectionBadge />`,
    shown: [...states(<ui.ConnectionBadge />, "usual", "sending", "offline", "rtl"), dark(<ui.ConnectionBadge />)],
  },
  {
    name: "Text, Timestamp",
    about: "The text of a comment, in which HTML is text, and how long ago something was.",
    code: `<Text text={comment.commentText} /> <Timestamp at={comment.createdAt} />`,
    shown: [
      { label: "Formats", part: <div><ui.Text text="**Bold**, _italic_, `code`, https://example.com, {{bob}} and <b>no HTML</b>" /></div> },
      { label: "Times", part: <p>{[0, 7, 200, 3_000, 40_000].map((minutes) => <ui.Timestamp key={minutes} at={Date.now() - minutes * 60_000} />)}</p> },
    ],
  },
];
