/** The case folders under `tests/cases`; the README there says what a case is made of. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { root } from "./folders.js";

/** One way to write one case. */
export interface Case {
  name: string;
  file: string;
  options: string;
  input: Buffer;
  expected: Buffer;
  /** Lines of line, column in bytes, rule and outcome. */
  report: string;
}

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

const VARIANTS: Record<string, (text: Buffer) => Buffer> = {
  crlf: (text) => replaceLineFeeds(text, "\r\n"),
  cr: (text) => replaceLineFeeds(text, "\r"),
  bom: (text) => Buffer.concat([BYTE_ORDER_MARK, text]),
};

/** Reads all cases, each in all its variants. */
export function readCases(): Case[] {
  const folder = join(root, "tests/cases");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const inputs = entries.filter((entry) => entry.isFile() && ["input.yaml", "input.json"].includes(entry.name));
  return inputs.flatMap((entry) => readCase(entry.parentPath, entry.name, relative(folder, entry.parentPath)));
}

function readCase(folder: string, file: string, name: string): Case[] {
  const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : undefined);
  const input = readFileSync(join(folder, file));
  const expected = read("expected") ?? input;
  const report = read("report.tsv")?.toString() ?? "";
  const options = read("options.json")?.toString() ?? "{}";
  const asIs = { name, file, options, input, expected, report };
  const variants = variantsOf(input, read("variants")?.toString()).map((word) => {
    const vary = VARIANTS[word];
    if (!vary) throw new Error(`${name}: no variant ${word}`);
    const moved = word === "bom" ? moveFirstLine(report) : report;
    return { ...asIs, name: `${name} (${word})`, input: vary(input), expected: vary(expected), report: moved };
  });
  return [asIs, ...variants];
}

function variantsOf(input: Buffer, listed: string | undefined): string[] {
  if (listed !== undefined) return listed.split(/\s+/).filter((word) => word !== "");
  return input.includes("\r") || input.includes(0) ? [] : Object.keys(VARIANTS);
}

function replaceLineFeeds(text: Buffer, end: string): Buffer {
  // Latin-1 keeps every byte, whatever the encoding.
  return Buffer.from(text.toString("latin1").replaceAll("\n", end), "latin1");
}

/** Returns the report with the columns of the first line moved by a byte order mark. */
function moveFirstLine(report: string): string {
  return report.replace(/^1\t(\d+)/gm, (_, column: string) => `1\t${Number(column) + BYTE_ORDER_MARK.length}`);
}
