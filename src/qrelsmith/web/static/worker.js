// Without a connection, a judging page is shown as it was when last opened online.
//
// The address of this file contains the digest of all files. Each version of the app has its own
// worker and storage, so that a page never mixes files of two versions.

const [FILES, BASE, DIGEST] = /^(.*)\/static\/([^/]+)\//.exec(location.pathname);
const STORES = BASE ? `qrelsmith-page@${BASE}:` : "qrelsmith-page:";
const STORE = `${STORES}${DIGEST}`;
const PAGE = /^(.*\/(?:judge|answers)\/\d+)(?:\/\d+)?$/;
// Responses of a proxy whose app is down.
const NOBODY = [502, 503, 504];

addEventListener("install", (event) => {
  // Requests of these routes bypass the worker, if the browser supports that.
  for (const urlPattern of [`${BASE}/api/*`, `${BASE}/doc/*`, `${BASE}/cited/*`]) {
    event.addRoutes?.({ condition: { urlPattern }, source: "network" })?.catch?.(() => {});
  }
  skipWaiting();
});
addEventListener("activate", (event) => event.waitUntil(tidied()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  const page = request.mode === "navigate" ? PAGE.exec(pathname) : null;
  if (page) event.respondWith(pageOf(request, page[1]));
  else if (pathname.startsWith(FILES)) event.respondWith(fileOf(request));
});

/** The page from the server, or the stored one if the server is unreachable. */
async function pageOf(request, name) {
  const answer = await fetch(request).catch(() => null);
  if (answer && !NOBODY.includes(answer.status)) return answer;
  return (await kept(name)) ?? answer ?? Response.error();
}

/** A file never changes under its address. */
async function fileOf(request) {
  return (await kept(request)) ?? fetch(request);
}

async function kept(name) {
  const store = await caches.open(STORE);
  return store.match(name, { ignoreVary: true });
}

async function tidied() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(STORES) && name !== STORE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}
