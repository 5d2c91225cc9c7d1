/** Which of note and passages a label has, as the suffix of a text's name. */
export function remarksOf({ note, excerpt, passages = [] }) {
  const isPassage = Boolean(excerpt || passages.length);
  return `${note ? "Noted" : ""}${isPassage ? "Passage" : ""}`;
}

/** Whether a label has a note or passages. */
export function isNoted(label) {
  return remarksOf(label) !== "";
}
