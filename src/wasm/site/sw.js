// @ts-check
// The service worker. It caches the files of the site, so that the site works offline after the first visit. A new
// version is fetched in the background and used when the last tab with the old version has been closed.

// `make site` fills in the version and the list of files.
const VERSION = "aleator-@VERSION@";
const FILES = ["@FILES@"];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

async function install() {
  const cache = await caches.open(VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function removeOld() {
  const old = (await caches.keys()).filter((name) => name.startsWith("aleator-") && name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(VERSION);
  const kept = await cache.match(request.mode === "navigate" ? "./" : request);
  return kept ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(removeOld()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) event.respondWith(answer(request));
});
