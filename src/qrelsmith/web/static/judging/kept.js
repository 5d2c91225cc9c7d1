// A cache of promises, so that everything is fetched only once.

/** Cache a promise, unless it fails; the cache has a maximum size. */
export function remember(kept, key, promise, most) {
  kept.set(key, promise);
  promise.catch(() => kept.delete(key));
  if (kept.size > most) kept.delete(kept.keys().next().value);
}
