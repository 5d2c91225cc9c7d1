// The doc that is judged: as a page, as text, or its source.

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
  #reading = Promise.resolve(null);
  #told = () => {};
  #opening;

  /**
   * @param {object} tools frame, text (where a doc is shown) and source (where it comes from).
   * @param {object} parts place, message, tabs (the links to the views), highlight; `drawn(doc)`
   *   when a doc is on the screen.
   * @param {Terms} terms words to highlight.
   * @param {object} names store: under which the chosen view is kept; `title(doc)`: of its frame;
   *   opening: where a doc begins, one of top, main, densest.
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

  /** The view in which a doc is shown; of text the page is the text. */
  viewOf(doc) {
    return doc.form === "text" && this.#view === "page" ? "text" : this.#view;
  }

  /** Show a doc; resolves to whether it is on the screen, null if another one came between. */
  async show(doc) {
    this.#find = "";
    this.#part = 0;
    return this.#draw(doc);
  }

  /** Fetch a doc that may be shown next. */
  prepare(doc) {
    if (!doc.frame) return;
    const isText = this.viewOf(doc) === "text";
    const look = this.#look(doc, 0);
    if (!isText) this.#frame.prepare(frameAddress(doc, look), this.#start);
    // Where its words stand, and of a text the words themselves.
    this.#source.read(doc, look).catch(() => {});
  }

  /** No doc is to be seen, and why. */
  clear(message) {
    this.#turn += 1;
    this.#doc = null;
    this.#reads(Promise.resolve(null));
    this.#frame.hide();
    this.#text.hide();
    this.#say(message);
  }

  /** Choose a view, this time and from now on. */
  async choose(view) {
    this.#view = view;
    keep(this.#store, view);
    if (this.#doc) await this.#draw(this.#doc);
  }

  /** The next view. */
  async chooseNext() {
    if (this.#doc) await this.choose(this.nextView);
  }

  /** The view after the one that is shown, of those that the doc has. */
  get nextView() {
    const views = this.#doc ? viewsOf(this.#doc) : VIEWS;
    const shown = this.#doc ? this.viewOf(this.#doc) : this.#view;
    return views[(views.indexOf(shown) + 1) % views.length];
  }

  /** Highlight the topic's words or do not. */
  async toggleHighlight() {
    this.#marks = !this.#marks;
    keep("highlight", this.#marks);
    this.#parts.highlight.setAttribute("aria-pressed", String(this.#marks));
    if (this.#doc) await this.#draw(this.#doc);
  }

  /** Other words are highlighted from now on. */
  async renew() {
    if (this.#doc) await this.#draw(this.#doc);
  }

  /** Have somebody told where the words of each doc stand: a reading, or null. */
  heed(told) {
    this.#told = told;
  }

  /** Where the words of the doc on the screen stand; null: nowhere, or it cannot be told. */
  get reading() {
    return this.#reading;
  }

  /** Go to a group of words. */
  goCluster(number) {
    if (this.#isText) this.#text.goCluster(number);
    else this.#frame.goCluster(number);
  }

  /** Go to where the content of a page begins; false where it is the top. */
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

  /** Look for words in the doc; resolves to how often they occur. */
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

  /** Go to the n-th place of the words that were found. */
  go(number) {
    if (this.#isText) this.#text.go(number);
    else this.#frame.go(`qrelsmith-f${number}`);
  }

  /** Scroll by screens; without an end, to an end. */
  scroll(screens) {
    if (this.#isText) this.#text.scroll(screens * 0.8);
    else this.#frame.scroll(Number.isFinite(screens) ? Math.round(screens * SCREEN) : screens);
  }

  /** The doc that is shown. */
  get doc() {
    return this.#doc;
  }

  /** What passages are taken from, and the n-th place that was found; null where none can be. */
  surface(number) {
    if (this.#isText) return this.#text.surface(number);
    if (!this.#doc || this.viewOf(this.#doc) !== "page") return null;
    return this.#frame.surface(`qrelsmith-f${number}`);
  }

  get #isText() {
    return this.#doc !== null && (this.#isFallback || this.viewOf(this.#doc) === "text");
  }

  async #draw(doc) {
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
      // Without the page its words can be judged.
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
    // That it failed is told by the caller.
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

  /** Tell where words stand, as soon as it is known, if the same doc is still shown then. */
  #reads(reading) {
    const turn = this.#turn;
    this.#reading = reading.catch(() => null);
    this.#reading.then((known) => { if (turn === this.#turn) this.#told(known); });
  }

  /** The id of the place at which a doc in a frame begins. */
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
