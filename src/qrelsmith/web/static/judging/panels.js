// The panels around the doc, which can be opened and closed.

import { hint } from "../page/announcer.js";
import { byId } from "../page/elements.js";

// The same limit as in the style sheets: room for the list beside the doc.
const ROOM = "not (max-width: 36rem)";

export class Panels {
  #instructions = byId("instructions-panel");
  #instructionsButton = byId("instructions-button");
  #grading = byId("grading");
  #remarksButton = document.getElementById("more");
  #docs = byId("docs");
  #room = matchMedia(ROOM);

  constructor() {
    byId("instructions-close").addEventListener("click", () => this.#closeInstructions());
    this.#instructions.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#closeInstructions();
    });
    this.#remarksButton?.addEventListener("click", () => {
      this.showRemarks(!this.#grading.classList.contains("open"));
      // Now, not later: a phone opens its keyboard only within the tap.
      if (this.areRemarksOver) this.#grading.querySelector("[name=note], .taking button").focus();
    });
    const fit = () => this.showList(this.#room.matches);
    this.#room.addEventListener("change", fit);
    fit();
  }

  /** Open or close the instructions beside the doc. */
  toggleInstructions() {
    if (this.#instructions.hidden) {
      // On narrow screens, neither may lie over the instructions.
      this.showRemarks(false);
      hint("");
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

  /** Whether note and passages are shown over the doc. */
  get areRemarksOver() {
    return this.#grading.classList.contains("open") && !this.#room.matches;
  }

  /** Show at the button whether a label has a note or passages; close them, unless in use. */
  renewRemarks(isNoted) {
    this.#remarksButton?.toggleAttribute("data-noted", isNoted);
    if (!this.#grading.querySelector(".remarks :focus")) this.showRemarks(false);
  }

  /** Open or close the doc list; if it covers the doc, choosing a doc closes it. */
  showList(isShown) {
    this.#docs.open = isShown || this.#room.matches;
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
