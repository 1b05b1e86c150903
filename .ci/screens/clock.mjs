// The clock of the clients: it runs faster than that of the service, so that what they wait for comes
// soon. Timers of the judge are real. This is to be the first import: libraries keep `Date.now`.
import { setTimeout as pause } from "node:timers/promises";

/** How many seconds pass for clients in one of the service. */
export const SPEED = Number(process.env.SPEED ?? 10);

const real = { setTimeout, setInterval, now: Date.now.bind(Date) };
const began = real.now();

export const now = real.now;
export { pause };

/** Calls later, by the real clock. */
export const later = real.setTimeout;

globalThis.setTimeout = (call, ms = 0, ...values) => real.setTimeout(call, ms / SPEED, ...values);
globalThis.setInterval = (call, ms = 0, ...values) => real.setInterval(call, ms / SPEED, ...values);
Date.now = () => began + (real.now() - began) * SPEED;
