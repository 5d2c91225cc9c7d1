/** Whether any remark came with a label. */
export function isNoted({ note, excerpt, passages = [] }) {
  return Boolean(note || excerpt || passages.length);
}
