// The dialog with the table of keys, in which they can be changed.

import { announce } from "../page/announcer.js";
import { byId, element } from "../page/elements.js";
import { say } from "../page/words.js";
import { Keys } from "./keys.js";

export class KeysDialog {
  #dialog = byId("keys-dialog");
  #rows = byId("keys-rows");
  #keys;
  #waiting = null;

  constructor(keys) {
    this.#keys = keys;
    const isOn = byId("keys-on");
    isOn.checked = keys.isOn;
    isOn.addEventListener("change", () => { keys.isOn = isOn.checked; });
    byId("keys-reset").addEventListener("click", () => keys.reset());
    this.#rows.addEventListener("click", (event) => this.#clicked(event));
    this.#dialog.addEventListener("keydown", (event) => this.#pressed(event));
    this.#dialog.addEventListener("close", () => this.#wait(null));
    keys.addEventListener("change", () => this.#draw());
    this.#draw();
  }

  open() {
    this.#dialog.showModal();
  }

  #draw() {
    const rows = this.#keys.actions.map((action) => {
      const name = say(`key_${action}`);
      const isWaiting = this.#waiting === action;
      const key = this.#keys.of(action);
      const words = say("keyOf", { name, key });
      const button = element(
        "button",
        { type: "button", "data-action": action, "aria-label": words },
        isWaiting ? say("keyPress") : element("kbd", {}, key),
      );
      return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, button));
    });
    this.#rows.replaceChildren(...rows);
    if (this.#waiting) this.#button(this.#waiting).focus();
  }

  #button(action) {
    return this.#rows.querySelector(`[data-action="${action}"]`);
  }

  #clicked(event) {
    const button = event.target.closest("button");
    if (button) this.#wait(button.dataset.action);
  }

  #wait(action) {
    this.#waiting = action;
    this.#draw();
    if (action) announce(say("keyPress"));
  }

  #pressed(event) {
    if (!this.#waiting || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    const action = this.#waiting;
    event.preventDefault();
    event.stopPropagation();
    this.#waiting = null;
    const key = event.key.toLowerCase();
    if (Keys.canBe(key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.#keys.choose(action, key);
      announce(say("keyOf", { name: say(`key_${action}`), key }));
    } else {
      announce(say("keyRefused"));
    }
    this.#draw();
    this.#button(action).focus();
  }
}
