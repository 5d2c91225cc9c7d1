// Promises of what was fetched, so that it is fetched once.

/** Keep a promise, but not one that fails, and not more than so many. */
export function remember(kept, key, promise, most) {
  kept.set(key, promise);
  promise.catch(() => kept.delete(key));
  if (kept.size > most) kept.delete(kept.keys().next().value);
}
