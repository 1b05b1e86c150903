import type { ReactNode } from "react";

import { held } from "../held.js";
import { h, useSyncExternalStore } from "../react/react.js";
import { Part, type PartProps, useLocale } from "./part.js";

const MINUTE_MS = 60_000;
const UNITS = [
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
] as const;

let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of the page. */
function watch(told: () => void): () => void {
  watchers.add(told);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const it of [...watchers]) it();
  }, MINUTE_MS);
  return () => {
    watchers.delete(told);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface Formats {
  relative: Intl.RelativeTimeFormat;
  date: Intl.DateTimeFormat;
  whole: Intl.DateTimeFormat;
}

const made = new Map<string | undefined, Formats>();

/** Formats of a language. To make one takes longer than to render a comment. */
function formatsOf(locale: string | undefined): Formats {
  return held(made, locale, () => ({
    relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: "medium" }),
    whole: new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" }),
  }));
}

/** How long ago something was; the date after a week. */
function ago(at: number, from: number, { relative, date }: Formats): string {
  let amount = Math.max(0, (from - at) / MINUTE_MS);
  if (amount < 1) return relative.format(0, "second");
  for (const [unit, most] of UNITS) {
    if (amount < most) return relative.format(-Math.floor(amount), unit);
    amount /= most;
  }
  return date.format(at);
}

/** What {@link Timestamp} is given. */
export interface TimestampProps extends PartProps {
  /** Epoch milliseconds. */
  at: number;
}

/** When something was, in the language of `<RoundtableUi>`; the whole date is its title. */
export function Timestamp({ at, ...part }: TimestampProps): ReactNode {
  const formats = formatsOf(useLocale());
  const from = useSyncExternalStore(
    watch,
    () => now,
    () => now,
  );
  const attributes = { dateTime: new Date(at).toISOString(), title: formats.whole.format(at) };
  return (
    <Part as="time" name="time" {...part} {...attributes}>
      {ago(at, Math.max(from, at), formats)}
    </Part>
  );
}
