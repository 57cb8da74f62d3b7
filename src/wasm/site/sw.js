// The service worker, which caches the site's files so that it works offline after the first visit.
// A new version is fetched in the background and used once the last tab of the old one is closed.

// `make site` fills in both.
const VERSION = "aleator-@VERSION@";
const FILES = ["@FILES@"];

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("aleator-") && name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(VERSION);
    const kept = await cache.match(request.mode === "navigate" ? "./" : request);
    return kept ?? fetch(request);
  })());
});
