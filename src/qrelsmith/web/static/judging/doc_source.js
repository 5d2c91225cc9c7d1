// Docs and their list rows from the server; the next docs are prefetched.

import { Source, textOf } from "../reading/source.js";
import { Unreachable } from "../sending/server.js";
const ROWS = 500;
// Pause between two docs that are stored for offline use.
const PAUSE_MS = 100;

export class DocSource extends Source {
  #server;
  #base;
  #labels;
  #docs = new Map();
  #kept;

  constructor({ server, assignment, labels, kept }) {
    super({ server, kept });
    this.#server = server;
    this.#kept = kept;
    this.#base = `/api/assignments/${assignment}`;
    this.#labels = labels;
  }

  /** A doc at a position; the same promise as long as the doc is cached. */
  at(position) {
    return this.once(this.#docs, position, async () => {
      const answer = await this.get(`${this.#base}/docs/${position}`);
      // A stored or late response would have an old number of labels.
      this.#labels.learn([answer.doc]);
      return answer.doc;
    });
  }

  /** Add a doc that is in the page. */
  know(doc) {
    this.#docs.delete(doc.position);
    this.once(this.#docs, doc.position, () => Promise.resolve(doc));
  }

  /** Fetch a doc again when it is next shown. */
  forget(position) {
    this.#docs.delete(position);
  }

  /** The position of the next doc without a label, or null. */
  async nextOpen(after) {
    for (let place = after; ; ) {
      const known = this.#labels.nextOpen(place);
      if (known !== undefined) return known;
      const answer = await this.#server.get(`${this.#base}/next?after=${place}`);
      if (!answer.doc) {
        this.#labels.learn([], answer.judged);
        return this.#labels.nextOpen(after) ?? null;
      }
      this.#labels.learn([answer.doc], answer.judged);
      this.know(answer.doc);
      const { position } = answer.doc;
      if (this.#labels.at(position).value === null) return position;
      // That doc was judged here, which the server does not know yet: search after that doc.
      if (position === place) return null;
      place = position;
    }
  }

  /** The positions of docs with a stale label. */
  async stale() {
    const found = [];
    for (let from = 1; from !== null; ) {
      const answer = await this.#rows(from, "stale");
      found.push(...answer.docs.map((row) => row.position));
      from = answer.next;
    }
    return found;
  }

  /** Fetch all list rows, nearest first; without a connection, use the stored rows. */
  async loadList(position) {
    const first = Math.max(position - 50, 1);
    try {
      for (const [start, end] of [[first, this.#labels.total], [1, first - 1]]) {
        for (let from = start; from !== null && from <= end; ) {
          const answer = await this.#rows(from, "all");
          this.#labels.learn(answer.docs);
          from = answer.next;
        }
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      const rows = (await this.#kept.under(`${this.#base}/docs/`)).map(({ doc }) => doc);
      this.#labels.learn(rows);
    }
    this.#labels.count();
  }

  /** Store the label of a doc together with the doc. */
  async relabel(row) {
    const address = `${this.#base}/docs/${row.position}`;
    const answer = await this.#kept.at(address);
    if (answer && answer.doc.revision !== row.revision) {
      await this.#kept.put(address, { ...answer, doc: { ...answer.doc, ...row } });
    }
  }

  /** Store all docs of the topic in this browser, starting after a position. */
  async keep(position, { terms, lang, told }) {
    const { total } = this.#labels;
    let count = 0;
    for (let step = 0; step < total; step += 1) {
      const place = ((position - 1 + step) % total) + 1;
      const address = `${this.#base}/docs/${place}`;
      const row = this.#labels.at(place);
      const before = await this.#kept.at(address);
      const isKnown = before && row?.sha256 === before.doc.sha256 && (await this.#kept.at(textOf(before.doc)));
      if (!isKnown) {
        // Requests for which the user waits come first.
        await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
        const answer = await this.#server.get(address);
        const { doc } = answer;
        const query = new URLSearchParams({ view: "text", terms: terms.join(" "), lang, sha256: doc.sha256 });
        const isThere = !doc.frame || await this.#kept.put(
          textOf(doc), await this.#server.get(`/api/docs/${doc.doc}/reading?${query}`),
        );
        if (!isThere || !(await this.#kept.put(address, answer))) {
          told(count, false);
          return;
        }
      }
      // A label can be saved while its doc is fetched. Unsent labels are in the queue.
      const now = this.#labels.at(place);
      if (now && !now.isPending) await this.relabel(now);
      count += 1;
      told(count, true);
    }
  }

  #rows(from, filter) {
    return this.#server.get(`${this.#base}/docs?filter=${filter}&from=${from}&limit=${ROWS}`);
  }
}
