// Follow one thing: what came of a call.
import { attempt, el, json, line, list, live, look, nothing, replace, row, state, table, text, time } from "./page.js";
import { comment } from "./home.js";

export async function activity(view) {
  const filter = el("input", { type: "search", placeholder: "request id, event, user, document …", size: 34 });
  const reads = el("input", { type: "checkbox" });
  const body = el("tbody", { role: "rowgroup" });
  const hint = nothing("Choose a call to see what followed from it.");
  const detail = el("div", { "aria-live": "polite" }, hint);
  const close = el("button", { className: "close", hidden: true, onclick: () => leave() }, "Close");
  const panel = el("section", { className: "detail", "aria-label": "Details" }, close, detail);
  const feed = [];
  const seen = { calls: 0, inbox: 0 };
  let chosen = null;
  // Looks again at what followed from the chosen entry, while more is to come.
  let refresh = null;
  const empty = nothing("No call yet.", el("p", {}, "Calls of this API key appear here by themselves."));
  const render = () => {
    const wanted = filter.value.toLowerCase();
    const isShown = (entry) => (reads.checked || !entry.isRead) && (!wanted || entry.text.includes(wanted));
    const shown = (entry) => row(
      [time(entry.at), el("div", { className: "what" }, entry.kind ? el("span", { className: "badge" }, entry.kind) : null, el("button", { className: "plain line", title: entry.title, "aria-pressed": String(entry === chosen) }, entry.title)), el("span", { className: entry.isBad ? "badge bad" : "badge good" }, entry.status), line(entry.note, entry.isBad ? "bad" : "dim")],
      { className: entry === chosen ? "row chosen" : "row", onclick: () => choose(entry) });
    const at = [...body.children].findIndex((row) => row.contains(document.activeElement));
    replace(body, feed.filter(isShown).slice(-200).reverse().map(shown));
    empty.hidden = body.children.length > 0;
    if (at >= 0) body.querySelectorAll("button")[feed.filter(isShown).length > at ? at : 0]?.focus();
  };
  const choose = (entry) => {
    chosen = entry;
    close.hidden = false;
    render();
    attempt(async () => {
      const again = await entry.show(detail);
      if (entry !== chosen) return;
      refresh = again;
      if (matchMedia("(max-width: 60em)").matches) panel.scrollIntoView();
    });
  };
  const leave = () => {
    body.querySelector(".chosen button")?.focus();
    chosen = refresh = null;
    close.hidden = true;
    replace(detail, hint);
    render();
  };
  const poll = async () => {
    const calls = await list(`calls?after=${seen.calls}`);
    const inbox = await list(`inbox?after=${seen.inbox}`);
    seen.calls = calls.next;
    seen.inbox = inbox.next;
    const isOurs = (key) => !key || key === state.key;
    const fresh = [...calls.items.filter((it) => isOurs(it.apiKey)).map(ofCall), ...inbox.items.filter((it) => isOurs(it.body?.data?.apiKey)).map(ofDelivery)];
    if (fresh.length > 0) {
      feed.push(...fresh);
      feed.sort((a, b) => a.at - b.at);
      feed.splice(0, feed.length - 1000);
      render();
    }
    if (refresh && !(await refresh())) refresh = null;
  };
  filter.addEventListener("input", render);
  reads.addEventListener("change", render);
  replace(view,
    el("div", { className: "bar" }, el("label", {}, "Filter", filter), el("label", { className: "check" }, reads, "reading calls, too"),
      el("button", { className: "main", onclick: () => attempt(comment) }, "Make a comment that mentions somebody")),
    el("div", { className: "split" }, el("div", {}, table(["Time", "What", "Status", "Result"], [], "feed"), empty), panel));
  view.querySelector("table tbody").replaceWith(body);
  await live(view, poll);
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

// For how long what follows from a call is looked for, in milliseconds.
const FOLLOWED = 60_000;

const READS = /(\/get|\/count\/get|\/list|\/status)$/;

function ofCall(it) {
  const failure = it.reply?.error;
  return {
    at: it.at, title: it.path.replace(/^\/v[12]\//, ""), status: it.status, isBad: it.status >= 400, isRead: READS.test(it.path),
    note: failure ? failure.message : `${it.ms} ms`, text: JSON.stringify(it).toLowerCase(), show: (detail) => showCall(detail, it),
  };
}

function ofDelivery(it) {
  return {
    at: it.at, kind: "webhook", title: text(it.body?.type ?? it.body?.event ?? it.name), status: it.status, isBad: it.status >= 300, isRead: false,
    note: `attempt ${it.attempt}`, text: JSON.stringify(it).toLowerCase(), show: (detail) => replace(detail, el("h2", {}, "Webhook"), json(it)),
  };
}

async function showCall(detail, it) {
  const chain = el("div");
  const until = Date.now() + FOLLOWED;
  replace(detail, el("h2", {}, it.operation), el("p", { className: "dim" }, el("span", { className: "mono" }, it.path), el("br"), `request ${it.requestId}, ${it.ms} ms${cost(it.units)}`), el("h2", {}, "What followed"), chain,
    el("h2", {}, "Request"), json(it.request), el("h2", {}, "Reply"), json(it.reply));
  const data = it.request?.data ?? {};
  if (!data.organizationId || !it.apiKey) {
    replace(chain, el("p", { className: "dim" }, "Nothing can be followed from this call: it names no organization."));
    return null;
  }
  const again = async () => {
    const steps = await stepsOf(it, data);
    const node = ([className, title, note]) => el("div", { className: `step ${className}` }, el("strong", {}, title), note ? el("div", { className: "dim" }, note) : null);
    const shown = JSON.stringify(steps);
    if (chain.dataset.shown !== shown) replace(chain, steps.map(node));
    chain.dataset.shown = shown;
    return chain.isConnected && Date.now() < until;
  };
  await again();
  return again;
}

// What followed from a call: steps of a class, a title and a note.
async function stepsOf(it, data) {
  const steps = [];
  const step = (className, title, note) => steps.push([className, title, note]);
  const messages = await look("/v2/workspace/advancedwebhook/messages/get", { limit: 50 }, it.apiKey).catch(() => null);
  const isOurs = (message) => Math.abs(Date.parse(message.timestamp) - it.at) <= it.ms + 50;
  const events = new Set();
  for (const message of messages?.data.messages.filter(isOurs) ?? []) {
    events.add(message.payload?.id ?? message.id);
    step("good", message.type, `message ${message.id}`);
    const { data: { attempts } } = await look("/v2/workspace/advancedwebhook/attempts/get", { messageId: message.id, limit: 50 }, it.apiKey);
    for (const made of attempts.reverse()) {
      const answer = made.statusCode ? `answered ${made.statusCode}` : made.failure;
      step(made.status === "success" ? "good" : "bad", `Webhook ${answer}`, `${time(Date.parse(made.timestamp))}, ${made.durationMs} ms, ${made.url}`);
    }
    if (attempts.length === 0) step("", "No attempt yet");
  }
  const traced = await look("/v2/notifications/trace/get", { organizationId: data.organizationId, documentId: data.documentId, pageSize: 100 }, it.apiKey);
  const mine = traced.data.filter((one) => events.size === 0 || [...events].some((id) => id.includes(one.eventId) || one.eventId.includes(id)));
  for (const one of mine) {
    const why = one.reason ? `: ${one.reason}` : one.dueAt && one.state === "pending" ? ` until ${time(one.dueAt)}` : "";
    step(one.state === "delivered" ? "good" : one.state === "dropped" ? "bad" : "", `${one.userId ?? "everybody"}, ${one.channel}: ${one.state}${why}`, `event ${one.eventId}`);
  }
  if (steps.length === 0) step("", messages ? "No webhook message and no notification." : "Webhooks are off (see “Webhooks”), and nobody was notified.");
  return steps;
}
