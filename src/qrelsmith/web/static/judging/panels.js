// The panels around the doc, which can be opened and closed.

import { hint } from "../page/announcer.js";
import { byId } from "../page/elements.js";
import { keep, recall } from "../page/stored.js";

// The same limit as in the style sheets: room for the list beside the doc.
const ROOM = "not (max-width: 36rem)";
// Room for a panel beside the doc instead of over it.
const BESIDE = "not (max-width: 60rem)";

export class Panels {
  #sides;
  #grading = byId("grading");
  #remarksButton = document.getElementById("more");
  #docs = byId("docs");
  #room = matchMedia(ROOM);

  /** @param {string} topic the name of the topic, whose panel stays open in this browser. */
  constructor(topic) {
    const name = `topicOpen:${topic}`;
    this.#sides = {
      instructions: new SidePanel("instructions"),
      topic: new SidePanel("topic", (isShown) => keep(name, isShown)),
    };
    if (recall(name, false) && matchMedia(BESIDE).matches) this.#sides.topic.show(true);
    this.#remarksButton?.addEventListener("click", () => {
      this.showRemarks(!this.#grading.classList.contains("open"));
      // Focus now, not later: a phone opens its keyboard only during the tap.
      if (this.areRemarksOver) this.#grading.querySelector("[name=note], .taking button").focus();
    });
    const fit = () => this.showList(this.#room.matches);
    this.#room.addEventListener("change", fit);
    fit();
  }

  /** Open or close the panel "instructions" or "topic"; false if there is none. */
  toggle(name) {
    const side = this.#sides[name];
    if (!side.panel) return false;
    if (side.isOpen) {
      side.close();
      return true;
    }
    // On narrow screens, neither may cover the panel.
    this.showRemarks(false);
    hint("");
    for (const each of Object.values(this.#sides)) each.show(each === side);
    side.panel.focus();
    return true;
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
}

/** A panel at the right of the doc, and the button that opens it. */
class SidePanel {
  #button;
  #changed;
  #before = null;

  constructor(name, changed = () => {}) {
    this.panel = document.getElementById(`${name}-panel`);
    this.#button = document.getElementById(`${name}-button`);
    this.#changed = changed;
    this.panel?.querySelector(".close").addEventListener("click", () => this.close());
    this.panel?.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get isOpen() {
    return this.panel !== null && !this.panel.hidden;
  }

  show(isShown) {
    if (!this.panel || this.isOpen === isShown) return;
    this.#before = document.activeElement;
    this.panel.hidden = !isShown;
    this.#button.setAttribute("aria-expanded", String(isShown));
    this.#changed(isShown);
  }

  close() {
    const before = this.panel.contains(document.activeElement) ? this.#before : null;
    this.show(false);
    before?.focus();
  }
}
