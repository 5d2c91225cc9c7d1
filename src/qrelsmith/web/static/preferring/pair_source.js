// Pairs and the texts of their docs from the server.

import { Source } from "../reading/source.js";

export class PairSource extends Source {
  #server;
  #base;
  #learn;
  #pairs = new Map();
  // The order of the assessor's own pairs.
  #after = new Map();

  /**
   * @param {object} tools server, contest, and `learn(answer)`, which receives all server data
   *   about a pair or the task.
   */
  constructor({ server, contest, learn }) {
    super({ server });
    this.#server = server;
    this.#base = `/api/contests/${contest}`;
    this.#learn = learn;
  }

  /** One of the assessor's pairs; the same promise as long as it is cached. */
  at(number) {
    return this.once(this.#pairs, number, async () => {
      const answer = await this.#server.get(`${this.#base}/pairs/${number}`);
      this.#learn(answer);
      return this.#linked(answer.pair);
    });
  }

  /** Add a pair from another response. */
  know(pair) {
    const known = this.#linked(pair);
    this.#pairs.delete(pair.pair);
    this.once(this.#pairs, pair.pair, () => Promise.resolve(known));
    return known;
  }

  /** Fetch pairs again: they may have changed on the server. */
  forget() {
    this.#pairs.clear();
    this.#after.clear();
  }

  /** The pair after another pair, or null if unknown. */
  following(number) {
    return this.#after.get(number) ?? null;
  }

  /** The pair to compare now, or the reason why there is none. */
  async next() {
    return this.#taken(await this.#server.get(`${this.#base}/next`));
  }

  /** The pair after a pair without an answer; null unless the next pair is already determined. */
  async ahead(number) {
    const answer = await this.#server.get(`${this.#base}/next?besides=${number}`);
    return this.#taken(answer).pair;
  }

  /** The address of a pair's doc for programs. */
  address(doc) {
    return `/api/pairs/${doc.pair}/${doc.side}`;
  }

  #taken(answer) {
    this.#learn(answer);
    return answer.pair ? { ...answer, pair: this.know(answer.pair) } : answer;
  }

  /** A pair with the addresses of its docs. Remembers which pair comes after which. */
  #linked(pair) {
    if (pair.previous) this.#after.set(pair.previous, pair.pair);
    if (pair.following) this.#after.set(pair.pair, pair.following);
    const known = { ...pair };
    for (const side of ["left", "right"]) known[side] = { ...pair[side], pair: pair.pair, side };
    return known;
  }
}
