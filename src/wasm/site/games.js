// @ts-check
// The saved games in the browser's database: the text of each game by id, with the date of the last change.

const STORE = "games";

/** @typedef {{ text: string, date: number }} SavedGame */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Opens the database. Resolves to the functions { all, get, put, remove }. */
export async function openGames() {
  const opening = indexedDB.open("aleator", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await done(opening);
  const store = () => database.transaction(STORE, "readonly").objectStore(STORE);
  /**
   * Changes the database. Resolves when the transaction is complete, because a transaction may fail even though its
   * requests succeeded.
   * @param {(games: IDBObjectStore) => void} work
   * @returns {Promise<void>}
   */
  const change = (work) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, "readwrite");
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("the browser has not stored the game"));
      work(transaction.objectStore(STORE));
    });
  return {
    async all() {
      const games = store();
      /** @type {[IDBValidKey[], SavedGame[]]} */
      const [ids, values] = await Promise.all([done(games.getAllKeys()), done(games.getAll())]);
      return ids.map((id, index) => ({ id, ...values[index] }));
    },
    /** @param {string} id @returns {Promise<SavedGame | undefined>} */
    get: (id) => done(store().get(id)),
    /** @param {string} id @param {string} text */
    put: (id, text) => change((games) => games.put({ text, date: Math.floor(Date.now() / 1000) }, id)),
    /** @param {string} id */
    remove: (id) => change((games) => games.delete(id)),
  };
}
