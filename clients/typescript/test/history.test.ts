import assert from "node:assert/strict";
import { test } from "node:test";

import { CURRENT_VERSION_ID, type VersioningEndpoints } from "@blocknote/core/extensions";
import type { Roundtable } from "roundtable";
import { type AuthorRange, type ChangedBy, changesBetween, permanentUserData, versioningEndpoints } from "roundtable/history";
import * as Y from "yjs";

import { newKey } from "./support.js";

const organizationId = "acme";
const editor = { organizationId, documentId: "plan", editorId: "body" };

/** A document, and a function that makes clients of its editors. */
async function team(): Promise<(userId: string) => Promise<Roundtable>> {
  const client = await newKey();
  const documents = [{ documentId: editor.documentId, documentName: "Plan" }];
  await client.organizations.add({ organizations: [{ organizationId, organizationName: "Acme" }] });
  await client.documents.add({ organizationId, documents });
  const resources = [{ type: "document" as const, id: editor.documentId, organizationId, accessRole: "editor" as const }];
  return async (userId) => {
    const userProperties = { name: userId, email: `${userId}@example.com` };
    const { data } = await client.users.generateToken({ userId, userProperties, permissions: { resources } });
    return client.as({ userToken: data.token });
  };
}

/** A peer: writes into its own document, and stores that. */
function peer(client: Roundtable): { text: Y.Text; pull: () => Promise<string>; write: (change: (text: Y.Text) => void) => Promise<void> } {
  const document = new Y.Doc();
  const text = document.getText("content");
  const pull = async () => {
    const { data } = await client.editors.stateGet(editor);
    Y.applyUpdate(document, Buffer.from(data.update, "base64"));
    return text.toString();
  };
  const write = async (change: (text: Y.Text) => void) => {
    const before = Y.encodeStateVector(document);
    change(text);
    const update = Buffer.from(Y.encodeStateAsUpdate(document, before)).toString("base64");
    await client.editors.updatesAdd({ ...editor, type: "text", contentKey: "content", updates: [update] });
  };
  return { text, pull, write };
}

/** The text of an update. */
function textOf(update: Uint8Array): string {
  const document = new Y.Doc();
  Y.applyUpdate(document, update);
  return document.getText("content").toString();
}

test("versions are listed, shown, named and restored for BlockNote", async () => {
  const as = await team();
  const ada = await as("ada");
  const [hers, his] = [peer(ada), peer(await as("bob"))];
  const endpoints = versioningEndpoints(ada, editor, { current: CURRENT_VERSION_ID });
  const forBlockNote: VersioningEndpoints<Y.XmlFragment, Uint8Array> = endpoints;
  assert.ok(forBlockNote.create && forBlockNote.restore && forBlockNote.rename);
  await hers.write((text) => text.insert(0, "A king"));
  const draft = await endpoints.create(undefined, { name: "Draft" });
  await his.pull();
  await his.write((text) => text.insert(6, " and a queen"));

  const [current, ...versions] = await endpoints.list();
  assert.equal(current?.id, CURRENT_VERSION_ID);
  assert.ok(versions.every(({ createdAt }) => createdAt < current.createdAt));
  assert.deepEqual(versions.map(({ createdAt }) => createdAt), versions.map(({ createdAt }) => createdAt).sort((a, b) => b - a));
  assert.deepEqual(versions.find(({ id }) => id === draft.id), draft);
  assert.deepEqual([draft.name, draft.by], ["Draft", ["ada"]]);
  assert.equal(textOf(await endpoints.getContent(draft)), "A king");

  await endpoints.rename(draft, "First draft");
  await endpoints.rename(draft, "");
  const named = (await endpoints.list()).find(({ id }) => id === draft.id);
  assert.equal(named?.name, "First draft");

  assert.equal(textOf(await endpoints.restore(undefined, draft)), "A king");
  assert.equal(await his.pull(), "A king");
  assert.equal((await endpoints.list()).length, versions.length + 2, "the restoration is a version");
});

test("what is typed is stored before a version is added", async () => {
  const as = await team();
  const ada = await as("ada");
  const hers = peer(ada);
  const listeners = new Set<(changes: number) => void>();
  const provider = {
    unsynced: 1,
    on: (_: "unsynced", listener: (changes: number) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const endpoints = versioningEndpoints(ada, editor, { provider });
  const added = endpoints.create(undefined, { name: "Draft" });
  await hers.write((text) => text.insert(0, "A king"));
  for (const changes of [1, 0]) for (const listener of [...listeners]) listener(changes);
  assert.equal(textOf(await endpoints.getContent(await added)), "A king");
  assert.equal(listeners.size, 0);
  assert.ok((await endpoints.list()).every(({ id }) => typeof id === "string"), "no present content was asked for");
});

test("changes of a time have their authors, also of what is deleted", async () => {
  const as = await team();
  const ada = await as("ada");
  const [hers, his] = [peer(ada), peer(await as("bob"))];
  await hers.write((text) => text.insert(0, "The king. "));
  await his.pull();
  await his.write((text) => text.insert(10, "The ace."));
  const middle = (await ada.editors.versionsAdd({ ...editor, name: "Middle" })).data.to;
  await hers.pull();
  await hers.write((text) => text.delete(14, 4));
  await his.pull();
  await his.write((text) => text.delete(0, 4));

  const document = new Y.Doc({ gc: false });
  const content = document.getText("content");
  const { prevSnapshot, snapshot, permanentUserData: users } = await changesBetween(ada, editor, { from: middle + 1 });
  Y.applyUpdateV2(document, prevSnapshot);
  const before = Y.snapshot(document);
  assert.equal(content.toString(), "The king. The ace.");
  Y.applyUpdateV2(document, snapshot);
  const change = (type: string, id: Y.ID) => ({ type, user: type === "added" ? users.getUserByClientId(id.client) : users.getUserByDeletedId(id) });
  const delta = content.toDelta(Y.snapshot(document), before, change) as { insert: string; attributes?: { ychange: unknown } }[];
  assert.deepEqual(delta.map(({ insert, attributes }) => [insert, attributes?.ychange]), [
    ["The ", { type: "removed", user: "bob" }],
    ["king. The ", undefined],
    ["ace.", { type: "removed", user: "ada" }],
  ]);

  const whole = (await changesBetween(ada, editor)).permanentUserData;
  assert.deepEqual([hers, his].map(({ text }) => whole.getUserByClientId(text.doc?.clientID ?? 0)), ["ada", "bob"]);
});

test("users are those of clients and deleted items", () => {
  // Any ranges: each item is inserted once and deleted at most once, in any order.
  for (let seed = 1; seed <= 300; seed++) {
    const random = generator(seed);
    const users = ["ada", "bob", "", "cleo"];
    const pick = <T>(list: readonly T[]): T => list[random() % list.length] as T;
    const [owners, deleters] = [new Map<number, string>(), new Map<string, string>()];
    const changes: ChangedBy[] = [];
    for (let client = 1; client <= 3; client++) {
      const owner = pick(users);
      owners.set(client, owner);
      for (let clock = 0, end = random() % 40; clock < end; ) {
        const length = 1 + (random() % 5);
        changes.push({ ...(owner && { userId: owner }), inserts: [[client, clock, length]], deletes: [] });
        if (random() % 2) {
          const [deleter, deleted] = [pick(users), 1 + (random() % length)];
          const deletes: AuthorRange[] = [[client, clock, deleted]];
          changes.push({ userId: deleter || null, inserts: [], deletes });
          for (let at = clock; at < clock + deleted; at++) deleters.set(`${client}:${at}`, deleter);
        }
        clock += length;
      }
    }
    const known = permanentUserData(changes.sort(() => (random() % 3) - 1));
    for (const [client, owner] of owners) {
      const hasWritten = changes.some(({ inserts }) => inserts.some(([of]) => of === client));
      assert.equal(known.getUserByClientId(client), (hasWritten && owner) || null, `seed ${seed}`);
      for (let clock = 0; clock < 50; clock++) {
        const deleter = deleters.get(`${client}:${clock}`) || null;
        assert.equal(known.getUserByDeletedId(Y.createID(client, clock)), deleter, `seed ${seed}`);
      }
    }
    assert.ok(!known.dss.has(""));
  }
});

test("of a client that wrote for several, it is who wrote most", () => {
  const known = permanentUserData([
    { userId: "ada", inserts: [[7, 0, 3]], deletes: [] },
    { userId: "bob", inserts: [[7, 3, 4]], deletes: [] },
    { userId: "ada", inserts: [[7, 7, 2]], deletes: [] },
    { inserts: [[7, 9, 50]], deletes: [] },
  ]);
  assert.equal(known.getUserByClientId(7), "ada");
  assert.equal(known.getUserByClientId(8), null);
});

/** Numbers that a seed decides. */
function generator(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state >>> 8;
  };
}
