// The choices: radio buttons, and the docs' names as their labels.
//
// Events: "chosen" (outcome, and kind: "" if it was only selected), "submit".

import { say } from "../page/words.js";

const VERDICTS = { 1: "better", 2: "muchBetter" };

export class ChoiceInput extends EventTarget {
  #form;
  #radios;
  #sections;
  #pointer = "";

  /** @param {object} parts form, and the sections of the two docs by side. */
  constructor({ form, sections }) {
    super();
    this.#form = form;
    this.#sections = sections;
    this.#radios = [...form.querySelectorAll("input[name=outcome]")];
    // The page shows its own message for a missing choice.
    form.noValidate = true;
    addEventListener("pointerdown", (event) => {
      this.#pointer = event.target.closest?.("label") ? event.pointerType : "";
    }, { capture: true });
    addEventListener("keydown", () => { this.#pointer = ""; }, { capture: true });
    // The second click of a double click would answer the next pair.
    addEventListener("click", (event) => {
      if (event.detail < 2 || !event.target.closest?.("label.outcome, label.name")) return;
      event.preventDefault();
      this.#pointer = "";
    }, { capture: true });
    for (const radio of this.#radios) radio.addEventListener("click", () => this.#clicked(radio));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("submit"));
    });
  }

  /** All outcomes, from left to right. */
  get outcomes() {
    return this.#radios.map((radio) => Number(radio.value));
  }

  /** The marked outcome, or null. */
  get value() {
    const marked = this.#radios.find((radio) => radio.checked);
    return marked ? Number(marked.value) : null;
  }

  /** Mark an outcome; null: none. */
  set value(outcome) {
    for (const radio of this.#radios) radio.checked = Number(radio.value) === outcome;
    this.#show();
  }

  #clicked(radio) {
    const kind = { touch: "touch", "": "" }[this.#pointer] ?? "click";
    this.#pointer = "";
    // Arrow keys apply to the pair again, not to the buttons.
    if (kind) radio.blur();
    this.#show();
    const detail = { outcome: Number(radio.value), kind };
    this.dispatchEvent(new CustomEvent("chosen", { detail }));
  }

  /** Mark the chosen doc, too. */
  #show() {
    const { value } = this;
    for (const [side, sign] of [["left", -1], ["right", 1]]) {
      const verdict = value === null ? "" : VERDICTS[value * sign] ?? (value ? "" : "tie");
      this.#sections[side].dataset.verdict = verdict;
      for (const each of document.querySelectorAll(`.verdict[data-side=${side}]`)) {
        each.textContent = verdict ? say(`verdict_${verdict}`) : "";
      }
    }
  }
}
