// Without a connection a judging page is as it was when it was last opened with one.
//
// The address of this file holds the digest of all files: another version of the app is another
// worker with a store of its own, and a page is never put together from two.

const [FILES, BASE, DIGEST] = /^(.*)\/static\/([^/]+)\//.exec(location.pathname);
const STORES = BASE ? `qrelsmith-page@${BASE}:` : "qrelsmith-page:";
const STORE = `${STORES}${DIGEST}`;
const PAGE = /^(.*\/(?:judge|answers)\/\d+)(?:\/\d+)?$/;
// What a proxy answers as long as nobody stands behind it.
const NOBODY = [502, 503, 504];

addEventListener("install", (event) => {
  // What these routes name never waits for the worker, where a browser knows them.
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

/** The page as the server gives it; as it was kept, if there is no server. */
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
