// The text of a doc in the page itself, in blocks.

import { element } from "../page/elements.js";
import { findPattern, highlight, rangeIn, rangesOf } from "./ranges.js";

// Number of characters per layout block; the browser lays out other blocks when they come into
// sight.
const CHUNK = 8000;
// Number of characters added at once, before other work.
const AT_ONCE = 200_000;
const COLOURS = 8;

export class DocText {
  #place;
  #suffix;
  #blocks = [];
  #done = 0;
  #timer = 0;
  #found = [];
  #marks = [];
  #reading = null;

  /**
   * @param {HTMLElement} place the scrolling container of the text.
   * @param {string} suffix distinguishes the highlights of several texts on a page.
   */
  constructor(place, suffix = "") {
    this.#place = place;
    this.#suffix = suffix;
  }

  /** Show a text with the places of terms, at its densest cluster or at the top. */
  show({ blocks, reading }, isDense = false) {
    clearTimeout(this.#timer);
    this.#blocks = blocks;
    this.#reading = reading;
    this.#done = 0;
    this.#marks = [];
    this.#place.replaceChildren();
    this.#place.hidden = false;
    this.#more(AT_ONCE);
    this.#place.scrollTop = 0;
    this.find("");
    if (isDense && reading.clusters.length) this.goCluster(reading.densest);
  }

  /** Remove the text. */
  hide() {
    clearTimeout(this.#timer);
    this.#done = this.#blocks.length;
    this.#place.hidden = true;
    this.#marks = [];
    this.#mark();
    this.find("");
  }

  /** Highlight all occurrences of a text; returns their number. */
  find(text) {
    const pattern = findPattern(text);
    if (pattern) this.#more(Infinity);
    this.#found = pattern ? rangesOf(pattern, [this.#place]) : [];
    this.#highlight("finds", this.#found);
    this.#highlight("find", []);
    return this.#found.length;
  }

  /** Scroll to the n-th occurrence, from 1. */
  go(number) {
    this.#bring(this.#found[number - 1], "find");
  }

  /** Scroll to a cluster of terms. */
  goCluster(number) {
    const { first } = this.#reading.clusters[number];
    if (first >= this.#marks.length) this.#more(Infinity);
    this.#bring(this.#marks[first]?.range, "find");
  }

  /** Scroll by a share of the height; for infinity, to an end. */
  scroll(share) {
    if (share === Infinity) this.#more(Infinity);
    const scroller = this.#place;
    const far = share > 0 ? scroller.scrollHeight : 0;
    const near = scroller.scrollTop + share * scroller.clientHeight;
    scroller.scrollTop = Number.isFinite(share) ? near : far;
  }

  /** The surface for selecting passages, and the n-th match. */
  surface(number) {
    this.#more(Infinity);
    return { root: this.#place, found: this.#found[number - 1] ?? null, side: this.#suffix };
  }

  /** Add more blocks to the page, and the rest a little later. */
  #more(most) {
    clearTimeout(this.#timer);
    if (this.#done >= this.#blocks.length) return;
    const chunks = document.createDocumentFragment();
    const marked = [];
    let chunk = null;
    let room = 0;
    for (let taken = 0; this.#done < this.#blocks.length && taken < most; this.#done += 1) {
      const [text, form, hits] = this.#blocks[this.#done];
      if (room <= 0) {
        chunk = element("div");
        chunks.append(chunk);
        room = CHUNK;
      }
      const block = element("p", { class: form, dir: "auto" }, text);
      chunk.append(block);
      marked.push([block, hits]);
      room -= text.length;
      taken += text.length;
    }
    this.#place.append(chunks);
    // Ranges do not follow moved nodes.
    for (const [block, hits] of marked) {
      for (let at = 0; at < hits.length; at += 3) {
        const range = rangeIn(block.firstChild, hits[at], hits[at + 1]);
        this.#marks.push({ range, term: hits[at + 2] });
      }
    }
    this.#mark();
    if (this.#done < this.#blocks.length) this.#timer = setTimeout(() => this.#more(AT_ONCE), 30);
  }

  #mark() {
    for (let colour = 0; colour < COLOURS; colour += 1) {
      const own = this.#marks.filter(({ term }) => term % COLOURS === colour);
      this.#highlight(`term${colour}`, own.map(({ range }) => range));
    }
  }

  #bring(range, name) {
    if (!range) return;
    this.#highlight(name, [range]);
    // Blocks out of sight have no layout yet: scroll near them first.
    range.startContainer.parentElement.scrollIntoView({ block: "nearest" });
    const { top, bottom } = range.getBoundingClientRect();
    const room = this.#place.getBoundingClientRect();
    const isSeen = top >= room.top + 8 && bottom <= room.bottom - 8;
    if (!isSeen) this.#place.scrollTop += top - room.top - room.height / 3;
  }

  #highlight(name, ranges) {
    highlight(name + this.#suffix, ranges);
  }
}
