// Occurrences of text as ranges in text nodes; they are marked without changing the page.

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

/** A text node and the position of its text in the whole. */
export function rangeIn(node, start, end) {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

/** A pattern for a text to find; its blanks match any white space. */
export function findPattern(find) {
  const parts = find.trim().split(/\s+/u).filter(Boolean).map(escaped);
  return parts.length ? new RegExp(parts.join("\\s+"), "giu") : null;
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`));
}

/** Highlight ranges under a name of the style sheet. */
export function highlight(name, ranges) {
  if (!("highlights" in CSS)) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}
