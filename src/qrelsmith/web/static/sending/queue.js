// Operations that the server has not acknowledged: in memory, and in IndexedDB, where they survive
// a reload, a crash of the browser and the end of the session.

import { own } from "../page/base.js";
import { done, openDatabase, result } from "./database.js";

const DATABASE = own("qrelsmith");
const STORE = "operations";
const PATIENCE_MS = 3000;

/** A name for an operation that nobody else will think of. */
export function newOpId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Queue {
  #database = null;
  #known = new Map();
  #unstored = new Set();

  /** The queue of this browser; where IndexedDB is not to be had, one that only this page holds. */
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

  /** Operations in the order in which they were done; all, or those of one account. */
  all(account = null) {
    const found = [...this.#known.values()];
    return found
      .filter((operation) => account === null || operation.account === account)
      .sort((a, b) => a.order - b.order);
  }

  /** Whether everything here would survive the end of this page. */
  get isDurable() {
    return this.#unstored.size === 0;
  }

  /** Take an operation in, or what has changed of it. Resolves when it is stored. */
  async put(operation) {
    this.#known.set(operation.op_id, operation);
    this.#unstored.add(operation.op_id);
    if (!this.#database) return;
    try {
      await done(this.#writing((store) => store.put(operation)));
      this.#unstored.delete(operation.op_id);
    } catch {
      // It stays in memory; `isDurable` says so.
    }
  }

  /** Remember an operation that another tab has stored. */
  know(operation) {
    this.#known.set(operation.op_id, operation);
  }

  /** Let go of operations. */
  async remove(opIds) {
    for (const opId of opIds) this.forget(opId);
    if (!this.#database) return;
    try {
      await done(this.#writing((store) => opIds.forEach((opId) => store.delete(opId))));
    } catch {
      // Sent once more, they would be known to the server: nothing is counted twice.
    }
  }

  /** Let go of an operation that another tab has seen to. */
  forget(opId) {
    this.#known.delete(opId);
    this.#unstored.delete(opId);
  }

  /** Take in what other tabs, or this one in an earlier life, have left. */
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

/** Some browsers never answer where nothing may be stored. */
function tooLate() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no answer")), PATIENCE_MS);
  });
}
