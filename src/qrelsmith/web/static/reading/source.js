// Data of docs from the server: text, readings, places; responses are cached for a while.

import { remember } from "../judging/kept.js";
import { Unreachable } from "../sending/server.js";

const KEPT = 12;

export class Source {
  #server;
  #kept;
  #base;
  #texts = new Map();
  #readings = new Map();

  /**
   * @param {object} tools server; kept: responses stored in this browser, if any; base:
   *   prefix of the addresses of docs.
   */
  constructor({ server, kept = null, base = "/api/docs" }) {
    this.#server = server;
    this.#kept = kept;
    this.#base = base;
  }

  /** The address of a doc for programs; it depends on the kind of judgment. */
  address(doc) {
    return `${this.#base}/${doc.doc}`;
  }

  /** The visible text of a doc, and its digest. */
  shownText(doc) {
    const address = `${this.address(doc)}/text?sha256=${doc.sha256}`;
    return this.once(this.#texts, doc.sha256, () => this.#server.get(address));
  }

  /** The places of terms in a view of a doc, with the blocks for the text view. */
  read(doc, { view, terms, part, lang }) {
    const query = new URLSearchParams({ view, terms: terms.join(" "), part, lang, sha256: doc.sha256 });
    const address = `${this.address(doc)}/reading?${query}`;
    return this.once(this.#readings, address, () => this.get(address, textOf(doc)));
  }

  /** Number of occurrences of a text in a view of a doc. */
  async count(doc, { view, find, part }) {
    const query = new URLSearchParams({ view, find, part, sha256: doc.sha256 });
    const answer = await this.#server.get(`${this.address(doc)}/find?${query}`);
    return answer.count;
  }

  /** A response of the server; without a connection, the stored response. */
  async get(address, name = address) {
    try {
      return await this.#server.get(address);
    } catch (error) {
      const answer = error instanceof Unreachable ? await this.#kept?.at(name) : undefined;
      if (answer === undefined) throw error;
      return answer;
    }
  }

  /** Store the texts of docs in this browser for offline use, as far as there is room. */
  async keepAll(docs, { language }) {
    for (const doc of docs) {
      const query = new URLSearchParams({ view: "text", terms: doc.terms.join(" "), lang: language, sha256: doc.sha256 });
      const answer = await this.#server.get(`${this.address(doc)}/reading?${query}`);
      if (!(await this.#kept.put(textOf(doc), answer))) return;
    }
  }

  /** The same promise for the same key, as long as it is cached. */
  once(held, key, make) {
    const known = held.get(key);
    if (known) return known;
    const promise = make();
    remember(held, key, promise, KEPT);
    return promise;
  }
}

/** The name under which the text of a doc is stored. */
export function textOf({ doc, sha256 }) {
  return `text:${doc}:${sha256}`;
}
