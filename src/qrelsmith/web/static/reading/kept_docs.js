// The docs of a topic, stored in this browser for offline use.

import { own } from "../page/base.js";
import { done, openDatabase, result } from "../sending/database.js";
import { forgetPages } from "./kept_page.js";

const DATABASE = own("qrelsmith-docs");
const STORE = "answers";
// Maximum size of a topic's docs in characters, and maximum share of the browser's quota.
const MOST = 60_000_000;
const SHARE = 0.5;

export class KeptDocs {
  static #isOver = false;
  #database;
  #size = 0;

  constructor(database) {
    this.#database = database;
  }

  /** The stored docs of an account; none without storage. Docs of other accounts are deleted. */
  static async open(account) {
    const database = await openDatabase(DATABASE, STORE, "address").catch(() => null);
    const kept = new KeptDocs(database);
    if (database) await kept.#own(account).catch(() => { kept.#database = null; });
    return kept;
  }

  /** Delete all docs and responses of all campaigns; this page then stores none. */
  static async forget() {
    KeptDocs.#isOver = true;
    const known = (await globalThis.indexedDB?.databases?.().catch(() => null)) ?? [];
    const names = known.map(({ name }) => name).filter((name) => name.startsWith("qrelsmith-docs"));
    await Promise.allSettled([...new Set([...names, DATABASE])].map(cleared));
  }

  /** The response stored for an address, or undefined. */
  async at(address) {
    if (!this.#database) return undefined;
    const store = this.#database.transaction(STORE).objectStore(STORE);
    return (await result(store.get(address)).catch(() => undefined))?.answer;
  }

  /** All responses stored for addresses with a common prefix. */
  async under(beginning) {
    if (!this.#database) return [];
    const store = this.#database.transaction(STORE).objectStore(STORE);
    const range = IDBKeyRange.bound(beginning, `${beginning}\uffff`);
    return (await result(store.getAll(range)).catch(() => [])).map(({ answer }) => answer);
  }

  /** Store a response; returns whether there was room. */
  async put(address, answer) {
    if (!this.#database || KeptDocs.#isOver) return false;
    const size = JSON.stringify(answer).length;
    const { quota = Infinity } = await (navigator.storage?.estimate?.() ?? {});
    if (this.#size + size > Math.min(MOST, quota * SHARE)) return false;
    try {
      const transaction = this.#database.transaction(STORE, "readwrite");
      const store = transaction.objectStore(STORE);
      const before = await result(store.get(address));
      store.put({ address, answer, size });
      await done(transaction);
      this.#size += size - (before?.size ?? 0);
      return true;
    } catch {
      return false;
    }
  }

  /** Data of other accounts must not stay visible. */
  async #own(account) {
    const transaction = this.#database.transaction(STORE, "readwrite");
    const store = transaction.objectStore(STORE);
    const before = await result(store.get("account"));
    if (before?.answer !== account) {
      store.clear();
      forgetPages().catch(() => {});
      store.put({ address: "account", answer: account, size: 0 });
    } else {
      for (const { size } of await result(store.getAll())) this.#size += size;
    }
    await done(transaction);
  }
}

/** Clear a database, if the browser has it. */
async function cleared(name) {
  const database = await openDatabase(name, STORE, "address");
  const transaction = database.transaction(STORE, "readwrite");
  transaction.objectStore(STORE).clear();
  await done(transaction);
  database.close();
}
