// The highlighted words: those of the topic and those added by the user, stored by topic.
//
// Event: "change".

import { keep, recall } from "../page/stored.js";

// No-break spaces join the words of a phrase.
const BLANKS = /\s+/gu;
const MOST = 20;

export class Terms extends EventTarget {
  #topic;
  #store;
  #own;
  #off;

  /** The language of the words. */
  language;

  /**
   * @param {{terms: string[], language: string}} topic
   * @param {string} name of the topic and its assessor, to whom added words belong.
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

  /** All words, those of the topic first; their indices determine their colours. */
  get all() {
    const topic = this.#topic.map((word) => ({ word, isOwn: false }));
    const own = this.#own.map((word) => ({ word, isOwn: true }));
    return [...topic, ...own].map((each) => ({ ...each, isOff: this.#off.has(each.word) }));
  }

  /** The words for requests; a disabled word leaves its place empty. */
  get words() {
    return this.all.map(({ word, isOff }) => (isOff ? "\u200b" : word));
  }

  /** Add a word or phrase; returns whether it is new. */
  add(text) {
    const word = text.trim().toLowerCase().replace(BLANKS, "\u00a0");
    if (!word || this.all.some((each) => each.word === word) || this.#own.length >= MOST) return false;
    this.#own.push(word);
    this.#changed();
    return true;
  }

  /** Remove an added word, or switch a topic word off or on. */
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
