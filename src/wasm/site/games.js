// The games in the browser's database: their texts by id, with the dates of their last changes.

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
  const store = () => database.transaction(STORE, "readonly").objectStore(STORE);
  /** Changes the store; resolves when the transaction is complete, since it may fail after its requests. */
  const change = (work) => new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite");
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser has not stored it"));
    work(transaction.objectStore(STORE));
  });
  return {
    async all() {
      const games = store();
      const [ids, values] = await Promise.all([done(games.getAllKeys()), done(games.getAll())]);
      return ids.map((id, index) => ({ id, ...values[index] }));
    },
    get: (id) => done(store().get(id)),
    put: (id, text) => change((games) => games.put({ text, date: Math.floor(Date.now() / 1000) }, id)),
    remove: (id) => change((games) => games.delete(id)),
  };
}
