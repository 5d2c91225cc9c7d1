// The labels of the docs of an assignment, and its progress.

import { Labels } from "../sending/labels.js";
import { ASPECTS, DOCS } from "../sending/kinds.js";

export class DocLabels extends Labels {
  #judged;

  /**
   * @param {number} total number of docs, which are at the positions from 1 on.
   * @param {number} judged number of docs with a label on the server.
   */
  constructor(total, judged) {
    super(DOCS);
    this.total = total;
    this.#judged = judged;
  }

  /** Number of docs with a label, including labels not yet on the server. */
  get judged() {
    return Math.min(Math.max(this.#judged + this.added, 0), this.total);
  }

  /** If all rows are known, count their labels: the page may be older than the rows. */
  count() {
    const rows = Array.from({ length: this.total }, (_, at) => this.at(at + 1));
    if (!rows.every(Boolean)) return;
    this.learn([], rows.filter(({ value }) => value !== null).length - this.added);
  }

  /** The next doc without a label, starting again at the end; null: none; undefined: unknown. */
  nextOpen(after) {
    for (let step = 1; step <= this.total; step += 1) {
      const position = ((after - 1 + step) % this.total) + 1;
      const row = this.at(position);
      if (!row) return this.judged >= this.total ? null : undefined;
      if (row.value === null) return position;
    }
    return null;
  }

  /** Update rows from the server, and the number of labels on the server. */
  learn(rows, judged = this.#judged) {
    this.#judged = judged;
    super.learn(rows);
  }
}

const FAMILIES = ["nugget", "rubric", "subtopic", "citation", "criterion"];

/** The labels of the aspects of answers, which are all in the page. */
export class AspectLabels extends Labels {
  #positions = [];

  constructor() {
    super(ASPECTS);
  }

  /** The judged aspects by answer, each with its label as the user sees it. */
  get rows() {
    return this.#positions.map((position) => this.at(position));
  }

  /** Number of aspects with a label. */
  get judged() {
    return this.rows.filter(({ value }) => value !== null).length;
  }

  /** Update rows from the server, without edits of nuggets and dropped nuggets. */
  learn(rows) {
    const known = new Map(this.#positions.map((position) => [position, this.at(position)]));
    for (const row of rows) known.set(row.position, row);
    const rank = ({ family }) => FAMILIES.indexOf(family.split(".")[0]);
    this.#positions = [...known.values()]
      .filter((row) => row.importance !== "dropped" && row.family !== "edit")
      .sort((a, b) => a.place - b.place || rank(a) - rank(b) || a.position - b.position)
      .map(({ position }) => position);
    super.learn(rows);
  }
}
