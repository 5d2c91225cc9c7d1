// The panels around the doc, which can be opened and closed.

import { byId } from "../page/elements.js";

// The same limit as in the style sheets: room for the list beside the doc.
const ROOM = "not (max-width: 36rem)";

export class Panels {
  #instructions = byId("instructions-panel");
  #instructionsButton = byId("instructions-button");
  #grading = byId("grading");
  #remarksButton = document.getElementById("more");
  #docs = byId("docs");

  constructor() {
    byId("instructions-close").addEventListener("click", () => this.#closeInstructions());
    this.#instructions.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#closeInstructions();
    });
    this.#remarksButton?.addEventListener("click", () => {
      this.showRemarks(!this.#grading.classList.contains("open"));
    });
    const room = matchMedia(ROOM);
    const fit = () => this.showList(room.matches);
    room.addEventListener("change", fit);
    fit();
  }

  /** Open or close the instructions beside the doc. */
  toggleInstructions() {
    if (this.#instructions.hidden) {
      this.#showInstructions(true);
      this.#instructions.focus();
    } else {
      this.#closeInstructions();
    }
  }

  /** On narrow screens: show note and passages over the doc. */
  showRemarks(isShown) {
    this.#grading.classList.toggle("open", isShown);
    this.#remarksButton?.setAttribute("aria-expanded", String(isShown));
  }

  /** Show at the button that a label has a note or passages. */
  set isNoted(isNoted) {
    this.#remarksButton?.toggleAttribute("data-noted", isNoted);
  }

  /** Open or close the doc list; if it covers the doc, choosing a doc closes it. */
  showList(isShown) {
    this.#docs.open = isShown || matchMedia(ROOM).matches;
  }

  /** Focus the search field of the doc list. */
  openJump() {
    this.#docs.open = true;
    byId("jump").focus();
    byId("jump").select();
  }

  #closeInstructions() {
    const hadFocus = this.#instructions.contains(document.activeElement);
    this.#showInstructions(false);
    if (hadFocus) this.#instructionsButton.focus();
  }

  #showInstructions(isShown) {
    this.#instructions.hidden = !isShown;
    this.#instructionsButton.setAttribute("aria-expanded", String(isShown));
  }
}
