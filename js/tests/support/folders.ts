/** Where things are; this file runs from `js/build/support`. */

import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The npm package's folder. */
export const js = resolve(fileURLToPath(import.meta.url), "../../..");

/** The project's folder. */
export const root = resolve(js, "..");

/** Makes a folder that the test removes. */
export function temporary(): string {
  return mkdtempSync(join(tmpdir(), "unstick-js-"));
}

/** The corpus of real manifests, where it is at hand. */
export function corpus(): string | undefined {
  const folder = process.env.UNSTICK_CORPUS ?? resolve(root, "../shared/corpus");
  return existsSync(join(folder, "OCCURRENCES.tsv")) ? folder : undefined;
}
