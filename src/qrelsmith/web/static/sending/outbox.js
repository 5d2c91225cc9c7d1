// Sends queued operations, oldest first, until the server has acknowledged them.
//
// Events: "change" (queue or connection), "accepted" (operation, response),
// "dropped" (operations without effect), "held" (an operation that the user must decide on).

import { isSameThing, pathOf } from "./kinds.js";
import { LoggedOut, Refusal, Unreachable } from "./server.js";
import { alone } from "./tabs.js";
import { standing } from "./wish.js";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_DELAY_MS = 31 * 24 * 3600 * 1000;

export class Outbox extends EventTarget {
  #queue;
  #server;
  #tabs;
  #account;
  #running = false;
  #again = false;
  #failures = 0;
  #timer = 0;
  #last = 0;

  /** "" without a problem; "lost": no connection, "full": the server's disk, "login": no session. */
  trouble = "";

  constructor({ queue, server, tabs, account }) {
    super();
    this.#queue = queue;
    this.#server = server;
    this.#tabs = tabs;
    this.#account = account;
    const settled = (event) => {
      event.detail.opIds.forEach((opId) => this.#queue.forget(opId));
      // Another tab's operations were sent: with an empty queue, there is no problem.
      if (!this.waiting().length) this.#fine();
      this.#changed();
    };
    tabs.addEventListener("settled", settled);
    tabs.addEventListener("added", (event) => this.#queue.know(event.detail.operation));
    tabs.addEventListener("loggedin", () => this.wake());
    addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => this.#look());
  }

  /** Operations to be sent. */
  waiting() {
    return this.#queue.all(this.#account).filter((operation) => !operation.trouble);
  }

  /** Refused operations that the user must decide on. */
  held() {
    return this.#queue.all(this.#account).filter((operation) => operation.trouble);
  }

  get isDurable() {
    return this.#queue.isDurable;
  }

  /** Add an operation: it is stored, and sent as soon as possible. */
  add(operation) {
    // Clocks may stop or go back, but the order must be kept.
    const latest = this.#queue.all().at(-1)?.order ?? 0;
    this.#last = Math.max(Date.now(), this.#last + 1, latest + 1);
    const kept = { account: this.#account, made_at: Date.now(), order: this.#last, ...operation };
    this.#queue.put(kept).then(() => this.#changed());
    this.#tabs.tell("added", { operation: kept });
    this.#changed();
    this.#run();
    return kept;
  }

  /** Remove operations, as decided by the user. */
  discard(operations) {
    this.#settle(operations.map((operation) => operation.op_id));
    this.dispatchEvent(new CustomEvent("dropped", { detail: { operations } }));
  }

  /** Try again now: the connection or the session may be back. */
  wake() {
    clearTimeout(this.#timer);
    this.#failures = 0;
    this.#run();
  }

  async #look() {
    if (document.visibilityState !== "visible") return;
    await this.#queue.refresh();
    this.#changed();
    if (this.waiting().length) this.wake();
  }

  async #run() {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    try {
      do {
        this.#again = false;
        await alone("qrelsmith-sending", () => this.#sendAll());
      } while (this.#again && !this.trouble);
    } finally {
      this.#running = false;
    }
  }

  async #sendAll() {
    for (;;) {
      const [operation] = this.waiting();
      if (!operation) {
        // Another tab may have sent the operation: with an empty queue, there is no problem.
        this.#fine();
        break;
      }
      try {
        const answer = await this.#server.post(pathOf(operation), bodyOf(operation));
        this.#settle([operation.op_id]);
        this.#fine();
        this.dispatchEvent(new CustomEvent("accepted", { detail: { operation, answer } }));
        this.#tabs.tell("accepted", { operation, answer });
      } catch (error) {
        if (!this.#survives(error, operation)) break;
      }
    }
  }

  /** Whether sending can continue after an error. */
  #survives(error, operation) {
    if (error instanceof Refusal) {
      this.#fine();
      this.#refused(operation, error);
      return true;
    }
    if (error instanceof LoggedOut) {
      this.#troubled("login");
      return false;
    }
    if (!(error instanceof Unreachable)) throw error;
    this.#troubled(error.isFull ? "full" : "lost");
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    this.#failures += 1;
    clearTimeout(this.#timer);
    // Random delay, so that not all clients contact a restarted server at once.
    this.#timer = setTimeout(() => this.#run(), wait * (0.75 + Math.random() / 2));
    return false;
  }

  /** The consequences of a refusal: later operations on the same item depend on the refused one. */
  #refused(operation, refusal) {
    const same = this.waiting().filter((each) => each.op_id === operation.op_id
      || (operation.kind === "judge" && isSameThing(each, operation)));
    const wish = operation.kind === "judge" ? standing(same) : null;
    const gone = same.filter((each) => each !== wish);
    this.#settle(gone.map((each) => each.op_id));
    if (gone.length) {
      this.dispatchEvent(new CustomEvent("dropped", { detail: { operations: gone, refusal } }));
    }
    if (!wish) return;
    wish.trouble = {
      reason: refusal.reason, message: refusal.message, current: refusal.current,
    };
    this.#queue.put(wish);
    this.#changed();
    this.dispatchEvent(new CustomEvent("held", { detail: { operation: wish } }));
  }

  #settle(opIds) {
    this.#queue.remove(opIds);
    this.#tabs.tell("settled", { opIds });
    this.#changed();
  }

  #fine() {
    this.#failures = 0;
    if (!this.trouble) return;
    this.trouble = "";
    this.#changed();
  }

  #troubled(trouble) {
    this.trouble = trouble;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/** The body of a request; only now is the operation's waiting time known. */
function bodyOf(operation) {
  const waited = Math.min(Math.max(Date.now() - operation.made_at, 0), LONGEST_DELAY_MS);
  const timing = { ...operation.body.timing, delay_ms: waited };
  return { op_id: operation.op_id, ...operation.body, timing };
}
