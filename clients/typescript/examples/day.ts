// A day of a team (docs/A_DAY.md) as a program: `BASE=… ADMIN_TOKEN=… node day.js`.

import assert from "node:assert/strict";
import { Roundtable, type WebhookEvent } from "roundtable";
import { receiver, until } from "./receiver.js";

const base = process.env.BASE ?? "http://127.0.0.1:3000";
const adminToken = process.env.ADMIN_TOKEN ?? "";
const acme = { organizationId: "acme" };
const leave = { ...acme, documentId: "leave" };
const travel = { ...acme, documentId: "travel" };
const ada = { userId: "ada", name: "Ada" };
const bob = { userId: "bob", name: "Bob" };

/** A workspace is the account of a customer, an API key a tenant: all data below belongs to it. */
async function morning(): Promise<Roundtable> {
  const admin = new Roundtable(base, { adminToken });
  const { data } = await admin.operator.workspaceCreate({ ownerEmail: "grace@example.com", name: "Grace" });
  const { workspace } = admin.as({ workspaceId: data.id, workspaceAuthToken: data.authToken });
  const { apiKey } = (
    await workspace.apiKeyCreate({
      ownerEmail: "grace@example.com",
      type: "testing",
      createAuthToken: true,
      apiKeyName: "Handbook",
    })
  ).data;
  const [token] = (await workspace.authTokensGet({ apiKey })).data.authTokens;
  assert.ok(token);
  return admin.as({ apiKey, authToken: token.token });
}

/** Notifications with a window of a minute, mails, the activity log, webhooks. */
async function switchOn({ configuration, webhookEndpoints }: Roundtable, url: string) {
  const document = { isEnabled: true, batchWindowSeconds: 60, maxActivities: 10 };
  const { data: notifications } = await configuration.notificationsUpdate({
    useNotificationService: true,
    notificationServiceConfig: { batchConfig: { document } },
  });
  assert.deepEqual(notifications.notificationServiceConfig.batchConfig?.document, document);
  await configuration.emailUpdate({
    useEmailService: true,
    emailServiceConfig: { fromEmail: "handbook@example.com", fromCompany: "Acme" },
  });
  const { data: mails } = await configuration.emailGet();
  assert.equal(mails.emailServiceConfig.fromCompany, "Acme");
  await configuration.activitiesUpdate({ activityServiceConfig: { isEnabled: true, immutable: false } });

  // Operations on advanced webhooks fail until they are enabled.
  await assert.rejects(webhookEndpoints.get(), { code: "FAILED_PRECONDITION" });
  await configuration.advancedWebhooksUpdate({ isEnabled: true });
  const created = await webhookEndpoints.create({
    url,
    description: "Chat bot",
    filterTypes: ["comment.add"],
    rateLimit: 5,
  });
  const endpointId = created.data.id;
  const old = (await webhookEndpoints.secretGet({ endpointId })).data.secret;
  await webhookEndpoints.secretRotate({ endpointId, gracePeriodSeconds: 3600 });
  const { secret } = (await webhookEndpoints.secretGet({ endpointId })).data;
  return { endpointId, secrets: [old, secret] };
}

async function place(client: Roundtable): Promise<void> {
  await client.organizations.add({ organizations: [{ ...acme, organizationName: "Acme" }] });
  await client.folders.add({
    ...acme,
    folders: [
      { folderId: "handbook", folderName: "Handbook" },
      { folderId: "policies", folderName: "Policies", parentFolderId: "handbook" },
    ],
  });
  await client.documents.add({
    ...acme,
    folderId: "policies",
    documents: [
      { documentId: "leave", documentName: "Leave of absence" },
      { documentId: "travel", documentName: "Travel" },
    ],
  });
  const users = ["Ada", "Bob", "Eve"].map((name) => {
    const userId = name.toLowerCase();
    return { userId, name, email: `${userId}@example.com` };
  });
  await client.users.add({ ...acme, users });
  const organizationUserGroups = [{ groupId: "people-team", groupName: "People team" }];
  await client.userGroups.add({ ...acme, organizationUserGroups });
  const userIds = ["ada", "bob"];
  await client.userGroups.usersAdd({ ...acme, organizationUserGroupId: "people-team", userIds });
  await client.permissions.add({
    user: { userId: "eve" },
    permissions: { resources: [{ type: "document", id: "travel", ...acme, accessRole: "viewer" }] },
  });
  const { data: folders } = await client.folders.get({ ...acme, maxDepth: 2 });
  assert.equal(folders[0]?.subFolders?.[0]?.folderId, "policies");
}

/** Presence, live state, and the text itself, which is a CRDT. */
async function writing({ presence, liveState, editors }: Roundtable): Promise<void> {
  await presence.add({ ...leave, users: [ada, bob] });
  await presence.update({ ...leave, users: [{ userId: "bob", status: "away" }] });
  const { data: present } = await presence.get(leave);
  assert.deepEqual(present.map(({ status }) => status), ["online", "away"]);

  const view = { ...leave, liveStateDataId: "view" };
  await liveState.broadcast({ ...view, data: { zoom: 1, panel: { open: true, tab: "notes" } } });
  await liveState.broadcast({ ...view, merge: true, data: { panel: { tab: null }, page: 3 } });
  const { data: states } = await liveState.get(leave);
  assert.deepEqual(states[0]?.data, { zoom: 1, panel: { open: true }, page: 3 });

  const body = { ...leave, editorId: "body", type: "text" } as const;
  await editors.add({ ...body, data: "Everybody has 28 days of leave." });
  await editors.update({ ...body, data: "Everybody has 30 days of leave." });
  const list = editors.update({ ...body, data: ["not", "a", "text"] });
  await assert.rejects(list, { code: "INVALID_ARGUMENT" });
  const { data: found } = await editors.get({ ...leave, editorId: "body" });
  assert.equal(found[0]?.data, "Everybody has 30 days of leave.");
}

/** Ada asks Bob; mentioning him subscribes him to the thread. */
async function talking({ comments, notifications }: Roundtable): Promise<void> {
  const days = { ...leave, annotationId: "days" };
  const taggedUserContacts = [{ userId: "bob", contact: bob }];
  await comments.annotationsAdd({
    ...leave,
    commentAnnotations: [
      {
        annotationId: "days",
        commentData: [
          { commentId: 100001, commentText: "Is it 30, {{bob}}?", from: ada, taggedUserContacts },
        ],
        priority: { id: "P1", name: "P1", color: "#ff7162" },
      },
    ],
  });
  const reply = { commentId: 100002, commentText: "It is, since May.", from: bob };
  await comments.add({ ...days, commentData: [reply] });
  await comments.reactionsAdd({ ...days, commentId: 100002, icon: "HEART_FACE", from: ada });
  const updatedData = { commentText: "It is, since the first of May." };
  await comments.update({ ...days, commentIds: [100002], updatedData });
  const annotationIds = ["days"];
  await comments.annotationsUpdate({ ...leave, annotationIds, updatedData: { assignedTo: bob } });
  const unread = async () =>
    (await comments.annotationsCount({ ...acme, documentIds: ["leave"], userId: "ada" })).data.leave;
  assert.deepEqual(await unread(), { total: 1, unread: 1 });
  await notifications.seen({ ...days, userId: "ada" });
  assert.deepEqual(await unread(), { total: 1, unread: 0 });

  const look = { color: "#0dcf82", lightColor: "#e7faf3", svg: "<svg/>" };
  const status = { id: "RESOLVED", name: "Resolved", type: "terminal", ...look } as const;
  const resolved = { status, resolvedByUserId: "ada" };
  await comments.annotationsUpdate({ ...leave, annotationIds, updatedData: resolved });
  for await (const thread of comments.annotationsGetAll(leave)) {
    assert.equal(thread.status?.id, "RESOLVED");
    assert.equal(thread.comments?.[1]?.isEdited, true);
  }

  // A note visible to Eve and its author only.
  await comments.annotationsAdd({
    ...travel,
    commentAnnotations: [
      {
        annotationId: "budget",
        visibility: { type: "restricted", userIds: ["eve"] },
        commentData: [{ commentText: "Keep it to yourself.", from: ada }],
      },
    ],
  });
}

/** Webhooks are sent at once, notifications after their batch window. */
async function hearing(client: Roundtable, endpointId: string, events: WebhookEvent[]) {
  const { comments, deliveries, notifications, schedule } = client;
  events.length = 0;
  await comments.add({
    ...leave,
    annotationId: "days",
    commentData: [
      {
        commentText: "For part-time, too, {{bob}}?",
        from: ada,
        triggerNotification: true,
        taggedUserContacts: [{ userId: "bob", contact: bob }],
      },
    ],
  });
  const event = await until(async () => events[0]);
  assert.ok(event.type === "comment.add");
  assert.equal(event.data?.targetComment?.commentText, "For part-time, too, {{bob}}?");
  const attempt = await until(async () =>
    (await deliveries.attemptsGet({ endpointId, limit: 1 })).data.attempts.find(
      ({ statusCode }) => statusCode === 204,
    ),
  );
  assert.equal(attempt.status, "success");

  const trace = async () =>
    (await notifications.traceGet({ ...leave, userId: "bob" })).data.map(({ state }) => state);
  await until(async () => ((await trace()).includes("pending") ? true : undefined));
  await schedule.testClockAdvance({ seconds: 60 });
  await until(async () => ((await trace()).includes("pending") ? undefined : true));
  const inbox = notifications.getAll({ ...acme, userId: "bob" });
  const { value: notification } = await inbox.next();
  assert.equal(notification?.displayBodyMessage, "For part-time, too, @Bob?");
  await notifications.configSet({
    ...acme,
    documentIds: ["leave", "travel"],
    userIds: ["bob"],
    config: { inbox: "MINE", email: "NONE" },
  });
}

async function onRecord({ recordings, activities, agents }: Roundtable): Promise<void> {
  await recordings.add({
    ...leave,
    recordings: [
      {
        annotationId: "walkthrough",
        recordingType: "screen",
        displayName: "How leave works",
        recordedTime: { duration: 64204.55 },
        from: ada,
        attachments: [{ url: "https://files.example.com/leave.webm", mimeType: "video/webm" }],
      },
    ],
  });
  const { data: found } = await recordings.get(leave);
  assert.equal(found[0]?.recordedTime?.display, "00:01:04");
  await activities.add({
    ...leave,
    activities: [
      {
        id: "published",
        featureType: "custom",
        actionType: "published",
        actionUser: bob,
        targetEntityId: "leave",
        displayMessageTemplate: "{{actionUser}} published the policy",
      },
    ],
  });
  const changes = { days: { from: 28, to: 30 } };
  await activities.update({ ...acme, activities: [{ id: "published", changes }] });
  const { data: log } = await activities.get(leave);
  assert.deepEqual(log[0]?.changes, changes);

  const { agentId } = (
    await agents.create({
      name: "Tone",
      description: "Keeps the tone friendly",
      enabled: true,
      instructions: "Flag sentences that sound harsh.",
      contextGathering: { strategies: ["web-page-text"] },
      execution: {},
    })
  ).data;
  await agents.update({ agentId, name: "Friendly tone" });
  const instructions = "Flag sentences that sound harsh or vague.";
  await agents.versionUpdate({ agentId, instructions });
  const { agent } = (await agents.get({ agentId })).data;
  assert.deepEqual([agent?.name, agent?.version], ["Friendly tone", 2]);
}

/** Export of Ada's data, and deletions. */
async function evening(client: Roundtable, endpointId: string): Promise<void> {
  const known = { comments: 0, recordings: 0 };
  for await (const { data } of client.userData.getPages({ ...acme, userId: "ada" })) {
    known.comments += data.comments.length;
    known.recordings += data.recordings.length;
  }
  assert.deepEqual(known, { comments: 2, recordings: 1 });
  const { data: deleted } = await client.documents.delete({ ...acme, documentIds: ["leave", "nope"] });
  assert.deepEqual([deleted.leave?.success, deleted.nope?.success], [true, false]);
  await until(async () => {
    const { data } = await client.comments.annotationsGet(leave);
    return Array.isArray(data) && data.length === 0 ? true : undefined;
  });
  await client.users.delete({ ...acme, userIds: ["bob"] });
  await client.presence.delete({ ...travel, userIds: ["ada"] });
  await client.webhookEndpoints.delete({ endpointId });
  await client.organizations.delete({ organizationIds: ["acme"] });
}

const secrets: string[] = [];
const { url, events, close } = await receiver(secrets);
const client = await morning();
const { endpointId, secrets: issued } = await switchOn(client, url);
secrets.push(...issued);
await place(client);
await writing(client);
await talking(client);
await hearing(client, endpointId, events);
await onRecord(client);
await evening(client, endpointId);
close();
console.log("TypeScript: the day went as docs/A_DAY.md says");
