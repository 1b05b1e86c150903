/** A place in a text, as words: the last resort when positions and marks are gone. */
export interface Quote {
  /** The text of the range, at most 200 characters. */
  quote: string;
  /** What stands before it, at most 32 characters. */
  prefix: string;
  /** What follows it, at most 32 characters. */
  suffix: string;
}

const MOST_QUOTE = 200;
const MOST_AROUND = 32;

/** The quote of a range of a text. */
export function quoteOf(text: string, from: number, to: number): Quote {
  return {
    quote: text.slice(from, Math.min(to, from + MOST_QUOTE)),
    prefix: text.slice(Math.max(0, from - MOST_AROUND), from),
    suffix: text.slice(to, to + MOST_AROUND),
  };
}

/** Whether a quote is that of a text: of a long one it is the beginning. */
export function isQuoteOf(text: string, quote: string): boolean {
  return text === quote || (quote.length >= MOST_QUOTE && text.startsWith(quote));
}

/** How much of what was around a quote has to be there again. */
const CERTAIN_AROUND = 8;
/** How long a quote is that no other place has by chance. */
const CERTAIN_QUOTE = 12;

/**
 * Where a quote stands: of several places the one with the most of what was around it. Nothing if it
 * may be another one: a common word stands in many places, and a comment in the wrong one misleads.
 */
export function findQuote(text: string, { quote, prefix, suffix }: Quote): { from: number; to: number } | undefined {
  if (quote === "") return undefined;
  let best: { from: number; score: number } | undefined;
  let count = 0;
  for (let from = text.indexOf(quote); from >= 0; from = text.indexOf(quote, from + 1)) {
    count++;
    const end = from + quote.length;
    const before = common(text.slice(Math.max(0, from - MOST_AROUND), from), prefix, -1);
    const score = before + common(text.slice(end, end + MOST_AROUND), suffix, 1);
    if (!best || score > best.score) best = { from, score };
  }
  if (!best) return undefined;
  const isCertain = best.score >= CERTAIN_AROUND || (count === 1 && quote.length >= CERTAIN_QUOTE);
  const isWhole = quote.length + prefix.length + suffix.length >= text.length;
  return isCertain || (count === 1 && isWhole) ? { from: best.from, to: best.from + quote.length } : undefined;
}

/** How many characters two texts share, from their beginnings or their ends. */
function common(text: string, other: string, direction: 1 | -1): number {
  let count = 0;
  const at = (of: string): string | undefined => of.at(direction === 1 ? count : -1 - count);
  while (count < other.length && at(text) === at(other) && at(text) !== undefined) count++;
  return count;
}
