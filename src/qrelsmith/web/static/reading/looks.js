// Text layouts: flowing or separate lines, in a proportional or monospaced font.

import { keep, recall } from "../page/stored.js";

const LOOKS = { reflow: true, mono: false };

export class Looks {
  #buttons;
  #texts;

  /** @param {Element} place has a button per layout; @param {Element[]} texts get its class. */
  constructor(place, texts) {
    this.#buttons = [...place.querySelectorAll("[data-look]")];
    this.#texts = texts;
    for (const button of this.#buttons) {
      button.addEventListener("click", () => {
        const { look } = button.dataset;
        keep(`text:${look}`, !recall(`text:${look}`, LOOKS[look]));
        this.#draw();
      });
    }
    this.#draw();
  }

  #draw() {
    for (const button of this.#buttons) {
      const { look } = button.dataset;
      const isOn = recall(`text:${look}`, LOOKS[look]);
      button.setAttribute("aria-pressed", String(isOn));
      for (const text of this.#texts) text.classList.toggle(look, isOn);
    }
  }
}
