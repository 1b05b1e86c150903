// Judges what screens show: after each step what they show as saved, and at the end everything.
import { later, now, pause } from "./clock.mjs";
import { lacks, nothing, snapshotOf } from "./snapshots.mjs";
import { generationOf, wordsOf } from "./tokens.mjs";

/** How long it may take, with links and workers at rest, until screens are right. */
const QUIET_MS = Number(process.env.QUIET_MS ?? 20_000);
/** How long a call takes on a machine that has time. */
const USUAL_MS = 30;
/** How long the service may take to tell what it has accepted. */
const LATE_MS = 8_000;
/** How long screens are watched that are done. */
const IDLE_MS = 300;
/** Who was seen to be busy is watched until it rests for so long: clients connect again ever more seldom. */
const CALM_TIMES = 5;
const IDLE_TIMES = 30;
/** Frames that a screen may send meanwhile: a ping, cursors that are renewed. */
const IDLE_FRAMES = 6;

const fault = (kind, text) => ({ kind, text: text.replace(/~+/g, "~") });

/** What the service has of a room: its snapshot and its text. */
async function stored(stage, room) {
  const document = await stage.read(room);
  return { has: document ? snapshotOf(document) : nothing(), text: document?.getText("content").toString() ?? "", document };
}

/** Whether all that screens have shown as saved is stored. */
export async function judgeSaved(play) {
  const { stage, faults } = play;
  if (faults.length > 0) return faults[0];
  const screens = [...play.screens, ...play.left].filter(({ type }) => type === "editor");
  for (const screen of play.screens) if (screen.type === "editor" && screen.counts && screen.provider.isSaved()) screen.showsSaved();
  for (const room of stage.rooms.keys()) {
    const shown = screens.filter((it) => it.room === room && it.savings.length > 0);
    if (shown.length === 0) continue;
    const { generation } = stage.rooms[room];
    const savings = shown.map((screen) => ({ screen, savings: screen.savings.splice(0) }));
    const known = (it) => it.generation === generation && !it.isStale;
    if (!savings.some(({ savings }) => savings.some(known))) continue;
    const { has, text } = await stored(stage, room);
    for (const { screen, savings: all } of savings) {
      for (const saving of all.filter(known)) {
        const missing = lacks(has, saving.has);
        if (missing) {
          const where = `${screen.name} (${screen.kind}) has ${saving.text}, the service ${text}`;
          return fault("is shown as saved and not stored", `${where}: ${missing}`);
        }
      }
    }
  }
  return undefined;
}

/** Whether a client of ours ever connects without waiting. */
export function judgeRush({ screens, left }) {
  const rushed = [...screens, ...left].find(({ kind, link }) => ["ours", "static", "events"].includes(kind) && link.rushed);
  return rushed && fault("connects without a pause", `${rushed.name} (${rushed.kind}): ${rushed.link.attempts} times: ${rushed.link.ends.slice(-4).join("; ")}`);
}

/** Lets everything come to rest, and judges it. */
export async function judgeQuiet(play, patience) {
  const { stage } = play;
  stage.mend();
  for (const { link } of play.screens) link.heal();
  for (const screen of play.screens) if (!screen.isWanted) screen.connect();
  await Promise.all(play.left.map(({ leaving }) => leaving));
  const most = QUIET_MS * patience * (await slowness(stage));
  const wrong = (await restOf(play, most)) ?? ((await probe(play)) ? await restOf(play, most) : undefined);
  return wrong ?? (await judgeSaved(play)) ?? judgeRush(play) ?? (await judgeIdle(play));
}

/** What is wrong for so long. */
async function restOf(play, ms) {
  const end = now() + ms;
  for (;;) {
    const wrong = await atRest(play);
    if (!wrong || wrong.isFinal || now() >= end) return wrong;
    await pause(wrong.waits ?? 25);
  }
}

/** Something happens, of which those who show that they follow are told; answers whether anybody does. */
async function probe(play) {
  const { stage } = play;
  for (const room of stage.rooms.keys()) {
    const following = play.screens.filter((it) => isFollowed(it) && it.room === room);
    if (following.length === 0) continue;
    await stage.comment(room, 1);
    for (const screen of following) screen.expected = { attempts: screen.link.attempts };
    const notificationId = await stage.notify(room, following.map(({ person }) => person));
    for (const { expected } of following) expected.notificationId = notificationId;
  }
  return play.screens.some(isFollowed);
}

/** How much longer than usual the service takes: a busy machine is no fault. */
async function slowness(stage) {
  const began = now();
  for (let n = 0; n < 3; n++) await stage.read(0);
  return Math.min(4, Math.max(1, (now() - began) / 3 / USUAL_MS));
}

/** What is not right yet. */
async function atRest(play) {
  const { stage } = play;
  for (const screen of play.screens) {
    const wrong = screen.type === "editor" ? ofEditor(screen) : ofFollower(screen);
    if (wrong) return wrong;
  }
  const names = ofNames(play) ?? ofGone(play) ?? ofPresence(play);
  if (names) return names;
  for (const room of stage.rooms.keys()) {
    const wrong = (await ofRoom(play, room)) ?? (await ofState(play, room));
    if (wrong) return wrong;
  }
  return undefined;
}

const isThere = ({ stage, room }) => stage.documents[room].isThere;

/** What a screen shows of its connection. */
function ofEditor(screen) {
  const { stage, person, room, role, closed, name, kind, openedAt, provider } = screen;
  const who = `${name} (${kind}, ${role} of d${room})`;
  if (role === null || !isThere(screen)) {
    return closed ? undefined : fault("lost a right and is not told", who);
  }
  const isOld = screen.isStale || (screen.heldFrom ?? Infinity) < stage.rooms[room].generation;
  if (screen.isStale && !closed) return fault("has a deleted editor and is not told", who);
  if (closed) {
    // y-websocket has no other word for a change that cannot be stored.
    const isRefused = screen.hadOversize && kind.endsWith("y");
    if (isOld || isRefused || stage.hasCause(person, room, openedAt)) return undefined;
    return { ...fault("is closed without a reason", `${who}: ${closed.code} ${closed.reason}`), isFinal: true };
  }
  if (!provider.isSynced()) return fault("does not come back", `${who}: ${screen.link.ends.slice(-4).join("; ")}`);
  return undefined;
}

const isLive = (screen) => screen.type === "editor" && screen.closed === undefined && screen.role !== null && isThere(screen);

/** Everybody who is there sees everybody who is there. */
function ofNames(play) {
  const live = play.screens.filter(isLive);
  for (const screen of live) {
    for (const other of live) {
      if (other.room === screen.room && !screen.names.has(other.name)) {
        return fault("does not see who is there", `${screen.name} (${screen.kind}) does not see ${other.name} (${other.kind}): ${screen.link.ends.slice(-3).join("; ")} | ${other.link.ends.slice(-3).join("; ")}`);
      }
    }
  }
  return undefined;
}

/**
 * Nobody who is gone is seen for ever. Other clients forget by themselves; the end of a process that was
 * killed is found out in a minute.
 */
function ofGone(play) {
  const live = play.screens.filter(isLive);
  for (const screen of live) {
    if (!["ours", "static"].includes(screen.kind) || play.stage.service.hasDiedSince(play.stage.began)) continue;
    const gone = play.left.map(({ name }) => name).find((name) => screen.names.has(name));
    if (gone) return { ...fault("sees who is gone", `${screen.name} (${screen.kind}) sees ${gone}: ${screen.link.ends.slice(-3).join("; ")}`), waits: 100 };
  }
  return undefined;
}

const isFollowed = (screen) => screen.type === "follower" && screen.isFollowing && screen.role !== null && isThere(screen);

/** Those who follow a document see each other there. */
function ofPresence(play) {
  const following = play.screens.filter(isFollowed);
  for (const screen of following) {
    const missing = following.find(({ room, stage, person }) => room === screen.room && !screen.names.has(stage.userId(person)));
    if (missing) return fault("is not told who is present", `${screen.name} (${screen.kind} of d${screen.room}) has ${[...screen.names]}, not ${missing.name} (person ${missing.person})`);
  }
  return undefined;
}

/** Those who follow a document have its live state, or were told to read it. */
async function ofState(play, room) {
  const { stage } = play;
  const { stateAt, isThere } = stage.documents[room];
  const following = play.screens.filter((it) => isFollowed(it) && it.room === room);
  if (stateAt === undefined || !isThere || following.length === 0) return undefined;
  const revisions = await stage.revisions(room);
  for (const screen of following) {
    if (screen.resets.some((at) => at >= stateAt - LATE_MS)) continue;
    const known = new Map(screen.live.liveState.map(({ liveStateDataId, revision }) => [liveStateDataId, revision]));
    const [id, revision] = [...revisions].find(([id, revision]) => known.get(id) !== revision) ?? [];
    if (id) return { ...fault("does not have the live state", `${screen.name} has revision ${known.get(id)} of ${id}, the service ${revision}`), waits: 100 };
  }
  return undefined;
}

/** Whether all screens of a room have what the service has, and the service what was promised. */
async function ofRoom(play, room) {
  const { stage } = play;
  const live = play.screens.filter((it) => isLive(it) && it.room === room);
  const promised = play.promises.filter((it) => it.room === room && it.generation === stage.rooms[room].generation);
  if (live.length === 0 && promised.length === 0 && stage.rooms[room].generation === 0) return undefined;
  const { has, text } = await stored(stage, room);
  const old = wordsOf(text).find((word) => generationOf(word) < stage.rooms[room].generation || Number(word.match(/^\[(\d+)\./)?.[1] ?? Infinity) < stage.rooms[room].generation);
  if (old) return { ...fault("is of a deleted editor and in the next", `${old} in ${text}`), isFinal: true };
  for (const { person, words, at, kind } of promised) {
    const isDisturbed = kind !== "server" && kind !== "rest" && (stage.service.diedAfter(at) || stage.causes.some((it) => it.at > at && it.at < at + LATE_MS && (it.person ?? person) === person && (it.document ?? room) === room));
    const word = words.find((it) => !wordsOf(text).includes(it));
    if (word && !isDisturbed && !play.erased.has(word)) return { ...fault("was typed, and is lost", `${word} of a ${kind}; stored: ${text}`), waits: 100 };
  }
  for (const screen of live) {
    const mine = snapshotOf(screen.document);
    const who = `${screen.name} (${screen.kind}, ${screen.role})`;
    const texts = `it has ${screen.text}, the service ${text}`;
    const missing = lacks(mine, has);
    if (missing) return { ...fault("does not show what is stored", `${who}: ${texts}: ${missing}`), waits: 100 };
    const unsaved = lacks(has, mine);
    const { provider } = screen;
    if (screen.isExcused) continue;
    if (screen.role === "editor" && screen.hasOversize) {
      if (unsaved && provider.isSaved()) return fault("is refused and shown as saved", `${who}: ${texts}`);
      if (unsaved && screen.refusals.every((code) => code === 4403)) return fault("is refused and not told", `${who}: ${screen.refusals}`);
    } else if (screen.role === "editor") {
      if (unsaved) return { ...fault("has what is never stored", `${who}: ${texts}: ${unsaved}`), waits: 100 };
      // Stock Hocuspocus goes on counting what was refused once.
      const counts = provider.unsynced !== undefined || !(screen.kind.endsWith("y") || stage.hasCause(screen.person, room, screen.openedAt));
      if (counts && !provider.isSaved()) return fault("is stored and not shown as saved", who);
    } else if (unsaved && provider.isSaved()) {
      return fault("is refused and shown as saved", `${who}: ${texts}`);
    } else if (unsaved && provider.unsynced && screen.access !== "readonly") {
      return fault("is refused and not told", who);
    }
  }
  return undefined;
}

/** What somebody who follows was told. */
function ofFollower(screen) {
  const { stage, person, room, role, closed, ended, name, kind, openedAt, told, resets, since } = screen;
  const who = `${name} (${kind}, ${role} of d${room})`;
  const positions = told.map(({ position }) => position);
  const twice = positions.find((it, n) => positions.indexOf(it) !== n);
  if (twice !== undefined) return { ...fault("is told twice", `${who}: ${JSON.stringify(told.filter(({ position }) => position === twice))}`), isFinal: true };
  const hidden = stage.documents[room].threads.find(({ to, annotationId }) => to !== undefined && to !== person && told.some((it) => it.annotationId === annotationId));
  if (hidden) return { ...fault("is told without a right to the thread", `${who}: ${hidden.annotationId}`), isFinal: true };
  if (role === null || !isThere(screen)) return closed || ended ? undefined : fault("lost a right and is not told", who);
  if (closed || ended) {
    if (stage.hasCause(person, room, openedAt)) return undefined;
    return { ...fault("is closed without a reason", `${who}: ${JSON.stringify(closed ?? ended)}`), isFinal: true };
  }
  if (!screen.isFollowing || screen.events.status !== "connected") return fault("does not come back", `${who}: ${screen.link.ends.slice(-4).join("; ")}`);
  if (screen.meEnded) return { ...fault("is not told of notifications", `${who}: ${screen.meEnded.code}`), isFinal: true };
  const { notificationId, attempts } = screen.expected;
  // What is missed in a break is read over REST.
  const isMissed = notificationId !== undefined && attempts === screen.link.attempts && !screen.notified.has(notificationId);
  if (isMissed) return fault("is not told of a notification", who);
  const wasReset = (at) => resets.some((it) => it >= at);
  const changed = (at) => stage.causes.some((it) => it.kind === "role" && it.person === person && it.document === room && Math.abs(it.at - at) < LATE_MS);
  for (const thread of stage.documents[room].threads) {
    if (thread.to !== undefined && thread.to !== person) continue;
    const moments = [["comment_annotation.add", thread.at, thread.until]];
    if (thread.isDeleted) moments.push(["comment_annotation.delete", thread.deletedAt, thread.deletedUntil]);
    for (const [event, at, until] of moments) {
      if (at <= since || wasReset(at) || changed(at)) continue;
      const count = told.filter((it) => it.annotationId === thread.annotationId && it.event === event).length;
      if (count === 0) return fault("is not told what happened", `${who}: ${event} of ${thread.annotationId}; told ${JSON.stringify(told.map(({ position, event }) => [position, event]).slice(-8))}`);
      if (count > 1) return { ...fault("is told twice", `${who}: ${event} of ${thread.annotationId}`), isFinal: true };
    }
  }
  return undefined;
}

/** Whether screens that are done leave the service alone, at the latest after a while. */
async function judgeIdle(play) {
  let calm = 0;
  for (let n = 0; n < IDLE_TIMES; n++) {
    const [wrong] = await restlessOf(play);
    calm = wrong ? 0 : calm + 1;
    if (calm > 0 && (n === 0 || calm === CALM_TIMES)) return undefined;
    if (wrong && n === IDLE_TIMES - 1) return wrong;
  }
  return undefined;
}

async function restlessOf({ screens }) {
  const before = screens.map(({ link }) => [link.attempts, link.sent]);
  await new Promise((resolve) => later(resolve, IDLE_MS));
  return screens.flatMap(({ link, kind, name, closed, room, role }, n) => {
    const [attempts, sent] = before[n];
    // Stock Hocuspocus connects again, whatever it is told; by the clock of clients, the service says too
    // seldom to native connections that it is there.
    if (kind.startsWith("native") || (kind === "hocuspocus" && closed)) return [];
    const who = `${name} (${kind}, ${role} of d${room})`;
    const ends = link.ends.slice(-4).join("; ");
    if (link.attempts > attempts) return [fault("connects again and again", `${who}: ${link.attempts} times: ${ends}`)];
    if (link.sent - sent > IDLE_FRAMES) return [fault("is never at rest", `${who}: ${link.sent - sent} frames`)];
    return [];
  });
}
