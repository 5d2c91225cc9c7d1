// Positions of a doc's text on the screen: the same characters, except blanks.

// The same characters as the server's blanks.
const BLANK = /[\s\x1c-\x1f\x85\ufeff]/;
const BLANKS = /[\s\x1c-\x1f\x85\ufeff]+/g;
// Elements that `rendering.text` skips, too.
const UNSEEN = "style, canvas, datalist, meter, progress, [hidden], dialog:not([open])";

export class Anchors {
  #text;
  #places;
  #nodes = [];
  #before = [];
  #count = 0;

  /**
   * @param {Element} root contains the doc on the screen, as a page or as text.
   * @param {string} text the shown text, as sent by the server.
   */
  constructor(root, text) {
    this.#text = text;
    this.#places = placesOf(text);
    const filter = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
      return Element.prototype.matches.call(node, UNSEEN) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    };
    const kinds = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
    const walker = document.createTreeWalker(root, kinds, filter);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      this.#nodes.push(node);
      this.#before.push(this.#count);
      this.#count += solid(node.data).length;
    }
  }

  /** The range on the screen for a part of the text, or null. */
  range(start, end) {
    const first = this.#index(start);
    const last = this.#index(end);
    if (last <= first || last > this.#count) return null;
    const range = this.#nodes[0].ownerDocument.createRange();
    range.setStart(...this.#point(first));
    const [node, offset] = this.#point(last - 1);
    range.setEnd(node, offset + 1);
    return this.#isSame(range, start, end) ? range : null;
  }

  /** The part of the text for a range on the screen; null if the range contains no text. */
  span(range) {
    const first = this.#indexAt(range.startContainer, range.startOffset);
    const last = this.#indexAt(range.endContainer, range.endOffset);
    if (last <= first || last > this.#places.length) return null;
    const span = { start: this.#places[first], end: this.#places[last - 1] + 1 };
    return this.#isSame(range, span.start, span.end) ? span : null;
  }

  /** The index in the text of a position on the screen. */
  at(node, offset) {
    return this.#places[Math.min(this.#indexAt(node, offset), this.#places.length - 1)] ?? 0;
  }

  #isSame(range, start, end) {
    return this.#solidOf(range) === solid(this.#text.slice(start, end));
  }

  /** The text of a range, without the elements that the server's text omits. */
  #solidOf(range) {
    let words = "";
    for (const node of this.#nodes) {
      if (!range.intersectsNode(node)) continue;
      const from = node === range.startContainer ? range.startOffset : 0;
      const to = node === range.endContainer ? range.endOffset : node.data.length;
      words += solid(node.data.slice(from, to));
    }
    return words;
  }

  /** Number of non-blank characters in the text before a position. */
  #index(place) {
    return lowerBound(this.#places, place);
  }

  /** Number of non-blank characters on the screen before a position. */
  #indexAt(container, offset) {
    const place = this.#nodes.indexOf(container);
    if (place >= 0) return this.#before[place] + solid(container.data.slice(0, offset)).length;
    const mark = (container.ownerDocument ?? container).createRange();
    mark.setStart(container, offset);
    const next = this.#nodes.findIndex((node) => mark.comparePoint(node, 0) >= 0);
    return next < 0 ? this.#count : this.#before[next];
  }

  /** The node and offset of the n-th non-blank character. */
  #point(index) {
    let place = lowerBound(this.#before, index + 1) - 1;
    while (place > 0 && this.#before[place] > index) place -= 1;
    const node = this.#nodes[place];
    let left = index - this.#before[place];
    for (let offset = 0; offset < node.data.length; offset += 1) {
      if (BLANK.test(node.data[offset])) continue;
      if (left === 0) return [node, offset];
      left -= 1;
    }
    return [node, node.data.length];
  }
}

function solid(text) {
  return text.replace(BLANKS, "");
}

/** The positions of all non-blank characters. */
function placesOf(text) {
  const places = [];
  for (let place = 0; place < text.length; place += 1) {
    if (!BLANK.test(text[place])) places.push(place);
  }
  return places;
}

/** The first index in a sorted list whose value is at least a given one. */
function lowerBound(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
