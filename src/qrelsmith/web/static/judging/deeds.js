// What can be done on a page, by keys and by buttons, and each key beside what it does.

import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { Keys } from "./keys.js";
import { KeysDialog } from "./keys_dialog.js";

/**
 * The keys of a page.
 *
 * @param {object} page actions and name, as `Keys` has them; deeds: what an action does, called with
 *   "key" or "click", false for nothing; `digit(number)`: whether it was taken, null if it means
 *   nothing; `shown(keys)`: more keys to write beside what they do.
 */
export function bindDeeds({ actions, name, deeds, digit, shown = () => {} }) {
  const idle = (key) => hint(say("keyIdle", { key }));
  const keys = new Keys({ actions, name }, (action) => act(action, "key"), digit, idle);
  const dialog = new KeysDialog(keys);
  async function act(action, kind) {
    if (action === "help") dialog.open();
    else if ((await deeds[action](kind)) === false) idle(keys.of(action));
  }
  function show() {
    for (const each of document.querySelectorAll("kbd[data-key]")) {
      each.hidden = !keys.isOn;
      each.textContent = keys.of(each.dataset.key);
    }
    shown(keys);
  }
  for (const button of document.querySelectorAll("[data-deed]")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      act(button.dataset.deed, "click");
    });
  }
  keys.addEventListener("change", show);
  show();
}
