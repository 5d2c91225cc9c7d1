// Labels as the user sees them: those of the server, overlaid with operations that are not
// acknowledged yet.
//
// Event: "change".

export class Labels extends EventTarget {
  #kind;
  #unknown;
  #known = new Map();
  #pending = new Map();

  /** @param {object|null} unknown the label of an item for which the server has sent none. */
  constructor(kind, unknown = null) {
    super();
    this.#kind = kind;
    this.#unknown = unknown;
  }

  /** The row of an item with its label, and the revision that a judgment must name. */
  at(place) {
    const known = this.#known.get(place) ?? this.#unknown;
    const pending = this.#pending.get(place);
    if (!known || !pending) return known;
    const label = this.#kind.said(pending.at(-1).after);
    const revision = known.revision + pending.length;
    return { ...known, ...label, revision, stale: [], isPending: true };
  }

  /** Number of labels that the server does not know yet; negative: more were undone. */
  get added() {
    const { value } = this.#kind;
    let added = 0;
    for (const place of this.#pending.keys()) {
      const known = this.#known.get(place);
      if (known) added += (this.at(place)[value] !== null) - (known[value] !== null);
    }
    return added;
  }

  /** Update rows from the server. */
  learn(rows) {
    for (const row of rows) {
      const place = row[this.#kind.place];
      const known = this.#known.get(place);
      // Responses can arrive out of order.
      if (!known || row.revision >= known.revision) this.#known.set(place, row);
    }
    this.#changed();
  }

  /** Overlay an operation. */
  pend(operation) {
    const pending = this.#pendingOf(operation);
    if (pending.some((each) => each.op_id === operation.op_id)) return;
    this.#pending.set(operation[this.#kind.place], [...pending, operation]);
    this.#changed();
  }

  /** Remove an operation: it was acknowledged, or had no effect. */
  settle(operation) {
    const left = this.#pendingOf(operation).filter((each) => each.op_id !== operation.op_id);
    if (left.length) this.#pending.set(operation[this.#kind.place], left);
    else this.#pending.delete(operation[this.#kind.place]);
    this.#changed();
  }

  #pendingOf(operation) {
    return this.#pending.get(operation[this.#kind.place]) ?? [];
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}
