/** The entry for Node: the module is read from the package at the first call. */

import { readFileSync } from "node:fs";

import { loadAtOnceWith, start } from "./instance.js";
import type { ModuleSource } from "./types.js";

export * from "./exports.js";

const read = () => readFileSync(new URL("../wasm/unstick_bg.wasm", import.meta.url));

loadAtOnceWith(read);

/** Loads the module; needed only by code that runs in browsers too, as the first call does it in Node. */
export function init(source?: ModuleSource): Promise<void> {
  return start(() => source ?? read());
}
