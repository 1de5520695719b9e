/** The entry for tools that cannot handle files beside a script: the module stands inside, compressed. */

import { compressed } from "../wasm/inline.js";

import { start } from "./instance.js";
import type { ModuleSource } from "./types.js";

export * from "./exports.js";

/** Loads the module; the other functions need it done. */
export function init(source?: ModuleSource): Promise<void> {
  return start(() => source ?? unpack());
}

async function unpack(): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(compressed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
