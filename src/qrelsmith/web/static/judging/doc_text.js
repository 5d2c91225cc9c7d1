// The words of a doc in the page itself.

import { element } from "../page/elements.js";
import { findPattern, highlight, rangesOf, termPattern } from "./ranges.js";

// So many characters a browser lays out at a time; the rest when it comes into sight.
const BLOCK = 8000;

export class DocText {
  #place;
  #suffix;
  #text = "";
  #found = [];

  /**
   * @param {HTMLElement} place what scrolls and holds the text.
   * @param {string} suffix tells the highlights of several texts on one page apart.
   */
  constructor(place, suffix = "") {
    this.#place = place;
    this.#suffix = suffix;
  }

  /** Show a text. */
  show(text, terms) {
    if (text !== this.#text || !this.#place.firstChild) {
      this.#text = text;
      this.#place.replaceChildren(...blocks(text).map((block) => element("div", {}, block)));
    }
    this.#place.hidden = false;
    this.#toTop();
    this.mark(terms);
    this.find("");
  }

  /** No text is shown now. */
  hide() {
    this.#place.hidden = true;
    this.#highlight("terms", []);
    this.find("");
  }

  /** Highlight words. */
  mark(terms) {
    const pattern = termPattern(terms);
    this.#highlight("terms", pattern ? rangesOf(pattern, [this.#place]) : []);
  }

  /** Mark all places of a text; how many there are. */
  find(text) {
    const pattern = findPattern(text);
    this.#found = pattern ? rangesOf(pattern, [this.#place]) : [];
    this.#highlight("finds", this.#found);
    this.#highlight("find", []);
    return this.#found.length;
  }

  /** Go to the n-th place, from 1. */
  go(number) {
    const range = this.#found[number - 1];
    if (!range) return;
    this.#highlight("find", [range]);
    // Blocks out of sight have no layout yet: bring theirs near first.
    range.startContainer.parentElement.scrollIntoView({ block: "nearest" });
    const { top, bottom } = range.getBoundingClientRect();
    const scroller = this.#scroller;
    const isOwn = scroller === this.#place;
    const window = new DOMRect(0, 0, innerWidth, innerHeight);
    const room = isOwn ? this.#place.getBoundingClientRect() : window;
    const isSeen = top >= room.top + 8 && bottom <= room.bottom - 8;
    if (!isSeen) scroller.scrollTop += top - room.top - room.height / 3;
  }

  /** Scroll by a share of the height; without an end, to an end. */
  scroll(share) {
    const scroller = this.#scroller;
    const far = share > 0 ? scroller.scrollHeight : 0;
    const near = scroller.scrollTop + share * scroller.clientHeight;
    scroller.scrollTop = Number.isFinite(share) ? near : far;
  }

  #highlight(name, ranges) {
    highlight(name + this.#suffix, ranges);
  }

  /** Where the page itself scrolls, a new text begins below the bar with its name. */
  #toTop() {
    this.#place.scrollTop = 0;
    const section = this.#place.closest("section");
    const isBelow = this.#scroller !== this.#place && section.getBoundingClientRect().top < 0;
    if (isBelow) section.scrollIntoView({ block: "start" });
  }

  /** What scrolls: the place, or on small screens the page. */
  get #scroller() {
    const isOwn = getComputedStyle(this.#place).overflowY !== "visible";
    return isOwn ? this.#place : document.scrollingElement;
  }

  /** What passages are taken from, and the n-th place that was found. */
  surface(number) {
    return { root: this.#place, found: this.#found[number - 1] ?? null, side: this.#suffix };
  }
}

/** A text in parts that end with a line where they can. */
function blocks(text) {
  const parts = [];
  for (let start = 0; start < text.length; ) {
    const wish = start + BLOCK;
    const line = wish < text.length ? text.indexOf("\n", wish) + 1 : text.length;
    const end = line > 0 && line - start < 4 * BLOCK ? line : Math.min(wish, text.length);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
