// Where words occur in text nodes, as ranges; nothing is put into the page to mark them.

const MOST = 2000;

/** The ranges of all matches of a pattern (with the flag g) in the text below some elements. */
export function rangesOf(pattern, elements) {
  const found = [];
  for (const each of elements) {
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const match of node.data.matchAll(pattern)) {
        if (!match[0]) continue;
        found.push(rangeIn(node, match.index, match.index + match[0].length));
        if (found.length === MOST) return found;
      }
    }
  }
  return found;
}

/** A part of a text node. */
export function rangeIn(node, start, end) {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

/** The pattern of a text that is looked for; its blanks stand for any blanks. */
export function findPattern(find) {
  const parts = find.trim().split(/\s+/u).filter(Boolean).map(escaped);
  return parts.length ? new RegExp(parts.join("\\s+"), "giu") : null;
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`));
}

/** Highlight ranges under a name; the style sheet says how. */
export function highlight(name, ranges) {
  if (!("highlights" in CSS)) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}
