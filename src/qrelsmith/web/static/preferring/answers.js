// The answers to pairs as the person sees them: what the server holds, and over it what was done
// since and is not acknowledged yet.
//
// Event: "change".

export class Answers extends EventTarget {
  #known = new Map();
  #pending = new Map();

  /** The answer to a pair, and the revision that another one must name. */
  at(pair) {
    const known = this.#known.get(pair) ?? { outcome: null, passages: [], revision: 0 };
    const pending = this.#pending.get(pair);
    if (!pending) return known;
    const { outcome, passages = [] } = pending.at(-1).after;
    return { ...known, outcome, passages, revision: known.revision + pending.length };
  }

  /** How many answers there are that the server does not know of yet; fewer: some taken back. */
  get added() {
    let added = 0;
    for (const pair of this.#pending.keys()) {
      const known = this.#known.get(pair);
      if (known) added += (this.at(pair).outcome !== null) - (known.outcome !== null);
    }
    return added;
  }

  /** Take in an answer as the server holds it. */
  learn({ pair, outcome, passages, revision }) {
    const known = this.#known.get(pair);
    // Answers can overtake each other.
    if (!known || revision >= known.revision) this.#known.set(pair, { outcome, passages, revision });
    this.#changed();
  }

  /** Lay an operation over what the server holds. */
  pend(operation) {
    const pending = this.#pending.get(operation.pair) ?? [];
    if (pending.some((each) => each.op_id === operation.op_id)) return;
    this.#pending.set(operation.pair, [...pending, operation]);
    this.#changed();
  }

  /** Take an operation off again: it was acknowledged, or came to nothing. */
  settle(operation) {
    const pending = this.#pending.get(operation.pair) ?? [];
    const left = pending.filter((each) => each.op_id !== operation.op_id);
    if (left.length) this.#pending.set(operation.pair, left);
    else this.#pending.delete(operation.pair);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}
