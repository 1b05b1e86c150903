import { setTimeout as sleep } from "node:timers/promises";

/** Asks until there is an answer, for at most 20 seconds. */
export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < 400; tried++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(50);
  }
  throw new Error("no answer came");
}
