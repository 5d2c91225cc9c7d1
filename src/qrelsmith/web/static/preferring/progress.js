// The progress of a preference task, including answers not yet on the server.

import { byId } from "../page/elements.js";
import { say } from "../page/words.js";

export class Progress {
  #contest;
  #labels;
  #bar = byId("progress");
  #text = byId("progress-text");

  constructor(contest, labels) {
    this.#contest = contest;
    this.#labels = labels;
    labels.addEventListener("change", () => this.show());
    this.show();
  }

  /** Update from the server's progress. */
  set contest(contest) {
    // Responses can arrive out of order.
    if (contest.revision < this.#contest.revision) return;
    this.#contest = contest;
    this.show();
  }

  /** Whether the task accepts answers. */
  get isOpen() {
    return this.#contest.is_open;
  }

  /** Show the progress. */
  show() {
    const { own, judged, expected, share } = this.#contest;
    const { is_done: isDone, is_bound: isBound, is_hit: isHit } = this.#contest;
    const { added } = this.#labels;
    const left = Math.max(Math.min(expected - judged, share - own) - added, 0);
    const open = isBound ? "progressBound" : "progressAbout";
    const kind = isHit ? "progressHit" : isDone || !left ? "progressDone" : open;
    this.#bar.max = Math.max(expected, 1);
    this.#bar.value = judged + added;
    const words = say(kind, { own: own + added, left, total: expected });
    if (this.#text.textContent !== words) this.#text.textContent = words;
  }
}
