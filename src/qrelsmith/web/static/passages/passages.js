// The passages of a doc that support a judgment, in the form in which they are sent and stored.
//
// A passage is {start, quote, sha256}: its position in the shown text (counted in code points),
// its words, and the digest of that text.

/** The passage for a part of a text, given by positions in UTF-16. */
export function passageAt({ text, text_sha256: sha256 }, { start, end }) {
  const quote = text.slice(start, end);
  return { start: [...text.slice(0, start)].length, quote, sha256 };
}

/** The position of a passage in a text, in UTF-16; null in another text. */
export function spanOf({ text, text_sha256: sha256 }, passage) {
  if (passage.sha256 !== sha256) return null;
  const start = [...text].slice(0, passage.start).join("").length;
  return { start, end: start + passage.quote.length };
}

/** The passages with another passage added; a passage already in the list is removed instead. */
export function toggled(passages, passage) {
  const others = passages.filter((each) => keyOf(each) !== keyOf(passage));
  if (others.length < passages.length) return others;
  return [...others, passage].sort((a, b) => a.start - b.start);
}

/** Whether two lists contain the same passages. */
export function isSameList(first, second) {
  return String(first.map(keyOf)) === String(second.map(keyOf));
}

function keyOf({ side, start, quote, sha256 }) {
  return JSON.stringify([side ?? "", start, quote, sha256]);
}
