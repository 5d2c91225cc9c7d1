// The judging page itself, kept in this browser for a reload without a connection.

import { BASE, own } from "../page/base.js";

const WORKER = new URL("../worker.js", import.meta.url);
const FILES = new URL("../", import.meta.url);
const STORES = own("qrelsmith-page");
const STORE = `${STORES}:${FILES.pathname.split("/").at(-2)}`;

/**
 * Keep the page of an assignment with all that it has loaded; nothing where nothing can be kept.
 * `room` is the first part of its address.
 */
export async function keepPage(assignment, room = "judge") {
  const scope = `${BASE}/${room}/`;
  // Both are there only where the address is this machine's or begins with https.
  if (!navigator.serviceWorker || !globalThis.caches) return;
  const page = await fetch(location.pathname);
  // Without a session it is the page on which one logs in.
  if (!page.ok || page.redirected) return;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const store = await caches.open(STORE);
  await store.addAll(new Set(loaded.filter((name) => name.startsWith(FILES.href))));
  await store.put(`${scope}${assignment}`, page);
  await navigator.serviceWorker.register(WORKER, { scope });
}

/** Let go of all pages, or those of all campaigns: whoever comes next may be somebody else. */
export async function forgetPages({ everywhere = false } = {}) {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  const ours = names.filter((name) => name.startsWith(everywhere ? "qrelsmith-page" : `${STORES}:`));
  await Promise.all(ours.map((name) => caches.delete(name)));
}
