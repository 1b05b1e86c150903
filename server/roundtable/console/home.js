// The first screen: what runs, and what to do next.
import { attempt, call, copy, el, hasKey, line, list, live, look, newWorkspace, replace, say, state } from "./page.js";

// Behind every number of a call.
const LAST = Number.MAX_SAFE_INTEGER;
// Most organizations whose documents are counted.
const COUNTED = 10;
const PAGE = 100;
// Deliveries are read once.
const arrived = { next: 0, count: 0 };

export async function overview(view, again) {
  const [facts, tiles, steps] = [el("dl", { className: "facts" }), el("ul", { className: "tiles" }), el("ol", { className: "steps" })];
  replace(view, facts, el("h2", {}, "What is there"), tiles, el("h2", {}, "What to do next"), steps);
  const [server, held] = await Promise.all([list("server"), hasKey() ? contents() : nobody]);
  replace(facts, ...factsOf(server));
  replace(tiles, ...tilesOf(UNREAD, held));
  replace(steps, ...stepsOf(held, again));
  await live(view, async () => replace(tiles, ...tilesOf(await counts(), held)), 3000);
}

function factsOf(server) {
  const fact = (name, value, ...more) => el("div", {}, el("dt", {}, name), el("dd", {}, value, more));
  const told = (name, value) => fact(name, line(value, "mono"), copy(() => value, "Copy", name));
  return [
    fact("Service", `Roundtable ${server.version}`, el("span", { className: "badge good" }, "running")),
    told("Address", location.origin),
    told("Live", `${location.origin.replace("http", "ws")}/live`),
    server.dataFolder ? told("Data folder", server.dataFolder) : fact("Data", "in memory"),
    fact("Mode", el("span", {}, "laptop: this console, demo and outbox are on, and nothing limits calls. ", el("a", { href: "/docs/SERVER#modes" }, "Production"), " has none of that.")),
  ];
}

const UNREAD = { connections: "…", calls: "…", webhooks: "…", mails: "…", dead: "…" };
const nobody = { organizations: "–", documents: "–", has: false };
const counted = (items, hasMore) => `${items}${hasMore ? "+" : ""}`;

// How much the chosen key holds, as far as a few calls tell.
async function contents() {
  const { data, nextPageToken } = await look("/v2/organizations/get", { pageSize: PAGE });
  const read = (it) => look("/v2/organizations/documents/get", { organizationId: it.organizationId ?? it.id, pageSize: PAGE });
  const found = await Promise.all(data.slice(0, COUNTED).map(read));
  const documents = found.reduce((sum, page) => sum + page.data.length, 0);
  const hasMore = data.length > COUNTED || found.some((page) => page.pageToken);
  return { organizations: counted(data.length, nextPageToken), documents: counted(documents, hasMore), has: documents > 0 };
}

async function counts() {
  for (let more = 1; more > 0;) {
    const { next, items } = await list(`inbox?after=${arrived.next}`);
    [arrived.next, arrived.count, more] = [next, arrived.count + items.length, items.length];
  }
  const [{ connections }, { items: mails }, { queues }, { next: calls }] = await Promise.all([list("server"), list("mails"), list("queues"), list(`calls?after=${LAST}`)]);
  const dead = queues.reduce((sum, queue) => sum + (Number(queue.dead) || 0), 0);
  return { connections, calls, dead, mails: counted(mails.length, mails.length >= 200), webhooks: arrived.count };
}

function tilesOf(now, held) {
  const workspaces = new Set(state.keys.map((key) => key.workspaceId)).size;
  const tile = (href, value, name, note, isBad) => el("li", {}, el("a", { href, className: isBad ? "bad" : "" }, el("strong", {}, String(value)), el("span", {}, name), el("small", {}, note)));
  return [
    tile("#/connect", workspaces, workspaces === 1 ? "workspace" : "workspaces", `${state.keys.length} API keys`),
    tile("#/data", held.organizations, "organizations", "of this key"),
    tile("#/data", held.documents, "documents", "of this key"),
    tile("#/live", now.connections, "connections", "open now"),
    tile("#/activity", now.calls, "calls", "so far"),
    tile("#/webhooks", now.webhooks, "webhooks", "arrived here"),
    tile("#/mails", now.mails, "mails", "in the outbox"),
    tile("#/queues", now.dead, "dead letters", now.dead > 0 ? "look at them" : "all is well", now.dead > 0),
  ];
}

function stepsOf(held, again) {
  const step = (isDone, title, words, ...actions) => el("li", { className: isDone ? "done" : "" }, el("div", {}, el("h3", {}, title, isDone ? el("span", { className: "badge good" }, "done") : null), el("p", {}, words)), el("div", { className: "actions" }, actions));
  const button = (label, work, isMain = true) => el("button", { className: isMain ? "main" : "", onclick: () => attempt(work) }, label);
  const link = (href, label, isMain = false) => el("a", { href, className: isMain ? "button main" : "button", ...(href.startsWith("#") ? {} : { target: "_blank" }) }, label);
  const make = async () => {
    await newWorkspace();
    again();
    say("The workspace was created, with a testing key.");
  };
  return [
    step(false, "See it", "One document for two people: open both pages side by side, write, and mention the other.", link("/demo/?as=ada", "Demo as Ada", true), link("/demo/?as=bob", "Demo as Bob")),
    step(hasKey(), "Make a workspace", "It comes with an API key of its own: a tenant whose data nobody else sees.", button(hasKey() ? "Another one" : "Make a workspace", make, !hasKey())),
    step(held.has, "Create a document", "“Welcome” in the organization “acme”, with Ada and Bob as its people, who are notified.", hasKey() ? button(held.has ? "Create it again" : "Create the document", async () => {
      await world();
      again();
      say("The document “welcome” and its people are there.");
    }, !held.has) : null),
    step(false, "Connect your app", "Its .env, the endpoint that gives a page its token, and a page for React, ready to copy.", link("#/connect", "Connect", hasKey())),
    step(false, "Follow a comment", "Ada mentions Bob; see the call, the webhook, the notification and the mail that came of it.", hasKey() ? button("Make a comment", async () => {
      await comment();
      location.hash = "#/activity";
    }, false) : null, link("#/activity", "Activity")),
    step(false, "Read on", "The parts of the kit in all their states, every operation with calls to try, and what each promises.", link("/kit/", "Kit"), link("/docs/", "Reference"), link("/docs/contract/", "Contract")),
  ];
}

const ADA = { userId: "ada", name: "Ada", email: "ada@example.com" };
const BOB = { userId: "bob", name: "Bob", email: "bob@example.com" };

// A document with two people, who are notified.
async function world() {
  await call("/v2/organizations/documents/add", { organizationId: "acme", createOrganization: true, documents: [{ documentId: "welcome", documentName: "Welcome" }] });
  await call("/v2/users/add", { organizationId: "acme", users: [ADA, BOB] });
  await call("/v2/workspace/notificationconfig/update", { useNotificationService: true });
  await call("/v2/workspace/emailconfig/update", { useEmailService: true });
}

// That document, and a comment in it that mentions Bob.
export async function comment() {
  await world();
  await call("/v2/commentannotations/add", { organizationId: "acme", documentId: "welcome", commentAnnotations: [{ commentData: [{
    from: ADA, commentText: "Have a look, @bob", taggedUserContacts: [{ userId: "bob", text: "@bob", contact: BOB }], triggerNotification: true,
  }] }] });
  say("Ada mentioned Bob in the document “welcome”.");
}
