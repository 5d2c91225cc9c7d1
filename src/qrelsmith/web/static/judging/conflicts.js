// Judgments that the server did not take: both labels side by side, and a person decides.

import { hint } from "../page/announcer.js";
import { ask } from "../page/dialogs.js";
import { byId } from "../page/elements.js";
import { say } from "../page/words.js";
import { newOpId } from "../sending/queue.js";

export class Conflicts {
  #outbox;
  #scale;
  #show;
  #again;
  #isAsking = false;

  /**
   * @param {object} parts outbox, scale, `show(position)`, and `again(operation)`, which sends an
   *   operation anew.
   */
  constructor({ outbox, scale, show, again }) {
    this.#outbox = outbox;
    this.#scale = scale;
    this.#show = show;
    this.#again = again;
  }

  /** Ask about one after the other, until none is left or the person wants to decide later. */
  async decide() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (;;) {
        const [held] = this.#outbox.held();
        if (!held || !(await this.#decideOne(held))) break;
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** Whether a decision was made. */
  async #decideOne(held) {
    const isStale = held.trouble.reason === "stale";
    const choice = isStale ? await this.#askWhich(held) : await this.#askWhether(held);
    // It may have been settled in another tab meanwhile.
    if (!this.#outbox.held().some((each) => each.op_id === held.op_id)) return true;
    if (choice === "mine") this.#insist(held);
    else if (choice === "theirs") this.#outbox.discard([held]);
    else if (choice === "look") this.#show(held.position);
    else hint(say("decideLater"));
    return choice === "mine" || choice === "theirs";
  }

  #askWhich(held) {
    const { current } = held.trouble;
    byId("conflict-doc").textContent = describe(held);
    this.#fill("theirs", current);
    this.#fill("mine", held.after);
    return ask(byId("conflict"));
  }

  #askWhether(held) {
    byId("refused-doc").textContent = describe(held);
    byId("refused-reason").textContent = held.trouble.message;
    byId("refused-label").textContent = this.#scale.label(held.after.value);
    return ask(byId("refused"));
  }

  #fill(side, label) {
    const value = label.value === null ? say("unjudged") : this.#scale.label(label.value);
    byId(`${side}-label`).textContent = value;
    byId(`${side}-note`).textContent = [label.note, label.excerpt && `“${label.excerpt}”`]
      .filter(Boolean).join(" · ");
  }

  /** Send the judgment once more, on top of the label that the person has seen. */
  #insist(held) {
    const { trouble, account, made_at, order, ...operation } = held;
    const { value, note, excerpt, revision } = trouble.current;
    this.#outbox.discard([held]);
    this.#again({
      ...operation,
      op_id: newOpId(),
      before: { value, note, excerpt },
      body: { ...operation.body, base_revision: revision },
    });
  }
}

function describe(held) {
  return say("conflictDoc", { position: held.position, name: held.name });
}
