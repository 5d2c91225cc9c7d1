// Comparing: the pair on the screen, the effect of an answer, the next pair, undo.
//
// Events: "left", "moved" and "shown" (pair), "judged" (number, outcome), "over" (reason),
// "loggedout".

import { JudgingSession } from "../judging/judging_session.js";
import { announce, hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { LoggedOut } from "../sending/server.js";
import { PAIRS } from "../sending/kinds.js";

// For shorter waits, the docs stay on the screen.
const PATIENCE_MS = 400;

export class PairSession extends JudgingSession {
  #shown = null;
  #kind = "key";
  #ahead = null;
  #patience = 0;
  #stopped = null;
  #located = Promise.resolve();
  #steps = Promise.resolve();

  /** The pair on the screen, or about to be shown; 0: none. */
  pair = 0;

  /** Why there is no pair: "", "waiting", "done" or "closed". */
  reason = "";

  /** The previous pair, to go back to. */
  previous = null;

  /** Show a pair and announce it after `sentence`; a retry does not announce it again. */
  async show(number, { sentence = "", byItself = false, isAnnounced = false } = {}) {
    const turn = this.begin(byItself);
    this.pair = number;
    let isThere = false;
    const retry = () => this.show(number, { sentence, isAnnounced });
    const found = this.source.at(number);
    this.#located = found.then((pair) => {
      if (turn === this.turn) this.previous = pair.previous;
    }).catch(() => {});
    try {
      const pair = await found;
      if (turn !== this.turn) return;
      if (pair.withdrawn) {
        this.source.forget();
        await this.skip(sentence);
        return;
      }
      this.renewLabel();
      this.tell("moved", pair);
      if (!isAnnounced) announce([sentence, say("pair", pair)].join(" ").trim());
      isAnnounced = true;
      isThere = await this.pane.show(pair);
      if (turn !== this.turn) return;
      if (isThere) this.#arrived(pair);
    } catch (error) {
      this.#failed(turn, error, retry);
      return;
    }
    if (!isThere) this.again(turn, retry);
  }

  /** Update the answer to the pair on the screen after a change elsewhere. */
  renewLabel() {
    const { outcome, passages } = this.labels.at(this.pair);
    this.choice.value = outcome;
    this.passages?.show(this.pair, passages);
  }

  /** Mark an answer; it counts when it is confirmed. */
  mark(outcome, kind) {
    if (!this.#isReady()) {
      this.renewLabel();
      return false;
    }
    hint("");
    this.choice.value = outcome;
    this.#kind = kind;
    return true;
  }

  /** Submit the marked answer, and show the next pair. */
  async confirm() {
    if (!this.#isReady()) return;
    hint("");
    const outcome = this.choice.value;
    if (outcome === null) {
      hint(say("choiceMissing"));
      return;
    }
    const shown = this.#shown;
    const before = this.labels.at(shown.pair);
    const isNew = before.outcome === null;
    const after = { outcome, passages: this.passages?.value ?? before.passages };
    const isChange = !PAIRS.isSame(before, after);
    if (isChange) this.#add(shown, after);
    this.passages?.settle(shown.pair);
    this.tell("judged", { number: shown.number, outcome });
    const sentence = say("judged", { label: say(`outcome_${outcome}`) });
    // A changed answer may change the pairs needed.
    if (isChange && !isNew) await this.seek({ sentence });
    else await this.#goOn(sentence);
  }

  /** Show a pair whose answer was undone. */
  async showUndone({ pair }) {
    const { outcome } = this.labels.at(pair);
    const label = say(outcome === null ? "unjudged" : `outcome_${outcome}`);
    await this.show(pair, { sentence: say("undone", { label }) });
  }

  /** Go to the previous pair. */
  back() {
    this.#step(() => {
      if (this.previous) this.show(this.previous);
      else hint(say("isFirst"));
    });
  }

  /** Whether the next pair can be opened: this pair or a later pair is answered. */
  get canGoOn() {
    const following = this.source.following(this.pair);
    const isOpen = (number) => !number || this.labels.at(number).outcome === null;
    return !isOpen(this.pair) || !isOpen(following);
  }

  /** Go to the next pair. */
  forward() {
    this.#step(() => {
      if (!this.pair) return;
      const following = this.source.following(this.pair);
      if (!this.canGoOn) hint(say("isLast"));
      else if (following) this.show(following);
      else this.#goOn("");
    });
  }

  /** Find the pair to compare now, after everything was sent to the server. */
  async seek({ sentence = "" } = {}) {
    const turn = this.begin(true);
    const isQuiet = this.reason === "waiting";
    if (!isQuiet) {
      this.#patience = setTimeout(() => this.pane.clear(say("seeking")), PATIENCE_MS);
    }
    try {
      const inTrouble = () => this.pane.clear(say("seekingLost"));
      if (!(await this.judgments.sent(() => turn === this.turn, inTrouble))) return;
      const found = await this.source.next();
      if (turn !== this.turn) return;
      const news = isQuiet ? say("found") : sentence;
      if (found.pair) await this.show(found.pair.pair, { sentence: news, byItself: true });
      else this.over(found, sentence);
    } catch (error) {
      this.#failed(turn, error, () => this.seek({ sentence }));
    }
  }

  /** A pair is no longer needed: show a message, and continue unless another pair is read. */
  async skip(sentence = "") {
    if (!this.#shown) await this.seek({ sentence });
    hint(say("withdrawn"));
  }

  /** Continue after a new login. */
  resume() {
    const act = this.#stopped;
    this.#stopped = null;
    act?.();
  }

  /** Show that there is no pair, with the reason. */
  over({ reason, previous, address }, sentence = "") {
    if (address) {
      // The pairs of a HIT are from several tasks, so the next pair is on another page.
      location.assign(address);
      return;
    }
    const isNews = reason !== this.reason;
    this.begin();
    this.pair = 0;
    this.reason = reason;
    this.previous = previous;
    this.choice.value = null;
    if (isNews) announce([sentence, say(`over_${reason}`)].join(" ").trim());
    this.tell("over", { reason });
  }

  /** Fast steps are queued: each step begins where the previous step ended. */
  #step(act) {
    this.#steps = this.#steps.then(() => {
      act();
      return this.#located;
    });
  }

  begin(byItself = false) {
    clearTimeout(this.#patience);
    this.#shown = null;
    this.#ahead = null;
    this.#stopped = null;
    this.clock.stop();
    const turn = super.begin(byItself);
    this.tell("left");
    return turn;
  }

  async showTakenBack(last) {
    await this.showUndone(last);
  }

  #arrived(pair) {
    this.#shown = pair;
    this.reason = "";
    this.arrived();
    this.tell("shown", pair);
    const { outcome } = this.labels.at(pair.pair);
    this.#lookAhead(pair.pair, outcome === null);
  }

  /** Find the next pair, and prefetch its docs. */
  async #lookAhead(number, isOpen) {
    const turn = this.turn;
    try {
      if (!(await this.judgments.sent(() => turn === this.turn))) return;
      const pair = isOpen ? await this.source.ahead(number) : (await this.source.next()).pair;
      if (!pair || turn !== this.turn) return;
      this.pane.prepare(pair);
      this.#ahead = pair.pair;
    } catch {
      // The pair will be searched when it is to be shown.
    }
  }

  #add({ pair, number, left, right, topic_version, settings_version }, label) {
    this.judgments.judge({ pair, number }, label, {
      topic_version, settings_version, left_sha256: left.sha256, right_sha256: right.sha256,
      input_kind: this.#kind, timing: this.clock.timing(),
    });
  }

  async #goOn(sentence) {
    const ahead = this.#ahead;
    const isOpen = ahead !== null && this.labels.at(ahead).outcome === null;
    if (isOpen) await this.show(ahead, { sentence, byItself: true });
    else await this.seek({ sentence });
  }

  #isReady() {
    return this.isReady(this.#shown, this.pair ? "pairNotThere" : "");
  }

  /** The request failed; it is repeated, but not before a new login. */
  #failed(turn, error, act) {
    if (turn !== this.turn) return;
    clearTimeout(this.#patience);
    this.pane.clear(say("docFailed"));
    if (!(error instanceof LoggedOut)) {
      this.again(turn, act);
      return;
    }
    this.#stopped = act;
    this.tell("loggedout");
  }
}
