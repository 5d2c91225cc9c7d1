// Docs as the server tells of them: words, readings, places; what was asked for is kept for a while.

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
   * @param {object} tools server; kept: what of its answers this browser keeps, if it does; base:
   *   where the addresses of docs begin.
   */
  constructor({ server, kept = null, base = "/api/docs" }) {
    this.#server = server;
    this.#kept = kept;
    this.#base = base;
  }

  /** The address of a doc for programs; each kind of judgment has its own. */
  address(doc) {
    return `${this.#base}/${doc.doc}`;
  }

  /** The visible words of a doc, and what names them. */
  shownText(doc) {
    const address = `${this.address(doc)}/text?sha256=${doc.sha256}`;
    return this.once(this.#texts, doc.sha256, () => this.#server.get(address));
  }

  /** Where words stand in a view of a doc; of the text view, its blocks, too. */
  read(doc, { view, terms, part, lang }) {
    const query = new URLSearchParams({ view, terms: terms.join(" "), part, lang, sha256: doc.sha256 });
    const address = `${this.address(doc)}/reading?${query}`;
    return this.once(this.#readings, address, () => this.get(address, textOf(doc)));
  }

  /** How often words occur in a view of a doc. */
  async count(doc, { view, find, part }) {
    const query = new URLSearchParams({ view, find, part, sha256: doc.sha256 });
    const answer = await this.#server.get(`${this.address(doc)}/find?${query}`);
    return answer.count;
  }

  /** An answer of the server; without a connection what was kept of it. */
  async get(address, name = address) {
    try {
      return await this.#server.get(address);
    } catch (error) {
      const answer = error instanceof Unreachable ? await this.#kept?.at(name) : undefined;
      if (answer === undefined) throw error;
      return answer;
    }
  }

  /** Keep the texts of docs in this browser, as far as there is room, for when there is no connection. */
  async keepAll(docs, { language }) {
    for (const doc of docs) {
      const query = new URLSearchParams({ view: "text", terms: doc.terms.join(" "), lang: language, sha256: doc.sha256 });
      const answer = await this.#server.get(`${this.address(doc)}/reading?${query}`);
      if (!(await this.#kept.put(textOf(doc), answer))) return;
    }
  }

  /** The same promise for the same key, as long as it is kept. */
  once(held, key, make) {
    const known = held.get(key);
    if (known) return known;
    const promise = make();
    remember(held, key, promise, KEPT);
    return promise;
  }
}

/** Under which name the text of a doc is kept. */
export function textOf({ doc, sha256 }) {
  return `text:${doc}:${sha256}`;
}
