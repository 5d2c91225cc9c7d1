// The common part of judging sessions: items are shown one after the other and get labels, and the
// latest label can be undone. Each kind of judgment defines the order of items.
//
// Events: "moved" and "shown", "judged", "loggedout".

import { announce, hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { Blink } from "./blink.js";

const RETRY_MS = 3000;

export class JudgingSession extends EventTarget {
  #blink = new Blink();
  #retry = 0;

  /** Number of the current item; it changes whenever another item is shown. */
  turn = 0;

  /**
   * @param {object} tools labels, judgments, source, pane, clock; `isOpen()`: whether judgments are
   *   accepted; and the tools of the kind of judgment. The tools become properties.
   */
  constructor(tools) {
    super();
    Object.assign(this, tools);
  }

  /** Undo the latest judgment; can be repeated. */
  async undo() {
    const last = this.judgments.undo(this.clock.timing());
    if (last) await this.showTakenBack(last);
  }

  /** Emit an event. */
  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Leave the item on the screen; returns the number of the new turn. */
  begin(byItself = false) {
    clearTimeout(this.#retry);
    // Keep the message about an ignored key readable.
    if (!byItself) hint("");
    this.#blink.end();
    this.turn += 1;
    return this.turn;
  }

  /** The item is painted: measure time and accept keys from now on. */
  arrived() {
    this.#blink.begin();
    this.clock.start();
  }

  /** Whether an item can be judged now; if not, show a message. */
  isReady(item, missing) {
    if (!this.isOpen()) {
      hint(say("closed"));
      return false;
    }
    if (!item && missing) hint(say(missing));
    return Boolean(item) && this.#blink.isOver();
  }

  /** Whether a label lacks a required note or passage; if so, ask for it. */
  lacks(scale, value, remarks) {
    const lack = scale.lacks(value, remarks.content);
    if (!lack) return false;
    remarks.complain(lack);
    remarks.focus(lack);
    hint(say(lack === "note" ? "noteMissing" : "excerptMissing", { label: scale.label(value) }));
    return true;
  }

  /** A key or click that has judged has no further effect. */
  settle() {
    this.#blink.end();
  }

  /** Try again after a while, unless another item is shown by then. */
  again(turn, act) {
    if (turn !== this.turn) return;
    this.#retry = setTimeout(() => {
      if (turn === this.turn) act();
    }, RETRY_MS);
  }
}

// A session whose items are all in the page: the next item without a label follows.
//
// Events: "moved" and "shown" (row), "renewed" (row), "judged" (row, value), "finished".
export class RowSession extends JudgingSession {
  #isThere = false;

  /** The position of the item on the screen, or about to be shown. */
  position = 0;

  // Tools: `rows()` in order; `open(row)`, resolved like `DocPane.show`; `name(row)`;
  // `label(row, value)`; `scaleOf(row)`; `judgmentOf(row, label)`: about, after and how, as
  // `Judgments.judge` takes them; remarks.

  /** The row of the item on the screen. */
  get row() {
    return this.labels.at(this.position);
  }

  /** Show an item and announce it after `sentence`; a retry does not announce it again. */
  async show(position, { sentence = "", byItself = false, isAnnounced = false } = {}) {
    const turn = this.begin(byItself);
    this.clock.stop();
    this.position = position;
    this.#isThere = false;
    const { row } = this;
    if (!isAnnounced) announce([sentence, this.name(row)].join(" ").trim());
    this.tell("moved", row);
    const isThere = await this.open(row);
    if (turn !== this.turn || isThere === null) return;
    if (!isThere) {
      this.again(turn, () => this.show(position, { isAnnounced: true }));
      return;
    }
    this.#isThere = true;
    this.arrived();
    if (row.stale[0]) hint(say(`stale_${row.stale[0]}`));
    this.tell("shown", row);
  }

  /** Update the label after a change elsewhere. */
  renewLabel() {
    this.tell("renewed", this.row);
  }

  /** Continue after a new login. */
  resume() {
    if (!this.#isThere) this.show(this.position);
  }

  /** Give the item on the screen a value, and show the next one without a label. */
  async judge(value, kind) {
    if (!this.isReady(this.#isThere, "docNotThere")) return;
    hint("");
    const { row } = this;
    if (this.lacks(this.scaleOf(row), value, this.remarks)) return;
    const { note, passages } = this.remarks.content;
    const { about, after, how } = this.judgmentOf(row, { value, note, passages });
    this.judgments.judge(about, after, { ...how, input_kind: kind, timing: this.clock.timing() });
    this.clock.stop();
    this.remarks.saved();
    this.settle();
    this.tell("judged", { row, value });
    await this.moveToOpen(say("judged", { label: this.label(row, value) }));
  }

  /** Show an item whose judgment was undone here. */
  async showTakenBack(last) {
    await this.showUndone(this.labels.at(last.position), last.before.value);
  }

  /** Show an item whose judgment was undone. */
  async showUndone(row, value = row.value) {
    const sentence = say("undone", { text: row.text, label: this.label(row, value) });
    this.tell("judged", { row, value });
    if (!this.rows().some(({ position }) => position === row.position)) return;
    if (row.position !== this.position) await this.show(row.position, { sentence });
    else {
      this.renewLabel();
      announce(sentence);
    }
  }

  /** Move on or back by one item. */
  async move(by) {
    const rows = this.rows();
    const next = rows[rows.findIndex(({ position }) => position === this.position) + by];
    if (next) await this.show(next.position);
    else hint(say(by < 0 ? "isFirst" : "isLast"));
  }

  /** Go to the first item without a label, else to the first of all; `by` returns the positions. */
  async moveTo(isOne, by) {
    const own = this.rows().filter(isOne);
    const next = own.find(({ value }) => value === null) ?? own[0];
    if (next) await this.show(next.position);
    else hint(say(by < 0 ? "isFirst" : "isLast"));
  }

  /** Go to the next item without a label, starting again at the end. */
  async moveToOpen(sentence = "") {
    const rows = this.rows();
    const at = rows.findIndex(({ position }) => position === this.position);
    const following = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
    const next = following.find(({ value }) => value === null);
    if (next) {
      await this.show(next.position, { sentence, byItself: true });
      return;
    }
    this.renewLabel();
    this.arrived();
    announce([sentence, say("finished", { count: rows.length })].join(" ").trim());
    this.tell("finished");
  }
}
