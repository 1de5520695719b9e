/** The entry for browsers, with a bundler or without: the module is fetched from beside this file. */

import { start } from "./instance.js";
import type { ModuleSource } from "./types.js";

export * from "./exports.js";

/** Loads the module, from `source` where it is not at its usual place; the other functions need it done. */
export function init(source?: ModuleSource): Promise<void> {
  return start(() => source ?? new URL("../wasm/unstick_bg.wasm", import.meta.url));
}
