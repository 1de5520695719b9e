/** Every case folder gives the bytes and the report that stand in it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fix, fixFiles, reportFiles, type Options } from "unstick";

import { readCases, type Case } from "./support/cases.js";

const cases = readCases();

test("there are cases, and all variants", () => {
  for (const [variant, least] of [["", 500], ["(crlf)", 100], ["(cr)", 100], ["(bom)", 100]] as const) {
    const found = cases.filter(({ name }) => name.endsWith(variant)).length;
    assert.ok(found > least, `only ${found} cases ${variant}`);
  }
});

test("each case gives its bytes", () => {
  const failed = cases.filter((one) => {
    const { bytes } = fix(one.input, JSON.parse(one.options) as Options, one.file);
    return !one.expected.equals(bytes);
  });
  assert.deepEqual(failed.map(({ name }) => name), []);
});

test("each case gives its report", () => {
  for (const one of cases) assert.equal(reportOf(one), one.report, one.name);
});

test("each case's edits make its text, in UTF-16 offsets", () => {
  const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  for (const { name, input, file, options } of cases) {
    const source = decode(input);
    const result = fix(input, JSON.parse(options) as Options, file);
    let text = source;
    for (const { start, end, replacement } of result.edits.toReversed()) {
      text = text.slice(0, start) + replacement + text.slice(end);
    }
    assert.equal(text, result.text, name);
    assert.equal(result.text, decode(result.bytes), name);
    assert.equal(result.changed, result.edits.length > 0, name);
  }
});

test("a string gives what its bytes give", () => {
  for (const { name, input, file, options } of cases) {
    const text = input.toString("utf8");
    if (!Buffer.from(text).equals(input)) continue;
    const policy = JSON.parse(options) as Options;
    assert.deepEqual(fix(text, policy, file), fix(input, policy, file), name);
    const { summary, ...file1 } = fix(text, policy, file);
    assert.deepEqual(fixFiles([{ path: file, bytes: text }], policy), { files: [{ path: file, ...file1 }], summary });
  }
});

/** Returns the lines of `report.tsv`, with columns counted in bytes here. */
function reportOf({ input, file, options }: Case): string {
  const report = JSON.parse(reportFiles([{ path: file, bytes: input }], JSON.parse(options) as Options)) as {
    files: { findings: { rule: string; outcome: string; span: { start: number } }[] }[];
  };
  const findings = report.files.flatMap((file) => file.findings);
  return findings.map(({ rule, outcome, span }) => `${placeOf(input, span.start)}\t${rule}\t${outcome}\n`).join("");
}

function placeOf(text: Buffer, offset: number): string {
  const lines = text.toString("latin1", 0, offset).split(/\r\n|\n|\r(?!$)/);
  const last = lines.at(-1) ?? "";
  // A CR at the end of what stands before the place ends a line, unless its LF is still to come.
  if (last.endsWith("\r") && text[offset] !== 0x0a) return `${lines.length + 1}\t1`;
  return `${lines.length}\t${last.length + 1}`;
}
