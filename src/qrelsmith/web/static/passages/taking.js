// Adding passages of one doc to a list, and drawing the passages in the list.
//
// Event: "change" (by the user).

import { announce, hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { Picker } from "./picker.js";

// As in the style sheets: touch input without a keyboard.
const TOUCH = matchMedia("(hover: none) and (pointer: coarse)");

export class Taking extends EventTarget {
  #pane;
  #source;
  #list;
  #side;
  #picker;

  /**
   * @param {object} tools pane (the doc on the screen), source (its text), list, `place()`
   *   (the shown match), and for a pair the side.
   */
  constructor({ pane, source, list, place, side = "" }) {
    super();
    this.#pane = pane;
    this.#source = source;
    this.#list = list;
    this.#side = side && { side };
    this.#picker = new Picker(() => pane.surface(place()));
    list.addEventListener("change", () => {
      this.#picker.draw(list.value);
      announce(say("passages", { count: list.value.length }));
      this.dispatchEvent(new CustomEvent("change"));
    });
    list.addEventListener("shown", () => this.show());
    list.addEventListener("go", ({ detail }) => {
      if (!this.#picker.go(detail)) hint(say("passageElsewhere"));
    });
    this.#picker.addEventListener("picked", ({ detail }) => list.toggle({ ...detail, ...this.#side }));
    this.#picker.addEventListener("over", () => hint(""));
  }

  /** Whether the user is choosing sentences. */
  get isOn() {
    return this.#picker.isOn;
  }

  /** Use the browser's selection, or start choosing sentences. */
  async take({ isTold = false } = {}) {
    const { doc } = this.#pane;
    if (!doc) return;
    if (!this.#picker.knows(doc)) await this.show(true);
    if (doc !== this.#pane.doc) return;
    if (TOUCH.matches && this.isOn) this.end();
    else if (!this.#picker.take()) hint(say("passageNowhere"));
    else if (this.#picker.isOn && !isTold) hint(say(TOUCH.matches ? "passageTap" : "passageChoose"));
  }

  /** Stop choosing. */
  end() {
    this.#picker.end();
  }

  /** Draw the passages of the doc on the screen; its text is fetched if needed. */
  async show(isNeeded = false) {
    const { doc } = this.#pane;
    this.#picker.end();
    if (!doc) return;
    const earlier = doc.earlier_passages ?? [];
    const isAny = this.#list.value.length + earlier.length > 0;
    const shown = isNeeded || isAny ? await this.#source.shownText(doc).catch(() => null) : null;
    if (doc === this.#pane.doc) this.#picker.show(doc, shown, this.#list.value, earlier);
  }
}
