// The words that are highlighted in docs: the topic's, and those that a person adds, kept by topic.
//
// Event: "change".

import { keep, recall } from "../page/stored.js";

// No-break spaces hold a phrase together.
const BLANKS = /\s+/gu;
const MOST = 20;

export class Terms extends EventTarget {
  #topic;
  #store;
  #own;
  #off;

  /** What language the words are in. */
  language;

  /**
   * @param {{terms: string[], language: string}} topic
   * @param {string} name of the topic and whoever judges it: what is added belongs to both.
   */
  constructor({ terms, language }, name) {
    super();
    this.#topic = terms;
    this.language = language;
    this.#store = `terms:${name}`;
    const { own = [], off = [] } = recall(this.#store, {});
    this.#own = own;
    this.#off = new Set(off);
  }

  /** All words, those of the topic first; their places are their colours. */
  get all() {
    const topic = this.#topic.map((word) => ({ word, isOwn: false }));
    const own = this.#own.map((word) => ({ word, isOwn: true }));
    return [...topic, ...own].map((each) => ({ ...each, isOff: this.#off.has(each.word) }));
  }

  /** The words as they are asked for; one that is off leaves its place empty. */
  get words() {
    return this.all.map(({ word, isOff }) => (isOff ? "\u200b" : word));
  }

  /** Add a word or a phrase; whether it is a new one. */
  add(text) {
    const word = text.trim().toLowerCase().replace(BLANKS, "\u00a0");
    if (!word || this.all.some((each) => each.word === word) || this.#own.length >= MOST) return false;
    this.#own.push(word);
    this.#changed();
    return true;
  }

  /** Take an own word out, or switch one of the topic's off or on. */
  toggle({ word, isOwn }) {
    if (isOwn) this.#own = this.#own.filter((each) => each !== word);
    else if (!this.#off.delete(word)) this.#off.add(word);
    this.#changed();
  }

  #changed() {
    keep(this.#store, { own: this.#own, off: [...this.#off] });
    this.dispatchEvent(new CustomEvent("change"));
  }
}
