// Actions of a page, by keys and buttons, with the key shown beside each.

import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { Keys } from "./keys.js";
import { KeysDialog } from "./keys_dialog.js";

/**
 * The keys of a page.
 *
 * @param {object} page actions and name, as in `Keys`; deeds: functions of the actions, called with
 *   "key" or "click", which return false if nothing happened; `digit(number)`: whether it was used,
 *   null if it has no meaning; `shown(keys)`: shows further keys; `isForNote()`, as in `Keys`.
 */
export function bindDeeds({
  actions, name, deeds, digit, shown = () => {}, isForNote = () => false,
}) {
  const idle = (key) => hint(say("keyIdle", { key }));
  const keys = new Keys({ actions, name }, (action) => act(action, "key"), digit, idle, isForNote);
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
