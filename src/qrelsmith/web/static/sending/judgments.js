// Judgments given on this page, and undo.

import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { newOpId } from "./queue.js";
import { isSameThing } from "./kinds.js";

export class Judgments {
  #kind;
  #stream;
  #labels;
  #outbox;
  #history = [];

  /** @param {object} tools kind; stream: number of the assignment or task; labels; outbox. */
  constructor({ kind, stream, labels, outbox }) {
    this.#kind = kind;
    this.#stream = { [kind.stream]: stream };
    this.#labels = labels;
    this.#outbox = outbox;
    outbox.waiting().forEach((operation) => this.take(operation));
  }

  /** Whether an operation belongs to this page. */
  isOurs(operation) {
    const { stream } = this.#kind;
    return operation[stream] === this.#stream[stream];
  }

  /** Wait until all operations are sent, while `wanted()` holds; returns whether it still holds. */
  async sent(isWanted, inTrouble = () => {}) {
    while (isWanted() && this.#outbox.waiting().some((operation) => this.isOurs(operation))) {
      if (this.#outbox.trouble) inTrouble();
      await new Promise((resolve) => {
        this.#outbox.addEventListener("change", resolve, { once: true });
      });
    }
    return isWanted();
  }

  /** Overlay a queued operation on the labels, and remember it for undo. */
  take(operation) {
    if (!this.isOurs(operation) || !operation[this.#kind.place]) return;
    this.#labels.pend(operation);
    if (operation.kind === "judge") this.#history.push(operation);
    else this.unlearn(operation.undoes);
  }

  /** Forget that a judgment can be undone: it was undone, or had no effect. */
  unlearn(opId) {
    this.#history = this.#history.filter((each) => each.op_id !== opId);
  }

  /**
   * Judge an item: `about` names it, `after` is its new label, `how` contains the shown digests and
   * versions, the input_kind and the timing.
   */
  judge(about, after, how) {
    const { unit, place } = this.#kind;
    for (const held of this.#outbox.held()) {
      // The user sees the item again and decides here.
      if (isSameThing(held, { ...this.#stream, ...about })) this.#outbox.discard([held]);
    }
    const before = this.#labels.at(about[place]);
    this.#add({
      kind: "judge", ...about, before: this.#kind.said(before), after,
      body: { [unit]: about[unit], ...after, ...how, base_revision: before.revision },
    });
  }

  /** Send an operation again after the user's decision. */
  again(operation) {
    this.take(this.#outbox.add(operation));
  }

  /** Undo the latest judgment; returns it, or null if only the server knows it. */
  undo(timing) {
    const last = this.#history.at(-1) ?? null;
    if (!last && this.#outbox.trouble) {
      hint(say("undoOffline"));
      return null;
    }
    const about = this.#kind.about.map((name) => [name, last ? last[name] : 0]);
    const states = last ? { undoes: last.op_id, after: last.before, before: last.after } : {};
    this.#add({ kind: "undo", ...Object.fromEntries(about), ...states, body: { timing } });
    return last;
  }

  #add(operation) {
    this.again({
      op_id: newOpId(), judged: this.#kind.carried, ...this.#stream, ...operation,
    });
  }
}
