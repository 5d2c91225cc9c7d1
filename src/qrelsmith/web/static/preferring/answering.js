// Answers as they are given here, and how they are taken back.

import { isSameList } from "../passages/passages.js";
import { newOpId } from "../sending/queue.js";

export class Answering {
  #contest;
  #answers;
  #outbox;
  #history = [];

  /** @param {object} tools contest (its number), answers, outbox. */
  constructor({ contest, answers, outbox }) {
    this.#contest = contest;
    this.#answers = answers;
    this.#outbox = outbox;
    outbox.waiting().forEach((operation) => this.take(operation));
  }

  /** Whether an operation belongs to this contest. */
  isOurs(operation) {
    return operation.contest === this.#contest;
  }

  /** Wait until all that was done here is sent, as long as it is wanted; whether it still is. */
  async sent(isWanted, inTrouble = () => {}) {
    while (isWanted() && this.#outbox.waiting().some((operation) => this.isOurs(operation))) {
      if (this.#outbox.trouble) inTrouble();
      await new Promise((resolve) => {
        this.#outbox.addEventListener("change", resolve, { once: true });
      });
    }
    return isWanted();
  }

  /** Lay an operation that waits over the answers, and remember how to take it back. */
  take(operation) {
    if (!this.isOurs(operation) || !operation.pair) return;
    this.#answers.pend(operation);
    if (operation.kind === "judge") this.#history.push(operation);
    else this.unlearn(operation.undoes);
  }

  /** Forget that an answer could be taken back: it was, or came to nothing. */
  unlearn(opId) {
    this.#history = this.#history.filter((each) => each.op_id !== opId);
  }

  /** Answer a pair, with passages; `how` holds the input_kind and the timing. */
  answer(shown, { outcome, passages }, how) {
    for (const held of this.#outbox.held()) {
      // The person looks at the pair again and decides here.
      if (this.isOurs(held) && held.pair === shown.pair) this.#outbox.discard([held]);
    }
    const { pair, number, left, right, topic_version, settings_version } = shown;
    const before = this.#answers.at(pair);
    this.take(this.#outbox.add({
      op_id: newOpId(), kind: "judge", contest: this.#contest, pair, number,
      before: saidOf(before), after: { outcome, passages },
      body: {
        pair, outcome, passages, topic_version, settings_version, ...how,
        left_sha256: left.sha256, right_sha256: right.sha256, base_revision: before.revision,
      },
    }));
  }

  /** Send an operation anew on top of what was decided on. */
  again(operation) {
    this.take(this.#outbox.add(operation));
  }

  /** The newest answer that was given here; null if only the server knows of any. */
  get last() {
    return this.#history.at(-1) ?? null;
  }

  /** Take back the newest answer; what it was, as far as it was given here. */
  undo(timing) {
    const { last } = this;
    const about = last
      ? { pair: last.pair, number: last.number, undoes: last.op_id,
          after: last.before, before: last.after }
      : { pair: 0 };
    this.take(this.#outbox.add({
      op_id: newOpId(), kind: "undo", contest: this.#contest, ...about, body: { timing },
    }));
    return last;
  }
}

/** What of an answer can be gone back to. */
export function saidOf({ outcome, passages = [] }) {
  return { outcome, passages };
}

/** Whether two answers say the same; operations of 0.1.0 have no passages. */
export function isSameAnswer(one, other) {
  const [first, second] = [saidOf(one), saidOf(other)];
  return first.outcome === second.outcome && isSameList(first.passages, second.passages);
}
