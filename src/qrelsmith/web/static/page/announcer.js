// Announcements for screen readers.

import { byId } from "./elements.js";

let turn = 0;

/** Have a sentence read out at the next pause. */
export function announce(text) {
  const regions = [byId("announcer-0"), byId("announcer-1")];
  // A screen reader repeats the same sentence only if it is in another element.
  turn = 1 - turn;
  regions[1 - turn].textContent = "";
  regions[turn].textContent = text;
}

/** Have a sentence read out, and show it until the doc changes. */
export function hint(text) {
  // Replace the line instead of moving it, so that nothing on the screen shifts.
  const line = byId("hint");
  const next = line.cloneNode();
  next.textContent = text;
  line.replaceWith(next);
  if (text) announce(text);
}
