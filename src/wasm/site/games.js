// The games, in the browser's database: texts by their names, with the dates of their changes.

const STORE = "games";

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Opens the store; resolves to { all, get, put, remove }. */
export async function openGames() {
  const opening = indexedDB.open("aleator", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await done(opening);
  const store = (mode) => database.transaction(STORE, mode).objectStore(STORE);
  return {
    async all() {
      const games = store("readonly");
      const [ids, values] = await Promise.all([done(games.getAllKeys()), done(games.getAll())]);
      return ids.map((id, index) => ({ id, ...values[index] }));
    },
    get: (id) => done(store("readonly").get(id)),
    put: (id, text) => done(store("readwrite").put({ text, date: Math.floor(Date.now() / 1000) }, id)),
    remove: (id) => done(store("readwrite").delete(id)),
  };
}
