// The console of the local stack: its views, and how to move between them.
import { $, attempt, el, hasKey, loadKeys, memory, newWorkspace, nothing, replace, say, state, unlock } from "./page.js";
import { connect } from "./connect.js";
import { activity } from "./follow.js";
import { overview } from "./home.js";
import { connections } from "./live.js";
import { browse, clock, mails, queues, tryOut, webhooks } from "./views.js";

// By what a developer looks for. A view that needs no workspace says so.
const GROUPS = [
  ["Start", [
    ["overview", "Overview", overview, "What runs on this machine, and what to do next.", true],
    ["connect", "Connect", connect, "What an app needs to reach this service."],
  ]],
  ["Watch", [
    ["activity", "Activity", activity, "Every call, and what came of it: webhooks, notifications, mails."],
    ["live", "Live", connections, "Open connections, and who is in which document.", true],
    ["webhooks", "Webhooks", webhooks, "Receive webhooks without a tunnel, and see one fail."],
    ["mails", "Mails", mails, "What was sent to people. It stays on this machine, unless an SMTP server was named.", true],
  ]],
  ["Data", [
    ["data", "Data", browse, "Documents, threads and people of the API key."],
    ["call", "Try a call", tryOut, "Any operation, in the name of the API key."],
  ]],
  ["Operate", [
    ["clock", "Test clock", clock, "Move the time of a testing key: what becomes due goes out."],
    ["queues", "Queues", queues, "What waits for workers, and what they gave up.", true],
  ]],
];
const LINKS = [["/demo/?as=ada", "Demo"], ["/kit/", "Kit"], ["/docs/", "Reference"], ["/docs/contract/", "Contract"], ["/openapi.json", "OpenAPI"], ["/outbox/", "Outbox"]];
const views = new Map(GROUPS.flatMap(([, members]) => members.map((view) => [view[0], view])));

const viewOf = (hash) => (views.has(hash.slice(2)) && hash.startsWith("#/") ? hash.slice(2) : null);

function menu() {
  const link = ([id, label]) => el("li", {}, el("a", { href: `#/${id}`, "aria-current": id === state.view ? "page" : "false", onclick: () => open(false) }, label));
  const group = ([title, members]) => [el("h2", {}, title), el("ul", {}, members.map(link))];
  const away = ([href, label]) => el("li", {}, el("a", { href, target: "_blank" }, label));
  replace($("nav"), GROUPS.flatMap(group), el("h2", {}, "Open"), el("ul", {}, LINKS.map(away)));
}

// The menu of a narrow page.
function open(isOpen) {
  $("menu").setAttribute("aria-expanded", String(isOpen));
  $("nav").classList.toggle("open", isOpen);
}

function show(name) {
  const [, label, render, lead, isFree] = views.get(name);
  state.view = name;
  clearInterval(state.timer);
  say("");
  menu();
  $("title").textContent = label;
  $("lead").textContent = lead;
  document.title = `${label} · Roundtable`;
  const view = el("div", { id: "view", className: name });
  $("view").replaceWith(view);
  if (!hasKey() && !isFree) {
    replace(view, nothing("There is no workspace yet.", el("button", { className: "main", onclick: makeWorkspace }, "Make a workspace")));
    return;
  }
  attempt(() => render(view, () => show(name)));
}

const makeWorkspace = () => attempt(async () => {
  await newWorkspace();
  show(state.view);
  say("The workspace was created, with a testing key.");
});

async function start() {
  if (location.hash.length > 1 && !viewOf(location.hash)) {
    memory.setItem("admin", decodeURIComponent(location.hash.slice(1)));
    history.replaceState(null, "", location.pathname);
  }
  $("create").addEventListener("click", makeWorkspace);
  $("skip").addEventListener("click", () => $("title").focus());
  $("menu").addEventListener("click", () => open($("menu").getAttribute("aria-expanded") === "false"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || $("menu").getAttribute("aria-expanded") === "false") return;
    open(false);
    $("menu").focus();
  });
  $("message").querySelector("button").addEventListener("click", () => say(""));
  $("key").addEventListener("change", () => {
    state.key = $("key").value;
    memory.setItem("key", state.key);
    show(state.view);
  });
  addEventListener("hashchange", () => {
    const wanted = viewOf(location.hash);
    if (!wanted || !memory.getItem("admin")) return;
    show(wanted);
    $("title").focus();
  });
  $("unlock").addEventListener("close", () => {
    memory.setItem("admin", $("token").value);
    attempt(enter);
  });
  menu();
  await attempt(enter);
}

async function enter() {
  if (!memory.getItem("admin")) return unlock();
  await loadKeys();
  show(viewOf(location.hash) ?? "overview");
}

start();
