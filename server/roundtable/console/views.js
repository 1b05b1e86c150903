// What is there, any operation, webhooks, mails, the clock and the queues.
import { attempt, call, el, json, line, list, live, loadKeys, look, memory, nothing, operator, replace, row, say, state, table, text, time } from "./page.js";

// ---- what is there ------------------------------------------------------------------------------

export async function browse(view) {
  const organizations = (await look("/v2/organizations/get", {})).data;
  if (organizations.length === 0) return replace(view, nothing("There is no organization yet.", el("p", {}, el("a", { href: "#/overview" }, "Create a document"), " with its people, or ", el("a", { href: "#/call" }, "make a call"), ".")));
  const name = (it) => it.organizationName || it.organizationId || it.id;
  const select = el("select", { onchange: () => attempt(open) }, organizations.map((it) => el("option", { value: it.organizationId ?? it.id }, name(it))));
  const below = el("div");
  replace(view, el("div", { className: "bar" }, el("label", {}, "Organization", select)), below);
  const open = async () => {
    const organizationId = select.value;
    const read = (path, data = {}) => look(path, { organizationId, ...data }).then((it) => it.data).catch(() => []);
    const [documents, folders, users, groups, threads] = await Promise.all([
      read("/v2/organizations/documents/get", { pageSize: 100 }), read("/v2/organizations/folders/get"), read("/v2/users/get", { pageSize: 100 }),
      read("/v2/organizations/usergroups/get"), read("/v2/commentannotations/get", { pageSize: 50 }),
    ]);
    const section = (title, items, cells) => [el("h2", {}, `${title} (${items.length})`), items.length ? table(cells.map(([head]) => head), items.map((it) => row(cells.map(([, of]) => line(text(of(it))))))) : el("p", { className: "dim" }, "none")];
    replace(below,
      section("Documents", documents, [["Id", (it) => it.documentId], ["Name", (it) => it.documentName], ["Folder", (it) => it.folderId], ["Access", (it) => it.accessType + (it.disabled ? ", disabled" : "")]]),
      section("Threads", threads.filter(Boolean), [["Id", (it) => it.annotationId], ["Document", (it) => it.documentId ?? it.metadata?.documentId], ["Status", (it) => it.status?.id], ["Comments", (it) => it.commentsCount ?? it.comments?.length], ["First", (it) => it.comments?.[0]?.commentText]]),
      section("Users", users, [["Id", (it) => it.userId], ["Name", (it) => it.name], ["E-mail", (it) => it.email], ["Role", (it) => it.accessRole]]),
      section("Folders", folders, [["Id", (it) => it.folderId], ["Name", (it) => it.folderName], ["Parent", (it) => it.parentFolderId]]),
      section("Groups", groups, [["Id", (it) => it.groupId ?? it.organizationUserGroupId], ["Name", (it) => it.groupName], ["Members", (it) => it.users?.length ?? it.userIds?.length]]));
  };
  return open();
}

// ---- try an operation ---------------------------------------------------------------------------

const resolve = (node) => (node?.$ref ? resolve(node.$ref.slice(2).split("/").reduce((at, name) => at[name.replace(/~1/g, "/").replace(/~0/g, "~")], state.openapi)) : node);

export async function tryOut(view) {
  state.openapi ??= await (await fetch("/openapi.json")).json();
  const families = Map.groupBy(Object.entries(state.openapi.paths).filter(([path]) => path.startsWith("/v2/")), ([, { post }]) => post.tags[0]);
  const group = ([label, paths]) => el("optgroup", { label }, paths.map(([path]) => el("option", { value: path }, path)));
  const select = el("select", { onchange: () => fill() }, [...families].map(group));
  const summary = el("p", { className: "dim" });
  const body = el("textarea", { spellcheck: false, "aria-label": "data of the call" });
  const answer = el("div");
  const fill = () => {
    const operation = state.openapi.paths[select.value].post;
    const content = resolve(operation.requestBody)?.content?.["application/json"] ?? {};
    const example = content.example ?? Object.values(content.examples ?? {})[0]?.value ?? resolve(content.schema)?.examples?.[0] ?? { data: {} };
    replace(summary, `${operation.summary}. `, el("a", { href: `/docs/#${select.value}` }, "Reference"));
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

export async function webhooks(view, again) {
  const inbox = el("div");
  const rows = [];
  let next = 0;
  const receive = (query, note) => attempt(async () => {
    await call("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
    await call("/v2/workspace/advancedwebhook/endpoints/create", { url: `${location.origin}/inbox/console${query}`, description: note });
    again();
    say("Webhooks of this key arrive here from now on.");
  });
  const endpoints = await look("/v2/workspace/advancedwebhook/endpoints/get", {}).then((it) => it.data.endpoints ?? it.data).catch(() => []);
  const remove = (id) => attempt(async () => {
    await call("/v2/workspace/advancedwebhook/endpoints/delete", { endpointId: id });
    again();
  });
  replace(view,
    el("div", { className: "bar" }, el("button", { className: "main", onclick: () => receive("", "Console") }, "Receive webhooks here"),
      el("button", { onclick: () => receive("?status=503&times=1", "Console, fails once") }, "… and let each first attempt fail")),
    el("h2", {}, "Endpoints"), Array.isArray(endpoints) && endpoints.length ? table(["URL", "State", ""], endpoints.map((it) => row([line(it.url, "mono"), it.disabled ? `disabled ${text(it.disabledReason)}` : "enabled", el("button", { onclick: () => remove(it.id) }, "Delete")]))) : nothing("None: nothing is sent."),
    el("h2", {}, "What arrived here"), inbox);
  await live(view, async () => {
    const arrived = await list(`inbox?after=${next}`);
    if (next !== 0 && arrived.items.length === 0) return;
    next = arrived.next;
    rows.unshift(...arrived.items.filter((it) => (it.body?.data?.apiKey ?? state.key) === state.key).reverse());
    const shown = (it) => row([time(it.at), line(text(it.body?.type ?? it.body?.event)), it.attempt, el("span", { className: it.status >= 300 ? "badge bad" : "badge good" }, it.status), el("details", {}, el("summary", {}, "Body"), json(it))]);
    replace(inbox, rows.length ? table(["Time", "Event", "Attempt", "Answered", ""], rows.slice(0, 100).map(shown)) : nothing("Nothing yet."));
  });
}

export async function mails(view) {
  const found = el("div");
  replace(view, found);
  await live(view, async () => {
    const { items } = await list("mails");
    const shown = (it) => row([it.at ? new Date(it.at).toLocaleString() : "", line(it.to), el("a", { href: `/outbox/${encodeURIComponent(it.name)}` }, it.subject || "(no subject)")]);
    const at = document.activeElement?.getAttribute("href");
    replace(found, items.length ? table(["Time", "To", "Subject"], items.map(shown)) : nothing("No mail was sent yet."));
    if (at) [...found.querySelectorAll("a")].find((link) => link.getAttribute("href") === at)?.focus();
  });
}

export async function clock(view) {
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
  replace(view, ahead, el("div", { className: "bar" }, [["1 minute", 60], ["1 hour", 3600], ["1 day", 86400]].map(([label, seconds]) => el("button", { onclick: () => advance(seconds) }, `+ ${label}`))));
  told();
}

export async function queues(view) {
  const waiting = el("div");
  const letters = el("section", { "aria-label": "Dead letters" });
  replace(view, waiting, letters);
  await live(view, async () => {
    const { queues: rows } = await list("queues");
    const shown = (it) => row([it.queue, it.waiting, it.dead ? el("button", { className: "bad", onclick: () => attempt(() => deadLetters(it.queue)) }, `${it.dead}: show`) : text(it.dead)]);
    if (!waiting.contains(document.activeElement)) replace(waiting, table(["Queue", "Waiting", "Dead letters"], rows.map(shown)));
  });
  async function deadLetters(queue) {
    const { items } = await list(`dead-letters?queue=${encodeURIComponent(queue)}`);
    const shown = (it) => row([time(it.at), it.reason ?? "received too often", text(it.worker), el("details", {}, el("summary", {}, "Message"), json(it.body))]);
    const retry = () => attempt(async () => {
      await operator("redrive", { queue });
      replace(letters);
      say(`The dead letters of ${queue} went back into the queue.`);
    });
    replace(letters, el("h2", {}, `Dead letters of ${queue}`), el("button", { className: "main", onclick: retry }, "Try again"), table(["Time", "Reason", "Worker", ""], items.map(shown)));
  }
}
