/** Places are UTF-16 offsets, whatever stands before them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { check, fix } from "unstick";

const service = "apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: ClientIP\n  ports: []\n";
const key = "sessionAffinity: ClientIP";

/** Texts that stand before a Service; JavaScript counts each character of them as one unit or two. */
const before = {
  "one byte, one unit": "# plain\n",
  "two bytes, one unit": "# äöü ß\n",
  "three bytes, one unit": "# 負荷分散 €\n",
  "four bytes, two units": "# 😀🚀 𝒳\n",
  "joined and combined": "# 👩‍👩‍👧‍👦 e\u0301\n",
  "a byte order mark": "\uFEFF# text\n",
  "CRLF": "# é\r\n# 😀\r\n",
  "lone CR": "# é\r# 😀\r",
};

for (const [name, prefix] of Object.entries(before)) {
  test(`offsets after ${name}`, () => {
    const source = prefix + service;
    const [finding] = check(source).findings;
    assert.ok(finding);
    assert.equal(source.slice(finding.start, finding.end), key);
    assert.equal(finding.line, source.slice(0, finding.start).split(/\r\n|\r|\n/).length);
    assert.equal(finding.column, 3);
    assert.equal(finding.endColumn, 3 + key.length);
    const { edits, text } = fix(source);
    const [edit] = edits;
    assert.ok(edit);
    assert.equal(source.slice(edit.start, edit.end), `  ${key}\n`);
    assert.equal(text, source.replace(`  ${key}\n`, ""));
  });
}

test("columns are code points, offsets are units", () => {
  const source = 'apiVersion: v1\nkind: Service\nspec: {externalName: "é😀", sessionAffinity: ClientIP}\n';
  const [finding] = check(source).findings;
  assert.ok(finding);
  const before = source.slice(source.lastIndexOf("spec"), finding.start);
  assert.equal(source.slice(finding.start, finding.end), key);
  assert.equal(finding.column, 1 + Array.from(before).length);
  assert.equal(before.length, Array.from(before).length + 1);
});

test("bytes that are no UTF-8 count as the decoder shows them", () => {
  for (const broken of ["ff", "f09f98", "c3 28", "eda080", "e28228", "f4908080"]) {
    const comment = Buffer.from(`2320${broken.replaceAll(" ", "")}0a`, "hex");
    const bytes = Buffer.concat([comment, Buffer.from(service)]);
    const source = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const result = fix(bytes);
    const [finding] = result.findings;
    assert.ok(finding, broken);
    assert.equal(source.slice(finding.start, finding.end), key, broken);
    const wanted = Buffer.concat([comment, Buffer.from(service.replace(`  ${key}\n`, ""))]);
    assert.ok(wanted.equals(result.bytes), broken);
  }
});

test("lone surrogates of a string stay as they are", () => {
  const source = `# \ud83d and \ude00\n${service}# \ud800`;
  const { text, findings } = fix(source);
  assert.equal(text, source.replace(`  ${key}\n`, ""));
  assert.equal(source.slice(findings[0]?.start, findings[0]?.end), key);
});
