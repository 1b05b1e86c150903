// What people type: words that are never divided, so that each is in a text or is not.

const WORD = /\[[^\]]*\]/g;

/** The words of a text. */
export const wordsOf = (text) => text.match(WORD) ?? [];

/** The word that the tenant's server writes when it adds an editor for the nth time. */
export const mark = (generation) => `[g${generation}]`;

/** The generation that a mark names. */
export function generationOf(text) {
  const marks = [...text.matchAll(/\[g(\d+)\]/g)].map(([, number]) => Number(number));
  return marks.length > 0 ? Math.min(...marks) : undefined;
}

/** Puts a word between two others. */
export function put(text, word, at) {
  const words = wordsOf(text.toString());
  const place = words.slice(0, Math.round(at * words.length)).join("").length;
  text.insert(place, word);
}

/** Takes a word out that is no mark; answers which. */
export function take(text, at) {
  const all = wordsOf(text.toString());
  const words = all.filter((word) => !word.startsWith("[g"));
  const word = words[Math.floor(at * words.length)];
  if (word === undefined) return undefined;
  text.delete(text.toString().indexOf(word), word.length);
  return word;
}

/** Takes the longest word out; answers which. */
export function takeLongest(text) {
  const all = text.toString();
  const word = wordsOf(all).reduce((longest, it) => (it.length > longest.length ? it : longest), "");
  text.delete(all.indexOf(word), word.length);
  return word;
}
