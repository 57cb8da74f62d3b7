/** The sizes of the loaded files in bytes, by name: src/wasm/build.sh writes sizes.js. */
export const SIZES: Record<string, number>;
