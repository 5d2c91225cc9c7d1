// How long docs were worked on that were not judged then; the server decides what it keeps.

// What is shorter was passed by.
const WORTH_MS = 1000;

export class Activity {
  #server;
  #path;

  constructor(server, assignment) {
    this.#server = server;
    this.#path = `/api/assignments/${assignment}/activity`;
  }

  /** Tell the times that a doc was active and idle, null for none. */
  tell(doc, times) {
    if (!times || times.active_ms + times.idle_ms < WORTH_MS) return;
    this.#server.mention(this.#path, { doc, ...times });
  }
}
