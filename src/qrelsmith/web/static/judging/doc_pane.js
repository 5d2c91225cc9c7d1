// The pane with the judged doc: as a page, as text, or its source.

import { keep, recall } from "../page/stored.js";
import { say } from "../page/words.js";
import { frameAddress } from "./doc_frame.js";

const VIEWS = ["page", "text", "source"];
const SCREEN = 4;

export class DocPane {
  #frame;
  #text;
  #source;
  #parts;
  #terms;
  #store;
  #title;
  #doc = null;
  #turn = 0;
  #view;
  #marks = recall("highlight", true);
  #find = "";
  #part = 0;
  #isFallback = false;
  #drawn = null;
  #reading = Promise.resolve(null);
  #told = () => {};
  #opening;

  /**
   * @param {object} tools frame, text (which show a doc) and source (which fetches it).
   * @param {object} parts place, message, tabs (the links to the views), highlight; `drawn(doc)`
   *   called when a doc is on the screen.
   * @param {Terms} terms words to highlight.
   * @param {object} names store: name of the stored view; `title(doc)`: title of its frame;
   *   opening: initial scroll position, one of top, main, densest.
   */
  constructor({ frame, text, source }, parts, terms, { store, title, opening = "top" }) {
    this.#frame = frame;
    this.#text = text;
    this.#source = source;
    this.#parts = parts;
    this.#terms = terms;
    this.#store = store;
    this.#title = title;
    this.#opening = opening;
    this.#view = recall(store, "page");
    for (const tab of parts.tabs) {
      tab.addEventListener("click", (event) => {
        event.preventDefault();
        this.choose(tab.dataset.view);
      });
    }
    parts.highlight.addEventListener("click", () => this.toggleHighlight());
    parts.highlight.setAttribute("aria-pressed", String(this.#marks));
  }

  /** The view of a doc; for a plain text, the page view is the text view. */
  viewOf(doc) {
    return doc.form === "text" && this.#view === "page" ? "text" : this.#view;
  }

  /** Show a doc; resolves to whether it is shown, null if another doc was requested meanwhile. */
  async show(doc) {
    this.#find = "";
    this.#part = 0;
    let isThere = await this.#draw(doc);
    // The doc was drawn again meanwhile, for example in another view.
    while (isThere === null && this.#doc === doc) isThere = await this.#drawn;
    return isThere;
  }

  /** Prefetch a doc. */
  prepare(doc) {
    if (!doc.frame) return;
    const isText = this.viewOf(doc) === "text";
    const look = this.#look(doc, 0);
    if (!isText) this.#frame.prepare(frameAddress(doc, look), this.#start);
    // The places of the doc's terms and, for the text view, the text itself.
    this.#source.read(doc, look).catch(() => {});
  }

  /** Show a message instead of a doc. */
  clear(message) {
    this.#turn += 1;
    this.#doc = null;
    this.#reads(Promise.resolve(null));
    this.#frame.hide();
    this.#text.hide();
    this.#say(message);
  }

  /** Choose a view, which is stored for later docs. */
  async choose(view) {
    this.#view = view;
    keep(this.#store, view);
    if (this.#doc) await this.#draw(this.#doc);
  }

  /** Switch to the next view. */
  async chooseNext() {
    if (this.#doc) await this.choose(this.nextView);
  }

  /** The next of the views available for the doc. */
  get nextView() {
    const views = this.#doc ? viewsOf(this.#doc) : VIEWS;
    const shown = this.#doc ? this.viewOf(this.#doc) : this.#view;
    return views[(views.indexOf(shown) + 1) % views.length];
  }

  /** Turn the highlighting of terms on or off. */
  async toggleHighlight() {
    this.#marks = !this.#marks;
    keep("highlight", this.#marks);
    this.#parts.highlight.setAttribute("aria-pressed", String(this.#marks));
    if (this.#doc) await this.#draw(this.#doc);
  }

  /** Update the highlighting after the terms have changed. */
  async renew() {
    if (this.#doc) await this.#draw(this.#doc);
  }

  /** Register a function that receives the reading of each doc, or null. */
  heed(told) {
    this.#told = told;
  }

  /** The reading of the doc on the screen: places of its terms; null if unknown. */
  get reading() {
    return this.#reading;
  }

  /** Scroll to a cluster of terms. */
  goCluster(number) {
    if (this.#isText) this.#text.goCluster(number);
    else this.#frame.goCluster(number);
  }

  /** Scroll to the main content of a page; false if that is the top. */
  async goMain() {
    if (this.#isText || !(await this.#reading)?.main) return false;
    this.#frame.go("qrelsmith-main");
    return true;
  }

  /** Show another part of a page that is too long to be shown at once. */
  async choosePart(part) {
    this.#part = part;
    if (this.#doc) await this.#draw(this.#doc);
  }

  /** Find a text in the doc; resolves to the number of occurrences. */
  async find(text) {
    this.#find = text;
    const doc = this.#doc;
    if (!doc) return 0;
    if (this.#isText) return this.#text.find(text);
    const view = this.viewOf(doc);
    const part = this.#part;
    const count = text ? await this.#source.count(doc, { view, find: text, part }) : 0;
    await this.#draw(doc);
    return count;
  }

  /** Scroll to the n-th occurrence of the text. */
  go(number) {
    if (this.#isText) this.#text.go(number);
    else this.#frame.go(`qrelsmith-f${number}`);
  }

  /** Scroll by screens; for infinity, to an end. */
  scroll(screens) {
    if (this.#isText) this.#text.scroll(screens * 0.8);
    else this.#frame.scroll(Number.isFinite(screens) ? Math.round(screens * SCREEN) : screens);
  }

  /** The doc that is shown. */
  get doc() {
    return this.#doc;
  }

  /** The surface for selecting passages, and the n-th match; null if passages are impossible. */
  surface(number) {
    if (this.#isText) return this.#text.surface(number);
    if (!this.#doc || this.viewOf(this.#doc) !== "page") return null;
    return this.#frame.surface(`qrelsmith-f${number}`);
  }

  get #isText() {
    return this.#doc !== null && (this.#isFallback || this.viewOf(this.#doc) === "text");
  }

  #draw(doc) {
    this.#drawn = this.#drawNow(doc);
    return this.#drawn;
  }

  async #drawNow(doc) {
    const turn = ++this.#turn;
    this.#doc = doc;
    this.#isFallback = false;
    this.#showTabs(doc);
    if (!doc.frame) {
      this.clear(say("docMissing"));
      return false;
    }
    this.#say("");
    const isText = this.viewOf(doc) === "text";
    let reading = this.#source.read(doc, this.#look(doc));
    let isThere = await (isText ? this.#drawText(reading, turn) : this.#drawFrame(doc));
    if (turn !== this.#turn) return null;
    this.#isFallback = !isThere && !isText;
    if (this.#isFallback) {
      // If the page does not load, the doc's text can still be judged.
      reading = this.#source.read(doc, { ...this.#look(doc), view: "text" });
      isThere = await this.#drawText(reading, turn);
      if (turn !== this.#turn) return null;
      if (isThere) this.#say(say("docAsText"));
    }
    this.#reads(reading.then((answer) => answer.reading));
    if (!isThere) this.#say(say("docFailed"));
    else this.#parts.drawn?.(doc);
    return isThere;
  }

  async #drawText(reading, turn) {
    this.#frame.hide();
    const { place } = this.#parts;
    place.classList.add("loading");
    // The caller reports the failure.
    const answer = await reading.catch(() => null);
    if (turn !== this.#turn) return false;
    place.classList.remove("loading");
    if (answer === null) return false;
    this.#text.show(answer, this.#opening === "densest");
    if (this.#find) this.#text.find(this.#find);
    return true;
  }

  async #drawFrame(doc) {
    this.#parts.place.classList.remove("loading");
    this.#text.hide();
    const address = frameAddress(doc, this.#look(doc));
    return this.#frame.show(address, this.#title(doc), this.#start);
  }

  /** Report the places of terms when they are known, if the same doc is still shown. */
  #reads(reading) {
    const turn = this.#turn;
    this.#reading = reading.catch(() => null);
    this.#reading.then((known) => { if (turn === this.#turn) this.#told(known); });
  }

  /** The id of the initial scroll position in a frame. */
  get #start() {
    return { densest: "qrelsmith-densest", main: "qrelsmith-main" }[this.#opening] ?? "";
  }

  #look(doc, part = this.#part) {
    const { words, language } = this.#terms;
    const find = doc === this.#doc ? this.#find : "";
    return { view: this.viewOf(doc), terms: this.#marks ? words : [], find, part, lang: language };
  }

  #showTabs(doc) {
    const view = this.viewOf(doc);
    const views = viewsOf(doc);
    for (const tab of this.#parts.tabs) {
      if (tab.dataset.view === view) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
      tab.hidden = !views.includes(tab.dataset.view);
    }
  }

  #say(message) {
    this.#parts.message.textContent = message;
    this.#parts.message.hidden = !message;
  }
}

function viewsOf(doc) {
  return doc.form === "text" ? VIEWS.slice(1) : VIEWS;
}
