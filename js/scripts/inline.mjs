// Writes the module as a script, compressed, for the entry `unstick/inline`: node inline.mjs FOLDER

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const folder = process.argv[2];
const compressed = gzipSync(readFileSync(join(folder, "unstick_bg.wasm")), { level: 9 });
writeFileSync(join(folder, "inline.js"), `export const compressed = "${compressed.toString("base64")}";\n`);
writeFileSync(join(folder, "inline.d.ts"), "/** The module: gzip, then base64. */\nexport declare const compressed: string;\n");
