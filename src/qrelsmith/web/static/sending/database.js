// A database of this browser (IndexedDB) with one store.

/** Open a database; its store is created if it does not exist. */
export async function openDatabase(name, store, keyPath) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath });
  const database = await result(request);
  // Another tab has a newer version of the app: allow its upgrade.
  database.onversionchange = () => database.close();
  return database;
}

/** The result of a request, as a promise. */
export function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

/** The end of a transaction, as a promise. */
export function done(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}
