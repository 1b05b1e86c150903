import assert from "node:assert/strict";
import { test } from "node:test";

import { type ReactNode, StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { Room, Roundtable } from "roundtable/react";
import type { RoundtableStore, Thread } from "roundtable/store";
import * as ui from "roundtable/ui";

import { Signal } from "../dist/store/signal.js";
import { page } from "./page.js";
import { Team, documentId, eventually } from "./team.js";

/** The parts that axe looks at. */
function Gallery({ store }: { store: RoundtableStore }): ReactNode {
  const [thread] = [...store.room(documentId).threads.get().threads.values()];
  const [comment] = thread?.comments ?? [];
  return (
    <main>
      <h1>Gallery</h1>
      <ui.ConnectionBadge />
      <ui.AvatarStack userIds={["ada", "bob", "cy"]} max={2} />
      <ui.Inbox />
      <ui.Bell />
      <ui.InboxList />
      <ui.Composer />
      <ui.FloatingComposer
        anchor={{ getBoundingClientRect: () => new window.DOMRect(0, 0, 9, 9) }}
        label="About the text"
        onClose={() => {}}
      />
      <ui.ThreadList />
      <ui.Cursors>{thread && <ui.CommentPin thread={thread} />}</ui.Cursors>
      <ui.FloatingThread threadId={thread?.annotationId ?? ""} anchor={new window.DOMRect()} onClose={() => {}} />
      <ui.MentionList id="people" people={store.users.known()} onPick={() => {}} />
      {comment && thread && <ui.Reactions threadId={thread.annotationId} comment={comment} />}
    </main>
  );
}

/** A store like another one, with other values. */
function changed(store: RoundtableStore, values: Record<string, unknown>): RoundtableStore {
  return new Proxy(store, {
    get: (target, name) => {
      if (name in values) return values[name as string];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}

test("axe finds nothing in the parts, in each of their states", async (t) => {
  const team = await Team.make(t);
  const bob = await team.room("bob");
  const ada = await team.room("ada");
  t.after(ada.store.inbox().enter());
  const { thread, sent } = bob.room.createThread({ comment: { text: "Look, {{ada}}: **bold** https://a.example" } });
  await sent;
  await eventually("Ada sees it", () => ada.room.threads.get().threads.has(thread.annotationId));
  const [comment] = [...ada.room.threads.get().threads.values()][0]?.comments ?? [];
  await ada.room.addReaction(thread.annotationId, comment?.commentId ?? 0, "👍");
  await ada.room.createComment(thread.annotationId, { text: "Yes." }).sent;
  await eventually("Ada is told", () => ada.store.inbox().state.get().notifications.length > 0);

  const root = page(t, () => {});
  document.documentElement.lang = "en";
  document.title = "Gallery";
  const { default: axe } = await import("axe-core");

  const roomOf = (state: object): unknown =>
    changed(ada.room as never, { threads: new Signal({ ...ada.room.threads.get(), ...state }), enter: () => () => {} });
  const inboxOf = (state: object): unknown =>
    changed(ada.store.inbox() as never, {
      state: new Signal({ ...ada.store.inbox().state.get(), ...state }),
      enter: () => () => {},
    });
  const state = (threads: object, inbox: object, more: Record<string, unknown> = {}): RoundtableStore => {
    const [room, notifications] = [roomOf(threads), inboxOf(inbox)];
    return changed(ada.store, { enter: () => () => {}, room: () => room, inbox: () => notifications, ...more });
  };
  const empty = [{ threads: new Map<string, Thread>() }, { notifications: [] }] as const;
  const error = new Error("No.");
  const many = Array.from({ length: 3 }, (_, at) => {
    const [known] = [...ada.room.threads.get().threads.values()];
    return [`thread-${at}`, { ...known, annotationId: `thread-${at}` }] as const;
  });
  const change = { kind: "thread.add", key: "1", documentId, subject: "x", at: 0, draftId: -1, thread: {} };
  const failed = [{ change: { ...change, comment: { text: "Hm" } }, error }];
  const states: Record<string, RoundtableStore> = {
    many: state({ threads: new Map(many), hasMore: true }, { hasMore: true }),
    empty: state(...empty),
    loading: state({ ...empty[0], isLoading: true }, { ...empty[1], isLoading: true }),
    error: state({ ...empty[0], error }, { ...empty[1], error }),
    offline: state({}, {}, {
      connection: new Signal({ status: "disconnected" }),
      sync: new Signal({ pending: 2, failed }),
    }),
  };
  const found: string[] = [];
  const look = async (name: string): Promise<void> => {
    const { violations, passes } = await axe.run(document, { rules: { "color-contrast": { enabled: false } } });
    assert.ok(passes.length > 10);
    for (const { id, nodes } of violations) found.push(`${name}: ${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  };
  for (const [name, store] of Object.entries(states)) {
    // Without a layout, axe finds the same in both directions.
    for (const dir of name === "many" ? ["ltr", "rtl"] : ["ltr"]) {
      document.documentElement.dir = dir;
      const made = createRoot(root);
      flushSync(() =>
        made.render(
          <StrictMode>
            <Roundtable store={store}>
              <Room documentId={documentId}>
                <Gallery store={store} />
              </Room>
            </Roundtable>
          </StrictMode>,
        ),
      );
      await look(`${name} ${dir}`);
      const click = (label: string): void =>
        flushSync(() =>
          [...root.querySelectorAll("button")]
            .filter((it) => (it.getAttribute("aria-label") ?? it.textContent ?? "").startsWith(label))
            .forEach((it) => it.click()),
        );
      click("Notifications");
      click("Add a reaction");
      click("Edit");
      click("Delete");
      await look(`${name} ${dir}, opened`);
      flushSync(() => made.unmount());
    }
  }
  assert.deepEqual(found, []);
});
