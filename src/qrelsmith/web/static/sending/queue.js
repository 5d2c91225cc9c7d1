// Unacknowledged operations: in memory, and in IndexedDB, where they survive a reload, a browser
// crash and the end of the session.

import { own } from "../page/base.js";
import { done, openDatabase, result } from "./database.js";

const DATABASE = own("qrelsmith");
const STORE = "operations";
const PATIENCE_MS = 3000;

/** A unique name for an operation. */
export function newOpId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Queue {
  #database = null;
  #known = new Map();
  #unstored = new Set();

  /** The queue of this browser; without IndexedDB, a queue of this page only. */
  static async open() {
    const queue = new Queue();
    try {
      queue.#database = await Promise.race([openDatabase(DATABASE, STORE, "op_id"), tooLate()]);
      await queue.refresh();
    } catch {
      queue.#database = null;
    }
    return queue;
  }

  /** Operations in order; all, or those of one account. */
  all(account = null) {
    const found = [...this.#known.values()];
    return found
      .filter((operation) => account === null || operation.account === account)
      .sort((a, b) => a.order - b.order);
  }

  /** Whether all operations would survive the end of this page. */
  get isDurable() {
    return this.#unstored.size === 0;
  }

  /** Add or update an operation. Resolves when the operation is stored. */
  async put(operation) {
    this.#known.set(operation.op_id, operation);
    this.#unstored.add(operation.op_id);
    if (!this.#database) return;
    try {
      await done(this.#writing((store) => store.put(operation)));
      this.#unstored.delete(operation.op_id);
    } catch {
      // The operation stays in memory; `isDurable` is then false.
    }
  }

  /** Add an operation that another tab has stored. */
  know(operation) {
    this.#known.set(operation.op_id, operation);
  }

  /** Remove operations. */
  async remove(opIds) {
    for (const opId of opIds) this.forget(opId);
    if (!this.#database) return;
    try {
      await done(this.#writing((store) => opIds.forEach((opId) => store.delete(opId))));
    } catch {
      // If the operations were sent again, the server would recognise them: nothing is counted
      // twice.
    }
  }

  /** Remove an operation that another tab has removed. */
  forget(opId) {
    this.#known.delete(opId);
    this.#unstored.delete(opId);
  }

  /** Load operations from other tabs and earlier pages. */
  async refresh() {
    if (!this.#database) return;
    const request = this.#database.transaction(STORE).objectStore(STORE).getAll();
    const stored = await result(request);
    for (const operation of stored) this.#known.set(operation.op_id, operation);
  }

  #writing(act) {
    const options = { durability: "strict" };
    const transaction = this.#database.transaction(STORE, "readwrite", options);
    act(transaction.objectStore(STORE));
    return transaction;
  }
}

/** Some browsers never answer if storage is forbidden. */
function tooLate() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no answer")), PATIENCE_MS);
  });
}
