// The common part of all judging pages: judgments are sent, responses update labels and screen, and
// the user decides on conflicts and logs in again.

import { BASE } from "../page/base.js";
import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { Conflicts } from "./conflicts.js";
import { Judgments } from "./judgments.js";
import { LoginDialog } from "./login_dialog.js";
import { guardLogout } from "./logout_guard.js";
import { Outbox } from "./outbox.js";
import { Queue } from "./queue.js";
import { Server } from "./server.js";
import { StateLine } from "./state_line.js";
import { Tabs } from "./tabs.js";

export class Client {
  #kind;
  #labels;
  #account;
  #tabs = new Tabs();
  #session;
  #page;
  #conflicts;
  #line;

  /**
   * @param {object} page kind; stream: number of the assignment or task; labels; account;
   *   form: contains the fields that every POST needs.
   */
  static async open(page) {
    return new Client(await Queue.open(), page);
  }

  constructor(queue, { kind, stream, labels, account, form }) {
    this.#kind = kind;
    this.#labels = labels;
    this.#account = account;
    this.server = new Server(form.elements.csrfmiddlewaretoken.value);
    this.outbox = new Outbox({ queue, server: this.server, tabs: this.#tabs, account });
    this.judgments = new Judgments({ kind, stream, labels, outbox: this.outbox });
  }

  /**
   * Pass responses on to a session.
   *
   * @param {object} session the position on the screen, in property `kind.place`; `show(place)`,
   *   `showUndone(row)`, `renewLabel()`, `resume()`; its event "loggedout".
   * @param {object} page words: texts for conflicts; `learn(answer, operation)`: uses more data of
   *   a response; `held(operation)`: called for a refused operation.
   */
  attend(session, page) {
    this.#session = session;
    this.#page = page;
    const { outbox } = this;
    const tabs = this.#tabs;
    this.#conflicts = new Conflicts({
      outbox, words: page.words,
      isOurs: (operation) => this.judgments.isOurs(operation),
      before: (label) => this.#kind.said(label),
      show: (operation) => session.show(this.#placeOf(operation)),
      again: (operation) => this.judgments.again(operation),
    });
    const login = new LoginDialog(() => this.#resume());
    this.#line = new StateLine(outbox, {
      login: () => login.open(),
      decide: () => this.#conflicts.decideAnywhere(),
      lost: () => outbox.wake(),
    });
    outbox.addEventListener("accepted", ({ detail }) => this.#accepted(detail, true));
    outbox.addEventListener("dropped", ({ detail }) => this.#dropped(detail));
    outbox.addEventListener("held", ({ detail }) => this.#held(detail.operation));
    tabs.addEventListener("accepted", ({ detail }) => this.#accepted(detail, false));
    tabs.addEventListener("added", ({ detail }) => this.#added(detail.operation));
    tabs.addEventListener("loggedin", () => session.resume());
    session.addEventListener("loggedout", () => login.open());
    login.watch(outbox);
    guardLogout(outbox);
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  /** Send queued operations after the first item is shown. */
  start() {
    this.outbox.wake();
    if (this.outbox.held().length) this.#conflicts.decide();
    this.#line.show();
  }

  #placeOf(named) {
    return named[this.#kind.place];
  }

  #isShown(named) {
    return this.#placeOf(named) === this.#placeOf(this.#session);
  }

  async #resume() {
    const now = await this.server.renew().catch(() => null);
    if (now && now.login !== this.#account) {
      location.assign(`${BASE}/`);
      return;
    }
    this.#tabs.tell("loggedin");
    this.outbox.wake();
    this.#session.resume();
  }

  #accepted({ operation, answer }, isHere) {
    if (!this.judgments.isOurs(operation)) return;
    const row = answer[this.#kind.unit];
    this.#page.learn(answer, operation);
    this.#labels.settle(operation);
    const isUndo = operation.kind === "undo";
    if (isUndo) this.judgments.unlearn(operation.undoes);
    if (isHere && isUndo && this.#placeOf(operation) !== this.#placeOf(row)) {
      this.#session.showUndone(row);
    } else if (!isHere && this.#isShown(row)) {
      this.#session.renewLabel();
    }
  }

  #added(operation) {
    this.judgments.take(operation);
    if (this.judgments.isOurs(operation) && this.#isShown(operation)) this.#session.renewLabel();
  }

  #dropped({ operations, refusal }) {
    const ours = operations.filter((operation) => this.judgments.isOurs(operation));
    ours.forEach((operation) => this.#forget(operation));
    if (!ours.length || !refusal) return;
    hint(refusal.reason === "nothing" ? say("undoNothing") : refusal.message);
  }

  #held(operation) {
    if (!this.judgments.isOurs(operation)) return;
    const { current, reason } = operation.trouble;
    if (current) this.#labels.learn([current]);
    this.#forget(operation);
    const isSettled = current && this.#kind.isSame(current, operation.after);
    // No decision is needed on items that no longer need a label.
    if (isSettled || reason === "withdrawn") this.outbox.discard([operation]);
    else this.#conflicts.decide();
    this.#page.held(operation);
  }

  #forget(operation) {
    this.#labels.settle(operation);
    this.judgments.unlearn(operation.op_id);
    if (this.#isShown(operation)) this.#session.renewLabel();
  }
}
