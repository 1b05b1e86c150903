// What every view of the console is made with. It makes calls by the operator's routes, so no token
// of a tenant is in the page until a developer asks for one; what it shows comes from anybody and is
// only ever set as text.

export const $ = (id) => document.getElementById(id);
export const state = { key: null, keys: [], view: "overview", timer: null, openapi: null };
export const memory = window.sessionStorage;

// ---- elements ---------------------------------------------------------------------------------

export function el(tag, members = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && name !== "list") node[name] = value;
    else node.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}
export const text = (value) => (value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));
export const json = (value) => el("pre", { tabIndex: 0, textContent: JSON.stringify(value, null, 2) ?? "" });
export const time = (at) => (at ? new Date(at).toLocaleTimeString([], { hour12: false }) + "." + String(new Date(at).getMilliseconds()).padStart(3, "0") : "");
// "3 min": how long ago something was.
export function ago(at) {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  const [value, unit] = seconds < 60 ? [seconds, "s"] : seconds < 3600 ? [Math.floor(seconds / 60), "min"] : [Math.floor(seconds / 3600), "h"];
  return `${value} ${unit}`;
}
export const replace = (node, ...children) => node.replaceChildren(...children.flat());
export const nothing = (words, ...more) => el("div", { className: "nothing" }, el("p", {}, words), more);
// A name on one line; all of it is its title.
export const line = (name, className = "") => el("span", { className: `line ${className}`, title: name }, name);

let silence;
export function say(message, isBad = false) {
  const [words] = $("message").children;
  clearTimeout(silence);
  $("message").hidden = !message;
  $("message").className = isBad ? "bad" : "";
  words.textContent = message;
  // A failure stays until it is read.
  if (message && !isBad) silence = setTimeout(() => say(""), 6000);
}

// The roles are said because the styles of narrow pages take those of tables away.
export function table(heads, rows, className = "") {
  const head = (name) => (name ? el("th", { scope: "col", role: "columnheader" }, name) : el("td", { role: "cell" }));
  for (const row of rows) [...row.children].forEach((cell, at) => heads[at] && cell.setAttribute("data-head", heads[at]));
  return el("table", { role: "table", className }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map(head))), el("tbody", { role: "rowgroup" }, rows));
}
export const row = (cells, members = {}) => el("tr", { role: "row", ...members }, cells.map((cell) => el("td", { role: "cell", className: /^\d\d:\d\d:\d\d/.test(cell) ? "time" : "" }, cell)));

// A button that copies what `of` returns, or promises.
export function copy(of, label = "Copy", what = "") {
  const button = el("button", { className: "copy", onclick: () => attempt(async () => {
    await write(await of());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  }) }, label);
  if (what) button.setAttribute("aria-label", `${label} ${what}`);
  return button;
}

// Browsers give no clipboard to pages that have lost the focus.
async function write(value) {
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    throw new Error("The browser did not let the page copy: select the text.");
  }
}

// Code with a button that copies it. `shown` may hide what `copied` has.
export function code(title, shown, copied = shown, ...more) {
  const body = el("pre", { tabIndex: 0, "aria-label": title }, shown);
  return el("figure", { className: "code" }, el("figcaption", {}, el("span", {}, title), more, copy(typeof copied === "function" ? copied : () => copied, "Copy", title)), body);
}

// ---- calls ------------------------------------------------------------------------------------

export async function operator(path, body) {
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

export async function list(path) {
  const { status, reply } = await operator(path);
  if (status !== 200) throw new Error(reply.message);
  return reply;
}

// A call in the name of the chosen key; answers with `result`.
export async function call(path, data, apiKey = state.key, isOwn = false) {
  const { reply } = await operator("call", { apiKey, path, data, isOwn });
  if (reply.error) throw new Error(`${reply.error.status}: ${reply.error.message}`);
  return reply.result;
}

// A call that only fills a view: it is not among those that a developer follows.
export const look = (path, data, apiKey = state.key) => call(path, data, apiKey, true);

export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    say(error.message, true);
    return undefined;
  }
}

export function unlock() {
  if (!$("unlock").open) $("unlock").showModal();
}

// ---- keys -------------------------------------------------------------------------------------

export const hasKey = () => state.keys.length > 0;
export const nameOf = (key) => `${key.name || key.ownerEmail} · ${key.type} · ${key.apiKey.slice(0, 10)}…`;

export async function loadKeys(chosen) {
  const { keys } = await list("keys");
  state.keys = keys;
  const wanted = chosen ?? state.key ?? memory.getItem("key");
  state.key = keys.some((key) => key.apiKey === wanted) ? wanted : keys[0]?.apiKey ?? null;
  if (state.key) memory.setItem("key", state.key);
  const option = (key) => el("option", { value: key.apiKey, selected: key.apiKey === state.key }, nameOf(key));
  replace($("key"), keys.map(option));
  $("keys").hidden = keys.length === 0;
}

export async function newWorkspace() {
  const made = await call("/v2/workspace/create", { ownerEmail: "you@example.com", name: "Console" }, null);
  await loadKeys(Object.keys(made.data.apiKeyList)[0]);
}

// Runs now and every second, or so, while the view is open and the page is looked at.
export function live(view, work, pause = 1000) {
  // Another view was opened while this one read what it shows.
  if (!view.isConnected) return undefined;
  let isUnderWay = false;
  const run = async () => {
    if (document.hidden || isUnderWay) return;
    isUnderWay = true;
    await attempt(work);
    isUnderWay = false;
  };
  clearInterval(state.timer);
  state.timer = setInterval(run, pause);
  return run();
}
