// Tells what happened to those who do not see it.

import { byId } from "./elements.js";

let turn = 0;

/** Have a sentence read out when there is time. */
export function announce(text) {
  const regions = [byId("announcer-0"), byId("announcer-1")];
  // The same sentence twice in a row is told twice only where it changes place.
  turn = 1 - turn;
  regions[1 - turn].textContent = "";
  regions[turn].textContent = text;
}

/** Have a sentence read out, and show it as long as the same doc is on the screen. */
export function hint(text) {
  // Another line, not the same one moved: nothing on the screen shifts.
  const line = byId("hint");
  const next = line.cloneNode();
  next.textContent = text;
  line.replaceWith(next);
  if (text) announce(text);
}
