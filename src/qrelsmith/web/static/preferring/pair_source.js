// Pairs and the words of their docs, as the server tells.

import { Source } from "../reading/source.js";

export class PairSource extends Source {
  #server;
  #base;
  #learn;
  #pairs = new Map();
  // Which of one's own pairs came after which.
  #after = new Map();

  /**
   * @param {object} tools server, contest, and `learn(answer)`, which gets all that the server says
   *   of a pair or of the contest.
   */
  constructor({ server, contest, learn }) {
    super({ server });
    this.#server = server;
    this.#base = `/api/contests/${contest}`;
    this.#learn = learn;
  }

  /** One of one's own pairs; the same promise for the same pair as long as it is kept. */
  at(number) {
    return this.once(this.#pairs, number, async () => {
      const answer = await this.#server.get(`${this.#base}/pairs/${number}`);
      this.#learn(answer);
      return this.#linked(answer.pair);
    });
  }

  /** Take in a pair that came with something else. */
  know(pair) {
    const known = this.#linked(pair);
    this.#pairs.delete(pair.pair);
    this.once(this.#pairs, pair.pair, () => Promise.resolve(known));
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

  /** A doc of a pair, for programs. */
  address(doc) {
    return `/api/pairs/${doc.pair}/${doc.side}`;
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
