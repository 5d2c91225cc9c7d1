// The judging page itself, stored in this browser for a reload without a connection.

import { BASE, own } from "../page/base.js";

const WORKER = new URL("../worker.js", import.meta.url);
const FILES = new URL("../", import.meta.url);
const STORES = own("qrelsmith-page");
const STORE = `${STORES}:${FILES.pathname.split("/").at(-2)}`;

/**
 * Store the page of an assignment with everything it has loaded, if storage is available.
 * `room` is the first part of its address.
 */
export async function keepPage(assignment, room = "judge") {
  const scope = `${BASE}/${room}/`;
  // Both interfaces exist only if the address is on this machine or begins with https.
  if (!navigator.serviceWorker || !globalThis.caches) return;
  const page = await fetch(location.pathname);
  // Without a session, the response is the login page.
  if (!page.ok || page.redirected) return;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const store = await caches.open(STORE);
  await store.addAll(new Set(loaded.filter((name) => name.startsWith(FILES.href))));
  await store.put(`${scope}${assignment}`, page);
  await navigator.serviceWorker.register(WORKER, { scope });
}

/** Delete all stored pages, or those of all campaigns: the next user may be another person. */
export async function forgetPages({ everywhere = false } = {}) {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  const ours = names.filter((name) => name.startsWith(everywhere ? "qrelsmith-page" : `${STORES}:`));
  await Promise.all(ours.map((name) => caches.delete(name)));
}
