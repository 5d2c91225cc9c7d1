// What can be done on a page, by keys and by buttons, and each key beside what it does.

import { Keys } from "./keys.js";
import { KeysDialog } from "./keys_dialog.js";

/**
 * The keys of a page.
 *
 * @param {object} page actions and name, as `Keys` has them; deeds: what an action does, called with
 *   "key" or "click"; `digit(number)`; `shown(keys)`: more keys to write beside what they do.
 */
export function bindDeeds({ actions, name, deeds, digit, shown = () => {} }) {
  const keys = new Keys({ actions, name }, (action) => act(action, "key"), digit);
  const dialog = new KeysDialog(keys);
  function act(action, kind) {
    if (action === "help") dialog.open();
    else deeds[action](kind);
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
