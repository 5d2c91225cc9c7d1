/** Which remarks came with a label: the end of the name of their words. */
export function remarksOf({ note, excerpt, passages = [] }) {
  const isPassage = Boolean(excerpt || passages.length);
  return `${note ? "Noted" : ""}${isPassage ? "Passage" : ""}`;
}

/** Whether any remark came with a label. */
export function isNoted(label) {
  return remarksOf(label) !== "";
}
