// Pairs and the words of their docs, as the server tells.

import { remember } from "../judging/kept.js";

const KEPT = 12;

export class PairSource {
  #server;
  #base;
  #learn;
  #pairs = new Map();
  #texts = new Map();
  #readings = new Map();
  // Which of one's own pairs came after which.
  #after = new Map();

  /**
   * @param {object} tools server, contest, and `learn(answer)`, which gets all that the server says
   *   of a pair or of the contest.
   */
  constructor({ server, contest, learn }) {
    this.#server = server;
    this.#base = `/api/contests/${contest}`;
    this.#learn = learn;
  }

  /** One of one's own pairs; the same promise for the same pair as long as it is kept. */
  at(number) {
    const kept = this.#pairs.get(number);
    if (kept) return kept;
    const promise = this.#server.get(`${this.#base}/pairs/${number}`).then((answer) => {
      this.#learn(answer);
      return this.#linked(answer.pair);
    });
    remember(this.#pairs, number, promise, KEPT);
    return promise;
  }

  /** Take in a pair that came with something else. */
  know(pair) {
    const known = this.#linked(pair);
    remember(this.#pairs, pair.pair, Promise.resolve(known), KEPT);
    return known;
  }

  /** Let pairs be fetched anew: the server may have others by now. */
  forget() {
    this.#pairs.clear();
    this.#after.clear();
  }

  /** The pair that comes after one; null: none is known. */
  following(number) {
    return this.#after.get(number) ?? null;
  }

  /** What is to be compared now: a pair, or why there is none. */
  async next() {
    return this.#taken(await this.#server.get(`${this.#base}/next`));
  }

  /** The pair that will come after one that is still unanswered; null unless that is sure. */
  async ahead(number) {
    const answer = await this.#server.get(`${this.#base}/next?besides=${number}`);
    return this.#taken(answer).pair;
  }

  /** Where words stand in a view of a doc; of the text view, its blocks, too. */
  read(doc, { view, terms, part, lang }) {
    const query = new URLSearchParams({ view, terms: terms.join(" "), part, lang, sha256: doc.sha256 });
    const address = `/api/pairs/${doc.pair}/${doc.side}/reading?${query}`;
    const kept = this.#readings.get(address);
    if (kept) return kept;
    const promise = this.#server.get(address);
    remember(this.#readings, address, promise, KEPT);
    return promise;
  }

  /** The visible words of a doc, and what names them. */
  shownText(doc) {
    const kept = this.#texts.get(doc.sha256);
    if (kept) return kept;
    const address = `/api/pairs/${doc.pair}/${doc.side}/text?sha256=${doc.sha256}`;
    const promise = this.#server.get(address);
    remember(this.#texts, doc.sha256, promise, KEPT);
    return promise;
  }

  /** How often words occur in a view of a doc. */
  async count(doc, { view, find, part }) {
    const query = new URLSearchParams({ view, find, part, sha256: doc.sha256 });
    const answer = await this.#server.get(`/api/pairs/${doc.pair}/${doc.side}/find?${query}`);
    return answer.count;
  }

  #taken(answer) {
    this.#learn(answer);
    return answer.pair ? { ...answer, pair: this.know(answer.pair) } : answer;
  }

  /** A pair whose docs know where they stand; remembers what came before and after it. */
  #linked(pair) {
    if (pair.previous) this.#after.set(pair.previous, pair.pair);
    if (pair.following) this.#after.set(pair.pair, pair.following);
    const known = { ...pair };
    for (const side of ["left", "right"]) known[side] = { ...pair[side], pair: pair.pair, side };
    return known;
  }
}
