// Selecting passages: the browser's selection, or sentence by sentence with keys, mouse or finger.
//
// Event: "picked" (passage): it was chosen, or chosen again to be removed; "over".

import { Anchors } from "./anchors.js";
import { passageAt, spanOf } from "./passages.js";

const STEPS = { ArrowDown: 1, ArrowRight: 1, j: 1, ArrowUp: -1, ArrowLeft: -1, k: -1 };

export class Picker extends EventTarget {
  #surface;
  #doc = null;
  #text = null;
  #anchors = null;
  #passages = [];
  #sentences = null;
  #first = 0;
  #last = 0;
  #isOn = false;
  #heard = new WeakSet();

  /**
   * @param {() => Surface | null} surface the surface of the doc: `root` and `find`, the
   *   place of the current match; null if no passage can be selected.
   */
  constructor(surface) {
    super();
    this.#surface = surface;
    addEventListener("keydown", (event) => this.#pressed(event), { capture: true });
  }

  /** Whether the user is choosing sentences. */
  get isOn() {
    return this.#isOn;
  }

  /** Whether a doc with known text is on the screen. */
  knows(doc) {
    return this.#doc === doc && this.#anchors !== null;
  }

  /** A new doc is shown: draw earlier passages and those of its label, if its text is known. */
  show(doc, text, passages, earlier = []) {
    this.end();
    this.#doc = doc;
    this.#text = text;
    const surface = this.#surface();
    this.#anchors = surface && text ? new Anchors(surface.root, text.text) : null;
    this.#sentences = null;
    if (surface) this.#listen(surface.root.ownerDocument);
    this.draw(passages);
    this.#highlight("earlier", earlier.map((each) => this.#rangeOf(each)));
  }

  /** Draw passages. */
  draw(passages) {
    this.#passages = passages;
    this.#highlight("passages", passages.map((each) => this.#rangeOf(each)));
  }

  /** Scroll to a passage; returns whether it is in the shown doc. */
  go(passage) {
    const range = this.#rangeOf(passage);
    if (range) bring(range);
    return range !== null;
  }

  /** Use the browser's selection, or start choosing; false if no passage can be selected. */
  take() {
    if (!this.#anchors) return false;
    if (this.#isOn) this.#pick();
    else if (!this.#takeSelection()) this.#begin();
    return true;
  }

  /** Stop choosing. */
  end() {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#highlight("pick", []);
    this.dispatchEvent(new CustomEvent("over"));
  }

  #rangeOf(passage) {
    const span = this.#anchors && spanOf(this.#text, passage);
    return span ? this.#anchors.range(span.start, span.end) : null;
  }

  #takeSelection() {
    const { root } = this.#surface();
    const selection = root.ownerDocument.defaultView.getSelection();
    if (!selection?.rangeCount || selection.isCollapsed) return false;
    const range = selection.getRangeAt(0);
    if (!root.contains(range.commonAncestorContainer)) return false;
    const span = this.#anchors.span(range);
    if (!span) return false;
    selection.removeAllRanges();
    this.#tell(span);
    return true;
  }

  #begin() {
    this.#sentences ??= sentencesOf(this.#text.text);
    if (!this.#sentences.length) return;
    const { root, found } = this.#surface();
    const place = found ? this.#anchors.at(found.startContainer, found.startOffset) : null;
    this.#first = place === null ? this.#firstInSight(root) : this.#sentenceAt(place);
    this.#last = this.#first;
    this.#isOn = true;
    this.#show();
  }

  #pick() {
    this.#tell({
      start: this.#sentences[this.#first].start, end: this.#sentences[this.#last].end,
    });
  }

  #tell(span) {
    const detail = passageAt(this.#text, span);
    this.dispatchEvent(new CustomEvent("picked", { detail }));
  }

  #show() {
    const [start, end] = [this.#sentences[this.#first].start, this.#sentences[this.#last].end];
    const range = this.#anchors.range(start, end);
    this.#highlight("pick", [range]);
    if (range) bring(range);
  }

  #pressed(event) {
    if (!this.#isOn || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = STEPS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isTaken = event.key === "Enter" || event.key === " ";
    if (step) this.#move(step, event.shiftKey);
    else if (isTaken) this.#pick();
    else if (event.key === "Escape") this.end();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #move(step, isLonger) {
    const most = this.#sentences.length - 1;
    this.#last = Math.min(Math.max(this.#last + step, isLonger ? this.#first : 0), most);
    if (!isLonger) this.#first = this.#last;
    this.#show();
  }

  /** While choosing, a click chooses a sentence; a selection is used as it is. */
  #listen(page) {
    if (this.#heard.has(page)) return;
    this.#heard.add(page); // both docs of a pair are texts in one page
    page.addEventListener("click", (event) => {
      const surface = this.#isOn && this.#surface();
      if (!surface || surface.root.ownerDocument !== page) return;
      if (!surface.root.contains(event.target)) return;
      event.preventDefault();
      if (this.#takeSelection()) return;
      const place = placeAt(page, event);
      if (!place) return;
      this.#first = this.#sentenceAt(this.#anchors.at(...place));
      this.#last = this.#first;
      this.#show();
      this.#pick();
    });
  }

  #sentenceAt(place) {
    const next = this.#sentences.findIndex(({ end }) => end > place);
    return next < 0 ? this.#sentences.length - 1 : next;
  }

  #firstInSight(root) {
    const top = Math.max(root.getBoundingClientRect().top, 0);
    let low = 0;
    let high = this.#sentences.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { start, end } = this.#sentences[middle];
      const range = this.#anchors.range(start, end);
      if (range && range.getBoundingClientRect().top < top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Highlights belong to the window of the doc. */
  #highlight(name, ranges) {
    const window = this.#surface()?.root.ownerDocument.defaultView;
    if (!window || !("highlights" in window.CSS)) return;
    const { side = "" } = this.#surface();
    const shown = ranges.filter(Boolean);
    if (shown.length) window.CSS.highlights.set(name + side, new window.Highlight(...shown));
    else window.CSS.highlights.delete(name + side);
  }
}

/** The sentences of a text, line by line. */
function sentencesOf(text) {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  const found = [];
  let start = 0;
  for (const line of text.split("\n")) {
    for (const { segment, index } of segmenter.segment(line)) {
      const words = segment.trim();
      const from = start + index + segment.indexOf(words);
      if (words) found.push({ start: from, end: from + words.length });
    }
    start += line.length + 1;
  }
  return found;
}

function placeAt(page, { clientX: x, clientY: y }) {
  if (page.caretPositionFromPoint) {
    const place = page.caretPositionFromPoint(x, y);
    return place && [place.offsetNode, place.offset];
  }
  const range = page.caretRangeFromPoint(x, y);
  return range && [range.startContainer, range.startOffset];
}

function bring(range) {
  const { top, bottom } = range.getBoundingClientRect();
  const { innerHeight } = range.startContainer.ownerDocument.defaultView;
  if (top >= 0 && bottom <= innerHeight && bottom > top) return;
  // Elements of a form could hide its methods.
  Element.prototype.scrollIntoView.call(range.startContainer.parentElement, { block: "center" });
}
