// Time spent on docs without judging them; the server decides what it stores.

// Shorter times are ignored: the doc was only skipped.
const WORTH_MS = 1000;

export class Activity {
  #server;
  #path;

  constructor(server, assignment) {
    this.#server = server;
    this.#path = `/api/assignments/${assignment}/activity`;
  }

  /** Report the active and idle time of a doc; null is ignored. */
  tell(doc, times) {
    if (!times || times.active_ms + times.idle_ms < WORTH_MS) return;
    this.#server.mention(this.#path, { doc, ...times });
  }
}
