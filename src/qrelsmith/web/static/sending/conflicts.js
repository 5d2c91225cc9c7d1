// Conflicts: both labels are shown side by side, and the user decides.

import { hint } from "../page/announcer.js";
import { ask } from "../page/dialogs.js";
import { byId } from "../page/elements.js";
import { say } from "../page/words.js";
import { newOpId } from "./queue.js";
import { pageOf } from "./kinds.js";

export class Conflicts {
  #outbox;
  #isOurs;
  #words;
  #before;
  #show;
  #again;
  #isAsking = false;

  /**
   * @param {object} parts outbox; `isOurs(operation)`: whether it belongs to this page; words:
   *   `about(operation)`, `label(state)` and `note(state)`; `before(state)`: the restorable fields
   *   of a state; `show(operation)`; `again(operation)`, which sends an operation again.
   */
  constructor({ outbox, isOurs, words, before, show, again }) {
    this.#outbox = outbox;
    this.#isOurs = isOurs;
    this.#words = words;
    this.#before = before;
    this.#show = show;
    this.#again = again;
  }

  /** Ask about each conflict, until none is left or the user postpones the decision. */
  async decide() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (;;) {
        const [held] = this.#held();
        if (!held || !(await this.#decideOne(held))) break;
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** Like `decide`; if all conflicts belong to another page, go there. */
  async decideAnywhere() {
    if (this.#held().length) await this.decide();
    else if (this.#outbox.held().length) location.assign(pageOf(this.#outbox.held()[0]));
  }

  #held() {
    return this.#outbox.held().filter(this.#isOurs);
  }

  /** Ask about a conflict; resolves to whether a decision was made. */
  async #decideOne(held) {
    const isStale = held.trouble.reason === "stale";
    const choice = isStale ? await this.#askWhich(held) : await this.#askWhether(held);
    // The conflict may have been resolved in another tab meanwhile.
    if (!this.#held().some((each) => each.op_id === held.op_id)) return true;
    if (choice === "mine") this.#insist(held);
    else if (choice === "theirs") this.#outbox.discard([held]);
    else if (choice === "look") this.#show(held);
    else hint(say("decideLater"));
    return choice === "mine" || choice === "theirs";
  }

  #askWhich(held) {
    byId("conflict-doc").textContent = this.#words.about(held);
    this.#fill("theirs", held.trouble.current);
    this.#fill("mine", held.after);
    return ask(byId("conflict"));
  }

  #askWhether(held) {
    byId("refused-doc").textContent = this.#words.about(held);
    byId("refused-reason").textContent = held.trouble.message;
    byId("refused-label").textContent = this.#words.label(held.after);
    return ask(byId("refused"));
  }

  #fill(side, state) {
    byId(`${side}-label`).textContent = this.#words.label(state);
    byId(`${side}-note`).textContent = this.#words.note(state);
  }

  /** Send the judgment again, based on the label that the user has seen. */
  #insist(held) {
    const { trouble, account, made_at, order, ...operation } = held;
    this.#outbox.discard([held]);
    this.#again({
      ...operation,
      op_id: newOpId(),
      before: this.#before(trouble.current),
      body: { ...operation.body, base_revision: trouble.current.revision },
    });
  }
}
