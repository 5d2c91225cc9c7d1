// The passages of a doc that support a judgment, as they are sent and kept.
//
// A passage is {start, quote, sha256}: where it begins in the shown text (counted in code points),
// its words, and which text that is.

/** The passage of a part of a text, by its places in JavaScript's count. */
export function passageAt({ text, text_sha256: sha256 }, { start, end }) {
  const quote = text.slice(start, end);
  return { start: [...text.slice(0, start)].length, quote, sha256 };
}

/** Where a passage stands in a text, in JavaScript's count; null in another text. */
export function spanOf({ text, text_sha256: sha256 }, passage) {
  if (passage.sha256 !== sha256) return null;
  const start = [...text].slice(0, passage.start).join("").length;
  return { start, end: start + passage.quote.length };
}

/** The passages with one more; one that is there already is taken out instead. */
export function toggled(passages, passage) {
  const others = passages.filter((each) => keyOf(each) !== keyOf(passage));
  if (others.length < passages.length) return others;
  return [...others, passage].sort((a, b) => a.start - b.start);
}

/** Whether two lists hold the same passages. */
export function isSameList(first, second) {
  return String(first.map(keyOf)) === String(second.map(keyOf));
}

function keyOf({ side, start, quote, sha256 }) {
  return JSON.stringify([side ?? "", start, quote, sha256]);
}
