"use strict";
// The console of the local stack. It makes calls by the operator's routes, so no token of a tenant
// is in the page; what it shows comes from anybody and is only ever set as text.

const $ = (id) => document.getElementById(id);
const state = { key: null, keys: [], view: "follow", timer: null, openapi: null };
const memory = window.sessionStorage;

// ---- elements ---------------------------------------------------------------------------------

function el(tag, members = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && name !== "list") node[name] = value;
    else node.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const text = (value) => (value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));
const json = (value) => el("pre", { textContent: JSON.stringify(value, null, 2) ?? "" });
const time = (at) => (at ? new Date(at).toLocaleTimeString([], { hour12: false }) + "." + String(new Date(at).getMilliseconds()).padStart(3, "0") : "");
const replace = (node, ...children) => node.replaceChildren(...children.flat());

function say(message, isBad = false) {
  $("message").textContent = message;
  $("message").className = isBad ? "bad" : "";
}

function table(heads, rows) {
  return el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows));
}
const row = (cells, members = {}) => el("tr", members, cells.map((cell) => el("td", { className: /^\d\d:\d\d:\d\d/.test(cell) ? "time" : "" }, cell)));

// ---- calls ------------------------------------------------------------------------------------

async function operator(path, body) {
  const headers = { "x-service-admin-token": memory.getItem("admin") ?? "" };
  const options = body === undefined ? { headers } : { headers: { ...headers, "content-type": "application/json" }, method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`/console/api/${path}`, options);
  const reply = await answer.json();
  if (answer.status === 403 && reply.message) {
    unlock();
    throw new Error(reply.message);
  }
  return { status: answer.status, requestId: answer.headers.get("x-request-id"), reply };
}

async function list(path) {
  const { status, reply } = await operator(path);
  if (status !== 200) throw new Error(reply.message);
  return reply;
}

// A call in the name of the chosen key; answers with `result`.
async function call(path, data, apiKey = state.key) {
  const { reply } = await operator("call", { apiKey, path, data });
  if (reply.error) throw new Error(`${reply.error.status}: ${reply.error.message}`);
  return reply.result;
}

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    say(error.message, true);
    return undefined;
  }
}

function unlock() {
  if (!$("unlock").open) $("unlock").showModal();
}

// ---- keys -------------------------------------------------------------------------------------

async function loadKeys(chosen) {
  const { keys } = await list("keys");
  state.keys = keys;
  const wanted = chosen ?? state.key ?? memory.getItem("key");
  state.key = keys.some((key) => key.apiKey === wanted) ? wanted : keys[0]?.apiKey ?? null;
  if (state.key) memory.setItem("key", state.key);
  const option = (key) => el("option", { value: key.apiKey, selected: key.apiKey === state.key }, `${key.apiKey.slice(0, 12)}… ${key.type} ${key.ownerEmail}`);
  replace($("key"), keys.map(option));
  if (keys.length === 0) say("There is no workspace yet: “New workspace” makes one, with a testing key.");
}

async function createWorkspace() {
  await attempt(async () => {
    const made = await call("/v2/workspace/create", { ownerEmail: "you@example.com", name: "Console" }, null);
    await loadKeys(Object.keys(made.data.apiKeyList)[0]);
    say("The workspace was created, with a testing key.");
    show(state.view);
  });
}

// ---- views ------------------------------------------------------------------------------------

const views = { follow: ["Follow", follow], browse: ["What is there", browse], try: ["Try", tryOut], webhooks: ["Webhooks", webhooks], mails: ["Mails", mails], clock: ["Clock and queues", clock] };

function show(name) {
  state.view = name;
  clearInterval(state.timer);
  const tab = ([id, [label]]) => el("button", { role: "tab", id: `tab-${id}`, "aria-selected": String(id === name), tabIndex: id === name ? 0 : -1, onclick: () => show(id), onkeydown: move }, label);
  replace($("tabs"), Object.entries(views).map(tab));
  replace($("view"));
  $("view").setAttribute("aria-labelledby", `tab-${name}`);
  attempt(() => views[name][1]($("view")));
}

function move(event) {
  const names = Object.keys(views);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = names[(names.indexOf(state.view) + step + names.length) % names.length];
  show(next);
  $(`tab-${next}`).focus();
}

// Runs now and every second while the view is open and the page is looked at.
function live(work) {
  const run = () => document.hidden || attempt(work);
  clearInterval(state.timer);
  state.timer = setInterval(run, 1000);
  return run();
}

// ---- follow one thing ---------------------------------------------------------------------------

async function follow(view) {
  const filter = el("input", { type: "search", placeholder: "request id, event, user, document …", size: 36 });
  const reads = el("input", { type: "checkbox" });
  const body = el("tbody");
  const detail = el("section", { "aria-label": "Details" }, el("p", { className: "dim" }, "Choose a call to see what followed from it."));
  const feed = [];
  const seen = { calls: 0, inbox: 0 };
  let chosen = null;
  const render = () => {
    const wanted = filter.value.toLowerCase();
    const isShown = (entry) => (reads.checked || !entry.isRead) && (!wanted || entry.text.includes(wanted));
    const line = (entry) => row(
      [time(entry.at), el("span", { className: "badge" }, entry.kind), el("span", { className: entry.isBad ? "bad" : "" }, entry.title), entry.note],
      { className: "row", tabIndex: 0, "aria-selected": String(entry === chosen), onclick: () => choose(entry), onkeydown: (event) => event.key === "Enter" && choose(entry) });
    replace(body, feed.filter(isShown).slice(-200).reverse().map(line));
  };
  const choose = (entry) => {
    chosen = entry;
    render();
    attempt(() => entry.show(detail));
  };
  const poll = async () => {
    const calls = await list(`calls?after=${seen.calls}`);
    const inbox = await list(`inbox?after=${seen.inbox}`);
    seen.calls = calls.next;
    seen.inbox = inbox.next;
    const fresh = [...calls.items.filter((it) => !it.apiKey || it.apiKey === state.key).map(ofCall), ...inbox.items.map(ofDelivery)];
    if (fresh.length === 0) return;
    feed.push(...fresh);
    feed.sort((a, b) => a.at - b.at);
    feed.splice(0, feed.length - 1000);
    render();
  };
  filter.addEventListener("input", render);
  reads.addEventListener("change", render);
  replace(view,
    el("div", { className: "bar" }, el("label", {}, "Filter", filter), el("span", {}, reads, " reading calls, too"),
      el("button", { className: "main", onclick: demo }, "Make a comment that mentions somebody")),
    el("div", { className: "split" }, table(["Time", "", "", ""], []), detail));
  view.querySelector("table tbody").replaceWith(body);
  await live(poll);
}

// DynamoDB on demand, HTTP API and Lambda requests in us-east-1, in dollars: https://aws.amazon.com/dynamodb/pricing/on-demand/
const PRICE = { read: 0.125e-6, write: 0.625e-6, call: 1.2e-6 };

// "read=1.5, write=2.0" in words; the memory and time of the function come on top.
function cost(units) {
  const [, read, write] = /read=([\d.]+), write=([\d.]+)/.exec(units ?? "") ?? [];
  if (read === undefined) return "";
  const dollars = (read * PRICE.read + write * PRICE.write + PRICE.call) * 1e6;
  return `, ${Number(read)} read and ${Number(write)} write units, $${dollars.toFixed(2)} per million`;
}

const READS = /(\/get|\/count\/get|\/list|\/status)$/;

function ofCall(it) {
  const failure = it.reply?.error;
  return {
    at: it.at, kind: "call", title: `${it.path.replace(/^\/v[12]\//, "")} ${it.status}`, isBad: it.status >= 400, isRead: READS.test(it.path),
    note: failure ? failure.message : `${it.ms} ms${cost(it.units)}`, text: JSON.stringify(it).toLowerCase(), show: (detail) => showCall(detail, it),
  };
}

function ofDelivery(it) {
  return {
    at: it.at, kind: "webhook", title: `${it.body?.type ?? it.body?.event ?? it.name} answered ${it.status}`, isBad: it.status >= 300, isRead: false,
    note: `attempt ${it.attempt}`, text: JSON.stringify(it).toLowerCase(), show: (detail) => replace(detail, el("h2", {}, "Webhook"), json(it)),
  };
}

async function showCall(detail, it) {
  const chain = el("div");
  replace(detail, el("h2", {}, it.operation), el("p", { className: "dim" }, `request ${it.requestId}, ${it.ms} ms${cost(it.units)}`), el("h2", {}, "What followed"), chain,
    el("h2", {}, "Request"), json(it.request), el("h2", {}, "Reply"), json(it.reply));
  const data = it.request?.data ?? {};
  if (!data.organizationId || !it.apiKey) {
    replace(chain, el("p", { className: "dim" }, "Nothing can be followed from this call: it names no organization."));
    return;
  }
  const steps = [];
  const step = (className, title, ...rest) => steps.push(el("div", { className: `step ${className}` }, el("strong", {}, title), ...rest));
  const messages = await call("/v2/workspace/advancedwebhook/messages/get", { limit: 50 }, it.apiKey).catch(() => null);
  const isOurs = (message) => Math.abs(Date.parse(message.timestamp) - it.at) <= it.ms + 50;
  const events = new Set();
  for (const message of messages?.data.messages.filter(isOurs) ?? []) {
    events.add(message.payload?.id ?? message.id);
    step("good", message.type, el("div", { className: "dim" }, `message ${message.id}`));
    const { data: { attempts } } = await call("/v2/workspace/advancedwebhook/attempts/get", { messageId: message.id, limit: 50 }, it.apiKey);
    for (const made of attempts.reverse()) {
      const answer = made.statusCode ? `answered ${made.statusCode}` : made.failure;
      step(made.status === "success" ? "good" : "bad", `Webhook ${answer}`, el("div", { className: "dim" }, `${time(Date.parse(made.timestamp))}, ${made.durationMs} ms, ${made.url}`));
    }
    if (attempts.length === 0) step("", "No attempt yet");
  }
  const traced = await call("/v2/notifications/trace/get", { organizationId: data.organizationId, documentId: data.documentId, pageSize: 100 }, it.apiKey);
  const mine = traced.data.filter((one) => events.size === 0 || [...events].some((id) => id.includes(one.eventId) || one.eventId.includes(id)));
  for (const one of mine) {
    const why = one.reason ? `: ${one.reason}` : one.dueAt && one.state === "pending" ? ` until ${time(one.dueAt)}` : "";
    step(one.state === "delivered" ? "good" : one.state === "dropped" ? "bad" : "", `${one.userId ?? "everybody"}, ${one.channel}: ${one.state}${why}`, el("div", { className: "dim" }, `event ${one.eventId}`));
  }
  if (steps.length === 0) step("", messages ? "No webhook message and no notification." : "Webhooks are off (see “Webhooks”), and nobody was notified.");
  replace(chain, steps, el("button", { onclick: () => attempt(() => showCall(detail, it)) }, "Look again"));
}

// A small world, and a comment in it that mentions Bob.
async function demo() {
  await attempt(async () => {
    const at = { organizationId: "acme", documentId: "welcome" };
    const ada = { userId: "ada", name: "Ada", email: "ada@example.com" };
    const bob = { userId: "bob", name: "Bob", email: "bob@example.com" };
    await call("/v2/organizations/documents/add", { organizationId: "acme", createOrganization: true, documents: [{ documentId: "welcome", documentName: "Welcome" }] });
    await call("/v2/users/add", { organizationId: "acme", users: [ada, bob] });
    await call("/v2/workspace/notificationconfig/update", { useNotificationService: true });
    await call("/v2/workspace/emailconfig/update", { useEmailService: true });
    await call("/v2/commentannotations/add", { ...at, commentAnnotations: [{ commentData: [{
      from: ada, commentText: "Have a look, @bob", taggedUserContacts: [{ userId: "bob", text: "@bob", contact: bob }], triggerNotification: true,
    }] }] });
    say("Ada mentioned Bob in the document “welcome”.");
  });
}

// ---- what is there ------------------------------------------------------------------------------

async function browse(view) {
  const organizations = (await call("/v2/organizations/get", {})).data;
  const name = (it) => it.organizationName ?? it.id ?? it.organizationId;
  const select = el("select", { onchange: () => attempt(open) }, organizations.map((it) => el("option", { value: it.organizationId ?? it.id }, name(it))));
  const below = el("div");
  replace(view, el("div", { className: "bar" }, el("label", {}, "Organization", select)), below);
  const open = async () => {
    const organizationId = select.value;
    if (!organizationId) return replace(below, el("p", { className: "dim" }, "There is no organization yet."));
    const read = (path, data = {}) => call(path, { organizationId, ...data }).then((it) => it.data).catch(() => []);
    const [documents, folders, users, groups, threads] = await Promise.all([
      read("/v2/organizations/documents/get", { pageSize: 100 }), read("/v2/organizations/folders/get"), read("/v2/users/get", { pageSize: 100 }),
      read("/v2/organizations/usergroups/get"), read("/v2/commentannotations/get", { pageSize: 50 }),
    ]);
    const section = (title, items, cells) => [el("h2", {}, `${title} (${items.length})`), items.length ? table(cells.map(([head]) => head), items.map((it) => row(cells.map(([, of]) => text(of(it)))))) : el("p", { className: "dim" }, "none")];
    replace(below,
      section("Documents", documents, [["Id", (it) => it.documentId], ["Name", (it) => it.documentName], ["Folder", (it) => it.folderId], ["Access", (it) => it.accessType + (it.disabled ? ", disabled" : "")]]),
      section("Threads", threads.filter(Boolean), [["Id", (it) => it.annotationId], ["Document", (it) => it.documentId ?? it.metadata?.documentId], ["Status", (it) => it.status?.id], ["Comments", (it) => it.commentsCount ?? it.comments?.length], ["First", (it) => it.comments?.[0]?.commentText]]),
      section("Users", users, [["Id", (it) => it.userId], ["Name", (it) => it.name], ["E-mail", (it) => it.email], ["Role", (it) => it.accessRole]]),
      section("Folders", folders, [["Id", (it) => it.folderId], ["Name", (it) => it.folderName], ["Parent", (it) => it.parentFolderId]]),
      section("Groups", groups, [["Id", (it) => it.groupId ?? it.organizationUserGroupId], ["Name", (it) => it.groupName], ["Members", (it) => it.users?.length ?? it.userIds?.length]]));
  };
  await open();
}

// ---- try an operation ---------------------------------------------------------------------------

const resolve = (node) => (node?.$ref ? resolve(node.$ref.slice(2).split("/").reduce((at, name) => at[name.replace(/~1/g, "/").replace(/~0/g, "~")], state.openapi)) : node);

async function tryOut(view) {
  state.openapi ??= await (await fetch("/openapi.json")).json();
  const paths = Object.entries(state.openapi.paths).filter(([path]) => path.startsWith("/v2/"));
  const select = el("select", { onchange: () => fill() }, paths.map(([path]) => el("option", { value: path }, path)));
  const summary = el("p", { className: "dim" });
  const body = el("textarea", { spellcheck: false, "aria-label": "data of the call" });
  const answer = el("div");
  const fill = () => {
    const operation = state.openapi.paths[select.value].post;
    const content = resolve(operation.requestBody)?.content?.["application/json"] ?? {};
    const example = content.example ?? Object.values(content.examples ?? {})[0]?.value ?? resolve(content.schema)?.examples?.[0] ?? { data: {} };
    summary.textContent = operation.summary ?? "";
    body.value = JSON.stringify(example.data ?? example, null, 2);
    memory.setItem("operation", select.value);
    replace(answer);
  };
  const run = () => attempt(async () => {
    const isOperators = Object.keys(state.openapi.paths[select.value].post.security?.[0] ?? {}).some((name) => /admin/i.test(name));
    const { status, requestId, reply } = await operator("call", { apiKey: isOperators ? null : state.key, path: select.value, data: JSON.parse(body.value) });
    replace(answer, el("h2", { className: status === 200 ? "good" : "bad" }, `${status}`), el("p", { className: "dim" }, `request ${requestId}`), json(reply));
    if (isOperators) await loadKeys();
  });
  select.value = memory.getItem("operation") ?? "/v2/organizations/documents/add";
  replace(view, el("div", { className: "bar" }, el("label", {}, "Operation", select), el("button", { className: "main", onclick: run }, "Run")), summary, el("div", { className: "split" }, body, answer));
  fill();
}

// ---- webhooks, mails, clock -----------------------------------------------------------------------

async function webhooks(view) {
  const inbox = el("div");
  const rows = [];
  let next = 0;
  const receive = (query, note) => attempt(async () => {
    await call("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
    await call("/v2/workspace/advancedwebhook/endpoints/create", { url: `${location.origin}/inbox/console${query}`, description: note });
    say("Webhooks of this key arrive here from now on.");
    show("webhooks");
  });
  const endpoints = await call("/v2/workspace/advancedwebhook/endpoints/get", {}).then((it) => it.data.endpoints ?? it.data).catch(() => []);
  const remove = (id) => attempt(async () => {
    await call("/v2/workspace/advancedwebhook/endpoints/delete", { endpointId: id });
    show("webhooks");
  });
  replace(view,
    el("div", { className: "bar" }, el("button", { className: "main", onclick: () => receive("", "Console") }, "Receive webhooks here"),
      el("button", { onclick: () => receive("?status=503&times=1", "Console, fails once") }, "… and let each first attempt fail")),
    el("h2", {}, "Endpoints"), Array.isArray(endpoints) && endpoints.length ? table(["URL", "State", ""], endpoints.map((it) => row([it.url, it.disabled ? `disabled ${text(it.disabledReason)}` : "enabled", el("button", { onclick: () => remove(it.id) }, "Delete")]))) : el("p", { className: "dim" }, "none"),
    el("h2", {}, "What arrived here"), inbox);
  await live(async () => {
    const arrived = await list(`inbox?after=${next}`);
    if (next !== 0 && arrived.items.length === 0) return;
    next = arrived.next;
    rows.unshift(...arrived.items.reverse());
    const line = (it) => row([time(it.at), text(it.body?.type ?? it.body?.event), it.attempt, el("span", { className: it.status >= 300 ? "bad" : "good" }, it.status), el("details", {}, el("summary", {}, "Body"), json(it))]);
    replace(inbox, rows.length ? table(["Time", "Event", "Attempt", "Answered", ""], rows.slice(0, 100).map(line)) : el("p", { className: "dim" }, "Nothing yet."));
  });
}

async function mails(view) {
  const found = el("div");
  replace(view, found);
  await live(async () => {
    const { items } = await list("mails");
    const line = (it) => row([it.at ? new Date(it.at).toLocaleString() : "", it.to, el("a", { href: `/outbox/${encodeURIComponent(it.name)}` }, it.subject || "(no subject)")]);
    replace(found, items.length ? table(["Time", "To", "Subject"], items.map(line)) : el("p", { className: "dim" }, "No mail was sent yet."));
  });
}

async function clock(view) {
  const key = () => state.keys.find((it) => it.apiKey === state.key);
  const ahead = el("p");
  const told = () => {
    const seconds = Math.round((key()?.clockAhead ?? 0) / 1000);
    ahead.textContent = key()?.type === "testing" ? `The time of this key is ${seconds} s ahead.` : "The time of a production key cannot be moved.";
  };
  const advance = (seconds) => attempt(async () => {
    await call("/v2/workspace/testclock/advance", { seconds });
    await loadKeys(state.key);
    told();
    say("The time was moved; what became due goes out now.");
  });
  const queues = el("div");
  const letters = el("section", { "aria-label": "Dead letters" });
  replace(view, el("h2", {}, "Test clock"), ahead,
    el("div", { className: "bar" }, [["1 minute", 60], ["1 hour", 3600], ["1 day", 86400]].map(([label, seconds]) => el("button", { onclick: () => advance(seconds) }, `+ ${label}`))),
    el("h2", {}, "Queues"), queues, letters);
  told();
  await live(async () => {
    const { queues: rows } = await list("queues");
    const line = (it) => row([it.queue, it.waiting, it.dead ? el("button", { className: "bad", onclick: () => attempt(() => deadLetters(it.queue)) }, `${it.dead}: show`) : text(it.dead)]);
    if (!queues.contains(document.activeElement)) replace(queues, table(["Queue", "Waiting", "Dead letters"], rows.map(line)));
  });
  async function deadLetters(queue) {
    const { items } = await list(`dead-letters?queue=${encodeURIComponent(queue)}`);
    const line = (it) => row([time(it.at), it.reason ?? "received too often", text(it.worker), el("details", {}, el("summary", {}, "Message"), json(it.body))]);
    const retry = () => attempt(async () => {
      await operator("redrive", { queue });
      replace(letters);
      say(`The dead letters of ${queue} went back into the queue.`);
    });
    replace(letters, el("h2", {}, `Dead letters of ${queue}`), el("button", { className: "main", onclick: retry }, "Try again"), table(["Time", "Reason", "Worker", ""], items.map(line)));
  }
}

// ---- start ------------------------------------------------------------------------------------

async function start() {
  if (location.hash.length > 1) {
    memory.setItem("admin", decodeURIComponent(location.hash.slice(1)));
    history.replaceState(null, "", location.pathname);
  }
  $("create").addEventListener("click", createWorkspace);
  $("key").addEventListener("change", () => {
    state.key = $("key").value;
    memory.setItem("key", state.key);
    show(state.view);
  });
  $("unlock").addEventListener("close", () => {
    memory.setItem("admin", $("token").value);
    attempt(open);
  });
  await attempt(open);
}

async function open() {
  if (!memory.getItem("admin")) return unlock();
  await loadKeys();
  show(state.view);
}

start();
