// Random numbers that a seed determines.

/** Draws from a seed (mulberry32). */
export class Random {
  #state;

  constructor(seed) {
    this.#state = (seed * 2654435761 + 1) >>> 0;
    this.number();
  }

  /** From 0, below 1. */
  number() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer from 0, below a bound. */
  below(bound) {
    return Math.floor(this.number() * bound);
  }

  chance(part) {
    return this.number() < part;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** One of the keys of an object, as often as its value says. */
  weighted(weights) {
    let left = this.number() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    for (const [key, weight] of Object.entries(weights)) if ((left -= weight) < 0) return key;
    return Object.keys(weights)[0];
  }
}
