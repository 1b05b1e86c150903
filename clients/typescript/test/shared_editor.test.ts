import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { RoundtableStore } from "roundtable/store";

import { sharedEditor } from "../dist/editors/shared.js";
import { Fake, FakeSocket, settled } from "./fake.js";

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_800_000_000_000 });
});
afterEach(() => mock.timers.reset());

const made = (getToken = () => "token"): RoundtableStore =>
  new RoundtableStore({
    baseUrl: "http://127.0.0.1:1",
    organizationId: "acme",
    userId: "ada",
    getToken,
    WebSocket: Fake,
    storage: null,
  });

test("an editor that is left without a network keeps what was typed until it is stored", async () => {
  const store = made();
  const editor = sharedEditor(store, "plan", "body");
  const leave = editor.enter();
  editor.awareness.setLocalState({ user: { name: "Ada" } });
  editor.document.getText("content").insert(0, "Typed offline");
  leave();
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual([store.sync.get().pending, editor.hasEnded, editor.awareness.getLocalState()], [1, false, null]);
  const again = sharedEditor(store, "plan", "body");
  assert.equal(again.document.getText("content").toString(), "Typed offline");
  const leaveAgain = again.enter();
  assert.deepEqual(again.awareness.getLocalState(), { user: { name: "Ada" } });
  leaveAgain();
  mock.timers.tick(60_000);
  await settled();
  assert.equal(again.hasEnded, false);
  // There is nothing any more that could store it.
  FakeSocket.last.accept();
  await settled();
  FakeSocket.last.frame({ type: "close", code: 4410, reason: "The editor was deleted." });
  await settled();
  assert.deepEqual([again.hasEnded, store.sync.get().pending], [true, 0]);
  assert.notEqual(sharedEditor(store, "plan", "body"), again);
});

test("an editor whose token is refused connects with a new one", async () => {
  let asked = 0;
  const editor = sharedEditor(made(() => `token ${++asked}`), "plan", "body");
  const leave = editor.enter();
  const refuse = async (): Promise<void> => {
    mock.timers.tick(10_000);
    await settled();
    FakeSocket.last.accept();
    await settled();
    FakeSocket.last.frame({ type: "close", code: 4401, reason: "expired" });
    await settled();
  };
  await refuse();
  mock.timers.tick(60_000);
  await refuse();
  assert.deepEqual([editor.state.get().status, asked], ["connecting", 1]);
  // Not for ever: the new one is refused as well.
  await refuse();
  assert.deepEqual([editor.state.get().status, asked], ["disconnected", 2]);
  leave();
  mock.timers.tick(60_000);
  await settled();
});
