// Judging docs: the doc on the screen, the effect of a grade, the next doc, undo.
//
// Events: "moved" and "shown" (position), "judged" (position, label), "finished", "loggedout".

import { announce, hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { LoggedOut } from "../sending/server.js";
import { DOCS } from "../sending/kinds.js";
import { JudgingSession } from "./judging_session.js";

// Shown as the label of a doc until the real label is known.
const UNKNOWN = { doc: 0, ...DOCS.blank };

export class Session extends JudgingSession {
  #doc = null;

  /** The doc on the screen, or about to be shown. */
  position = 0;

  /** Show a doc and announce it after `sentence`; a retry does not announce it again. */
  async show(position, { sentence = "", byItself = false, isAnnounced = false } = {}) {
    const turn = this.begin(byItself);
    this.#leave();
    this.position = position;
    this.#doc = null;
    this.tell("moved", { position });
    const place = say("position", { position, total: this.state.total });
    if (!isAnnounced) announce([sentence, place].join(" ").trim());
    const known = this.labels.at(position);
    this.#showLabel(known ?? UNKNOWN);
    let doc;
    let isThere = false;
    try {
      doc = await this.source.at(position);
      if (turn !== this.turn) return;
      isThere = await this.pane.show(doc);
    } catch (error) {
      if (error instanceof LoggedOut) this.tell("loggedout");
      if (turn === this.turn) this.pane.clear(say("docFailed"));
    }
    if (turn !== this.turn || isThere === null) return;
    if (!isThere) {
      if (doc && !doc.frame) return;
      this.source.forget(position);
      this.again(turn, () => this.show(position, { isAnnounced: true }));
      return;
    }
    this.#doc = doc;
    this.arrived();
    const row = this.labels.at(position);
    if (!known) this.#showLabel(row);
    if (row.stale.length) hint(say(`stale_${row.stale[0]}`));
    this.tell("shown", { position, doc });
    this.#prepareNext(position);
  }

  /** Update the label of the doc on the screen after a change elsewhere. */
  renewLabel() {
    const row = this.labels.at(this.position);
    if (row) this.#showLabel(row);
  }

  /** Continue after a new login. */
  resume() {
    if (!this.#doc) this.show(this.position);
  }

  /** Give the doc on the screen a value, and show the next doc. */
  async judge(value, kind) {
    if (!this.isReady(this.#doc, "docNotThere")) return;
    hint("");
    if (value === null || !(this.scale.isGrade(value) || this.scale.isError(value))) {
      hint(this.scale.asks(value));
      this.grade.focus();
      return;
    }
    const { content } = this.remarks;
    if (this.lacks(this.scale, value, this.remarks)) {
      this.grade.value = value;
      return;
    }
    const { position } = this;
    const row = this.labels.at(position);
    const label = { value, ...content };
    if (!DOCS.isSame(row, label) || row.stale.length) this.#add(row, label, kind);
    this.remarks.saved();
    this.settle();
    await this.#goOn(position, this.scale.label(value));
  }

  /** Show a doc whose judgment was undone here. */
  async showTakenBack(last) {
    this.remarks.rescue(last.doc, last.after);
    await this.#showUndone(last.position, last.before.value);
  }

  /** Show a doc whose judgment was undone. */
  async showUndone(row) {
    await this.#showUndone(row.position, row.value);
  }

  /** Move on or back by one doc. */
  async move(by) {
    const position = Math.min(Math.max(this.position + by, 1), this.state.total);
    if (position === this.position) hint(say(by < 0 ? "isFirst" : "isLast"));
    else await this.show(position);
  }

  /** Go to the next doc without a label. */
  async moveToOpen() {
    try {
      const position = await this.source.nextOpen(this.position);
      if (position === null) this.#finish("");
      else if (position !== this.position) await this.show(position);
    } catch {
      hint(say("docFailed"));
    }
  }

  /** The page closes: report the time spent on the doc. */
  leave() {
    this.#leave();
  }

  #add(row, label, kind) {
    const { doc, sha256, topic_version, scale_version } = this.#doc;
    const about = { doc, position: row.position, name: row.title || row.name };
    this.judgments.judge(about, label, {
      sha256, topic_version, scale_version, input_kind: kind, timing: this.clock.timing(),
    });
    // The time spent on this doc is in the judgment.
    this.clock.stop();
  }

  async #goOn(position, label) {
    let next = this.labels.nextOpen(position);
    if (next === undefined) next = await this.source.nextOpen(position).catch(() => undefined);
    if (this.position !== position) return;
    const sentence = say("judged", { label });
    this.tell("judged", { position, label });
    if (next === null) this.#finish(sentence);
    else if (next === position) await this.show(position, { sentence });
    // Without a connection, assume that the doc at the next position follows.
    else {
      const following = next ?? Math.min(position + 1, this.state.total);
      await this.show(following, { sentence, byItself: true });
    }
  }

  #finish(sentence) {
    this.renewLabel();
    this.arrived();
    announce([sentence, say("finished", { count: this.state.total })].join(" ").trim());
    this.tell("finished");
  }

  async #showUndone(position, value) {
    const label = value === null ? say("unjudged") : this.scale.label(value);
    const sentence = say("undone", { position, label });
    this.tell("judged", { position, label });
    if (position === this.position) {
      this.renewLabel();
      announce(sentence);
    } else {
      await this.show(position, { sentence });
    }
  }

  #showLabel(row) {
    this.grade.value = row.value;
    this.remarks.show(row);
  }

  async #prepareNext(position) {
    try {
      let place = position;
      for (let ahead = 0; ahead < 2; ahead += 1) {
        place = await this.source.nextOpen(place);
        if (place === null || place === position || this.position !== position) return;
        const doc = await this.source.at(place);
        if (this.position === position) this.pane.prepare(doc);
      }
    } catch {
      // The doc will be fetched when it is shown.
    }
  }

  /** Leave a doc; time spent on it without a judgment is reported to the server. */
  #leave() {
    if (this.#doc) this.activity.tell(this.#doc.doc, this.clock.sinceLast());
    this.clock.stop();
  }
}
