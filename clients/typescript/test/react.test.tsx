import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import * as React from "react";
import { Component, type ReactNode, StrictMode, useState, version } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import * as kit from "roundtable/react";
import { useSharedEditor, useSharedEditorState } from "roundtable/react/editor";
import * as waiting from "roundtable/react/suspense";
import type { StoreOptions } from "roundtable/store";

import { settled } from "./fake.js";
import { page } from "./page.js";
import { Socket, Team, documentId, eventually, organizationId } from "./team.js";

const {
  Room,
  Roundtable,
  useCreateComment,
  useCreateThread,
  useInbox,
  useOthers,
  useSelf,
  useSync,
  useThreads,
  useUser,
} = kit;

/** Counts sockets that are opened. */
function counted(): { WebSocket: typeof Socket; count: () => number } {
  let count = 0;
  const WebSocket = class extends Socket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      count++;
    }
  };
  return { WebSocket, count: () => count };
}

/** Renders in a page until the test ends. */
async function render(test: TestContext, element: ReactNode): Promise<HTMLElement> {
  const root = page(test, () => made.unmount());
  const made = createRoot(root);
  flushSync(() => made.render(element));
  return root;
}

/** Does something, and lets React render it. */
async function then(does: () => void): Promise<void> {
  does();
  await settled();
}

/** Waits for what a page shows. */
async function shows(root: HTMLElement, text: string): Promise<void> {
  await eventually(`the page shows ${text}`, () => root.textContent?.includes(text) ?? false).catch((error: Error) =>
    assert.fail(`${error.message}: ${root.textContent}`),
  );
}

const app = (options: StoreOptions, children: ReactNode, fallback: ReactNode = "loading"): ReactNode => (
  <StrictMode>
    <Roundtable {...options}>
      <Room documentId={documentId} fallback={fallback}>
        {children}
      </Room>
    </Roundtable>
  </StrictMode>
);

function List(): ReactNode {
  const { threads } = useThreads();
  return (
    <ul>
      {threads.map(({ annotationId, comments }) => (
        <li key={annotationId}>{comments.map(({ commentText }) => commentText).join(" | ")};</li>
      ))}
    </ul>
  );
}

test(`threads in React ${version}: at once here, a moment later there, one socket in Strict Mode`, async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  const { WebSocket, count } = counted();
  let create: ReturnType<typeof useCreateThread> = () => assert.fail();
  let answer: ReturnType<typeof useCreateComment> = () => assert.fail();
  function Page(): ReactNode {
    create = useCreateThread();
    answer = useCreateComment();
    const { name, role } = useSelf();
    const others = useOthers((all) => all.map(({ userId }) => userId).join());
    const { pending } = useSync();
    const sender = useUser("bob");
    return (
      <main>
        {`self ${name} ${role}; others ${others}; pending ${pending}; sender ${sender.name};`}
        <List />
      </main>
    );
  }
  const root = await render(t, app(team.options("ada", { WebSocket }), <Page />));
  assert.equal(root.textContent, "loading");
  await shows(root, "self Ada editor; others bob; pending 0; sender Bob;");
  let id = "";
  await then(() => void (id = create({ comment: { text: "Really?" } }).thread.annotationId));
  assert.match(root.textContent ?? "", /pending 1;.*Really\?/);
  await shows(root, "pending 0");
  await eventually("Bob sees it", () => bob.room.threads.get().threads.has(id));
  bob.room.createComment(id, { text: "Yes." });
  await shows(root, "Really? | Yes.;");
  await then(() => void answer(id, { text: "Ah." }));
  await shows(root, "Really? | Yes. | Ah.;");
  assert.equal(count(), 1);
});

test("a component renders again only when what it selects is another one", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  let renders = 0;
  function Resolved(): ReactNode {
    renders++;
    return <p>{`${useThreads({ resolved: true }).threads.length} resolved`}</p>;
  }
  const root = await render(
    t,
    app(
      team.options("ada"),
      <>
        <Resolved />
        <List />
      </>,
    ),
  );
  await shows(root, "0 resolved");
  const before = renders;
  const { thread } = bob.room.createThread({ comment: { text: "One" } });
  await shows(root, "One;");
  assert.equal(renders, before);
  void bob.room.resolveThread(thread.annotationId);
  await shows(root, "1 resolved");
});

test("a role that changes is that of parts which render for nothing else", async (t) => {
  const team = await Team.make(t);
  let change: (role: "viewer" | "editor") => void = () => assert.fail();
  const Self = React.memo(() => <p>{useSelf().role}</p>);
  function Page(): ReactNode {
    const [role, setRole] = useState<"viewer" | "editor">("viewer");
    change = setRole;
    const self = React.useMemo(() => <Room documentId={documentId}><Self /></Room>, []);
    return <Roundtable {...team.options("ada")} role={role}>{self}</Roundtable>;
  }
  const root = await render(t, <Page />);
  await shows(root, "viewer");
  await then(() => change("editor"));
  await shows(root, "editor");
});

test("parts of a page come and go, and the room stays", async (t) => {
  const team = await Team.make(t);
  const { WebSocket, count } = counted();
  let show: (isShown: boolean) => void = () => {};
  function Page(): ReactNode {
    const [isShown, setShown] = useState(true);
    show = setShown;
    return isShown ? (
      <Room documentId={documentId} fallback="loading">
        <List />
        ready
      </Room>
    ) : (
      "nothing"
    );
  }
  const root = await render(
    t,
    <Roundtable {...team.options("ada", { WebSocket })}>
      <Page />
    </Roundtable>,
  );
  await shows(root, "ready");
  await then(() => show(false));
  await then(() => show(true));
  assert.equal(root.textContent, "ready");
  assert.equal(count(), 1);
});

const { Activity } = React;

test("a part that is hidden for a while is read anew when it is shown", { skip: Activity === undefined }, async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  let show: (isShown: boolean) => void = () => {};
  function Text(): ReactNode {
    const { isSynced } = useSharedEditorState(useSharedEditor());
    return (
      <>
        <List />
        {isSynced ? "synced" : "not synced"}
      </>
    );
  }
  function Page(): ReactNode {
    const [isShown, setShown] = useState(true);
    show = setShown;
    return (
      <Activity mode={isShown ? "visible" : "hidden"}>
        <Room documentId={documentId} fallback="loading">
          <Text />
        </Room>
      </Activity>
    );
  }
  const root = await render(
    t,
    <Roundtable {...team.options("ada")}>
      <Page />
    </Roundtable>,
  );
  await shows(root, "synced");
  await then(() => show(false));
  await eventually("Bob is alone", () => bob.room.people.get().length === 1);
  await bob.room.createThread({ comment: { text: "Meanwhile" } }).sent;
  await then(() => show(true));
  await shows(root, "Meanwhile;synced");
});

test("a server renders what there is before anything is known, opens nothing, and its page takes over", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  await bob.room.createThread({ comment: { text: "One" } }).sent;
  const { WebSocket, count } = counted();
  const options = team.options("ada", {
    WebSocket,
    getToken: () => assert.fail("A server needs no token of the user."),
  });
  const children = (
    <>
      <Inbox />
      <Room documentId={documentId}>
        <List />
      </Room>
      <Room documentId={documentId} fallback="loading">
        <List />
      </Room>
    </>
  );
  const html = renderToString(<Roundtable {...options}>{children}</Roundtable>);
  assert.equal(html, "<p>0 unread</p><ul></ul>loading");
  await sleep(20);
  assert.equal(count(), 0);
  const root = page(t, () => made.unmount());
  root.innerHTML = html;
  const errors: unknown[] = [];
  const client = <Roundtable {...team.options("ada", { WebSocket })}>{children}</Roundtable>;
  const made = hydrateRoot(root, client, { onRecoverableError: (error) => errors.push(error) });
  await eventually("both lists are there", () => root.querySelectorAll("li").length === 2);
  assert.deepEqual([errors, count()], [[], 1]);
});

function Inbox(): ReactNode {
  return <p>{`${useInbox().unreadCount} unread`}</p>;
}

test("notifications are counted and read", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  let inbox: ReturnType<typeof useInbox> | undefined;
  function Bell(): ReactNode {
    inbox = useInbox();
    return <p>{inbox.isLoading ? "…" : `${inbox.unreadCount} unread`}</p>;
  }
  const root = await render(t, app(team.options("ada"), <Bell />));
  await shows(root, "0 unread");
  await sleep(300);
  bob.room.createThread({ comment: { text: "Look, {{ada}}" } });
  await shows(root, "1 unread");
  await then(() => void inbox?.markRead(inbox.notifications.map(({ id }) => id)));
  assert.equal(root.textContent, "0 unread");
});

test("a refusal is told, with what was written", async (t) => {
  const team = await Team.make(t);
  let create: ReturnType<typeof useCreateThread> = () => assert.fail();
  function Page(): ReactNode {
    create = useCreateThread();
    const { failed, discard } = useSync();
    return (
      <>
        {failed.map(({ change, error }) => (
          <button key={change.key} onClick={() => discard()}>{`${change.kind}: ${error.message}`}</button>
        ))}
        <List />
        ready
      </>
    );
  }
  const root = await render(t, app(team.options("cy", { role: "viewer" }), <Page />));
  await shows(root, "ready");
  await then(() => void create({ comment: { text: "Hm" } }));
  assert.match(root.textContent ?? "", /Hm/);
  await shows(root, "PERMISSION_DENIED");
  assert.doesNotMatch(root.textContent ?? "", /Hm/);
  await then(() => root.querySelector("button")?.click());
  assert.equal(root.textContent, "ready");
});

test("suspended components wait for their threads, notifications and document", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  await bob.room.createThread({ comment: { text: "One" } }).sent;
  const { WebSocket, count } = counted();
  function Page(): ReactNode {
    const { threads } = waiting.useThreads();
    const { document } = waiting.useDocument();
    return <p>{`${threads.length} threads in ${document?.documentName}`}</p>;
  }
  function Bell(): ReactNode {
    return <p>{`${waiting.useInbox().notifications.length} notifications`}</p>;
  }
  const element = (options: StoreOptions): ReactNode => (
    <waiting.Roundtable {...options} fallback="waiting">
      <Bell />
      <waiting.Room documentId={documentId} fallback="loading">
        <Page />
      </waiting.Room>
    </waiting.Roundtable>
  );
  assert.match(renderToString(element(team.options("ada"))), /0 notifications.*0 threads/);
  const root = await render(t, <StrictMode>{element(team.options("ada", { WebSocket }))}</StrictMode>);
  assert.equal(root.textContent, "waiting");
  await shows(root, "1 notifications1 threads in Plan");
  assert.equal(count(), 1);
});

test("what suspends is read again after a failure, however late that comes", async (t) => {
  const team = await Team.make(t);
  let isFirst = true;
  const getToken = async (): Promise<string> => {
    if (!isFirst) return team.token("ada");
    isFirst = false;
    // Later than the use of an effect that never runs.
    await sleep(2_500);
    throw new Error("Nobody answers.");
  };
  function Bell(): ReactNode {
    return <p>{`${waiting.useInbox().notifications.length} notifications, ${waiting.useUnreadCount().unread} unread`}</p>;
  }
  const root = await render(
    t,
    <StrictMode>
      <waiting.Roundtable {...team.options("ada", { getToken })} fallback="waiting">
        <Bell />
      </waiting.Roundtable>
    </StrictMode>,
  );
  assert.equal(root.textContent, "waiting");
  await shows(root, "0 notifications, 0 unread");
});

class Boundary extends Component<{ children: ReactNode }, { text?: string }> {
  override state: { text?: string } = {};

  static getDerivedStateFromError(error: Error): { text: string } {
    return { text: error.message };
  }

  override render(): ReactNode {
    return this.state.text ?? this.props.children;
  }
}

test("what cannot be read is an error of the boundary, or of the fallback", async (t) => {
  t.mock.method(console, "error", () => {});
  const team = await Team.make(t);
  function Page(): ReactNode {
    return <p>{waiting.useThreads().threads.length}</p>;
  }
  const root = await render(
    t,
    <Roundtable {...team.options("ada")}>
      <Room documentId="nowhere" fallback={({ error }) => (error ? `no room: ${error.name};` : "loading")}>
        never
      </Room>
      <Boundary>
        <waiting.Room documentId="nowhere" fallback="loading">
          <Page />
        </waiting.Room>
      </Boundary>
    </Roundtable>,
  );
  await shows(root, "no room: ");
  await shows(root, "There is no document nowhere.");
  assert.doesNotMatch(root.textContent ?? "", /never/);
});

test("hooks say which provider is missing", async (t) => {
  t.mock.method(console, "error", () => {});
  assert.throws(() => renderToString(<List />), /<Room> is missing/);
  assert.throws(() => renderToString(<Inbox />), /<Roundtable> is missing/);
  const missing = Object.keys(kit).filter((name) => !(name in waiting));
  assert.deepEqual([missing, organizationId], [[], "acme"]);
});
