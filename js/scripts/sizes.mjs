// Prints the sizes of files as a table: node sizes.mjs NAME=PATH ...

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const cell = (value) => value.toLocaleString("en-US").padStart(9);
console.log("     bytes   gzipped");
for (const argument of process.argv.slice(2)) {
  const [name, path] = argument.split("=");
  const bytes = readFileSync(path);
  console.log(`${cell(bytes.length)} ${cell(gzipSync(bytes, { level: 9 }).length)}  ${name}`);
}
