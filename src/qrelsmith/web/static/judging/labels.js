// The labels of an assignment as the person sees them: what the server holds, and over it what was
// done since and is not acknowledged yet.
//
// Event: "change".

import { said } from "./said.js";

export class Labels extends EventTarget {
  #rows = new Map();
  #pending = new Map();
  #judged;

  /**
   * @param {number} total how many docs there are, at the positions from 1 on.
   * @param {number} judged how many of them the server has a label for.
   */
  constructor(total, judged) {
    super();
    this.total = total;
    this.#judged = judged;
  }

  /** How many docs have a label, those included that the server does not know of yet. */
  get judged() {
    let judged = this.#judged;
    for (const position of this.#pending.keys()) {
      const known = this.#rows.get(position);
      if (known) judged += (this.at(position).value !== null) - (known.value !== null);
    }
    return Math.min(Math.max(judged, 0), this.total);
  }

  /** A doc's row with its label, and the revision that a judgment of it must name. */
  at(position) {
    const known = this.#rows.get(position);
    const pending = this.#pending.get(position);
    if (!known || !pending) return known ?? null;
    const revision = known.revision + pending.length;
    return { ...known, ...said(pending.at(-1).after), revision, stale: [], isPending: true };
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

  /** Whether every row is known. */
  get isComplete() {
    return this.#rows.size >= this.total;
  }

  /** Take in rows as the server holds them. */
  learn(rows, judged = this.#judged) {
    this.#judged = judged;
    for (const row of rows) {
      const known = this.#rows.get(row.position);
      // Answers can overtake each other.
      if (!known || row.revision >= known.revision) this.#rows.set(row.position, row);
    }
    this.#changed();
  }

  /** Lay an operation over what the server holds. */
  pend(operation) {
    const pending = this.#pending.get(operation.position) ?? [];
    if (pending.some((each) => each.op_id === operation.op_id)) return;
    this.#pending.set(operation.position, [...pending, operation]);
    this.#changed();
  }

  /** Take an operation off again: it was acknowledged, or came to nothing. */
  settle(operation) {
    const pending = this.#pending.get(operation.position) ?? [];
    const left = pending.filter((each) => each.op_id !== operation.op_id);
    if (left.length) this.#pending.set(operation.position, left);
    else this.#pending.delete(operation.position);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}
