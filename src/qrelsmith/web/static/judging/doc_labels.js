// The labels of the docs of an assignment, and how far it is.

import { Labels } from "../sending/labels.js";
import { ASPECTS, DOCS } from "../sending/kinds.js";

export class DocLabels extends Labels {
  #judged;

  /**
   * @param {number} total how many docs there are, at the positions from 1 on.
   * @param {number} judged how many of them the server has a label for.
   */
  constructor(total, judged) {
    super(DOCS);
    this.total = total;
    this.#judged = judged;
  }

  /** How many docs have a label, those included that the server does not know of yet. */
  get judged() {
    return Math.min(Math.max(this.#judged + this.added, 0), this.total);
  }

  /** The next doc without a label, from the beginning again; null: none; undefined: not known. */
  nextOpen(after) {
    for (let step = 1; step <= this.total; step += 1) {
      const position = ((after - 1 + step) % this.total) + 1;
      const row = this.at(position);
      if (!row) return this.judged >= this.total ? null : undefined;
      if (row.value === null) return position;
    }
    return null;
  }

  /** Take in rows as the server holds them, and how many it has a label for. */
  learn(rows, judged = this.#judged) {
    this.#judged = judged;
    super.learn(rows);
  }
}

const FAMILIES = ["nugget", "rubric", "subtopic", "citation", "criterion"];

/** The labels of the aspects of answers, all of which come with the page. */
export class AspectLabels extends Labels {
  #positions = [];

  constructor() {
    super(ASPECTS);
  }

  /** The aspects that are judged, answer by answer, each with its label as the person sees it. */
  get rows() {
    return this.#positions.map((position) => this.at(position));
  }

  /** How many of them have a label. */
  get judged() {
    return this.rows.filter(({ value }) => value !== null).length;
  }

  /** Take in rows as the server holds them; edits of nuggets and dropped ones are not judged. */
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
