// What can be opened and closed around the doc.

import { byId } from "../page/elements.js";

// As in the style sheets: room enough for the list beside the doc.
const ROOM = "(min-width: 60rem) and (min-height: 34rem)";

export class Panels {
  #instructions = byId("instructions-panel");
  #instructionsButton = byId("instructions-button");
  #grading = byId("grading");
  #remarksButton = document.getElementById("more");
  #docs = byId("docs");
  #place = byId("doc-place");

  constructor() {
    byId("instructions-close").addEventListener("click", () => this.#closeInstructions());
    this.#instructions.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#closeInstructions();
    });
    this.#remarksButton?.addEventListener("click", () => {
      this.showRemarks(!this.#grading.classList.contains("open"));
    });
    const room = matchMedia(ROOM);
    const fit = () => { this.#docs.open = room.matches; };
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

  /** On a narrow screen: note and passage, below the grades. */
  showRemarks(isShown) {
    this.#grading.classList.toggle("open", isShown);
    this.#remarksButton?.setAttribute("aria-expanded", String(isShown));
  }

  /** Where the page itself scrolls: bring the doc into sight, unless enough of it is. */
  showDoc() {
    if (matchMedia(ROOM).matches) return;
    const { top, bottom } = this.#place.getBoundingClientRect();
    const grades = this.#grading.getBoundingClientRect();
    const foot = grades.top > top ? Math.min(innerHeight, grades.top) : innerHeight;
    if (Math.min(bottom, foot) - Math.max(top, 0) >= 0.3 * innerHeight) return;
    const isLow = innerHeight < 480;
    (isLow ? this.#place : this.#place.closest("section")).scrollIntoView({ block: "start" });
  }

  /** Go to the field in which a doc is looked for. */
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
