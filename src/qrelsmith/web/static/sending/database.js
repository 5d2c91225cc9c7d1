// A database of this browser (IndexedDB) with one store.

/** Open a database; its store is made if it is not there. */
export async function openDatabase(name, store, keyPath) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath });
  const database = await result(request);
  // Another tab has a newer program: let it upgrade.
  database.onversionchange = () => database.close();
  return database;
}

/** What a request gives. */
export function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

/** The end of a transaction. */
export function done(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}
