// The console of the local stack: its views, and how to move between them.
import { $, attempt, call, el, loadKeys, memory, replace, say, state, unlock } from "./page.js";
import { follow } from "./follow.js";
import { browse, clock, mails, tryOut, webhooks } from "./views.js";

async function createWorkspace() {
  await attempt(async () => {
    const made = await call("/v2/workspace/create", { ownerEmail: "you@example.com", name: "Console" }, null);
    await loadKeys(Object.keys(made.data.apiKeyList)[0]);
    show(state.view);
    say("The workspace was created, with a testing key.");
  });
}

const views = { follow: ["Follow", follow], browse: ["What is there", browse], try: ["Try", tryOut], webhooks: ["Webhooks", webhooks], mails: ["Mails", mails], clock: ["Clock and queues", clock] };

function show(name) {
  state.view = name;
  clearInterval(state.timer);
  say(state.keys.length > 0 ? "" : "There is no workspace yet: “New workspace” makes one, with a testing key.");
  const tab = ([id, [label]]) => el("button", { role: "tab", id: `tab-${id}`, "aria-controls": "view", "aria-selected": String(id === name), tabIndex: id === name ? 0 : -1, onclick: () => show(id), onkeydown: move }, label);
  replace($("tabs"), Object.entries(views).map(tab));
  replace($("view"));
  $("view").setAttribute("aria-labelledby", `tab-${name}`);
  attempt(() => views[name][1]($("view"), () => show(name)));
}

function move(event) {
  const names = Object.keys(views);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = names[(names.indexOf(state.view) + step + names.length) % names.length];
  show(next);
  $(`tab-${next}`).focus();
}

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
