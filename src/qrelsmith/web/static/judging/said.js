// What a judgment says: its value, and what came with it.

import { isSameList } from "../passages/passages.js";

export const NOTHING = { note: "", excerpt: "", passages: [] };

/** The value of a row or label, and its remarks; operations of 0.1.0 have no passages. */
export function said({ value, note, excerpt, passages = [] }) {
  return { value, note, excerpt, passages };
}

/** Whether two labels say the same. */
export function isSame(first, second) {
  const [one, other] = [said(first), said(second)];
  const isAlike = ["value", "note", "excerpt"].every((name) => one[name] === other[name]);
  return isAlike && isSameList(one.passages, other.passages);
}

/** Whether any remark came with a label. */
export function isNoted({ note, excerpt, passages = [] }) {
  return Boolean(note || excerpt || passages.length);
}
