/** Memory is given back. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { check, fix, PolicyError, type Options } from "unstick";

// Not part of the package's interface: the test looks behind it.
const { memoryPages } = (await import(new URL("../wasm/unstick.js", import.meta.url).href)) as {
  memoryPages: () => number;
};

const service = "apiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n---\n";

test("many calls take no more memory than a few", () => {
  const text = service.repeat(100);
  const round = () => {
    fix(text);
    check(text);
    assert.throws(() => fix(text, { acton: 1 } as Options), PolicyError);
  };
  for (let count = 0; count < 3; count++) round();
  const pages = memoryPages();
  for (let count = 0; count < 30; count++) round();
  assert.equal(memoryPages(), pages);
});

test("a large text's memory is given back", () => {
  fix(service);
  const pages = memoryPages();
  const { findings } = fix(service + "# a comment\n".repeat(8_000_000));
  assert.equal(findings.length, 1);
  assert.ok(memoryPages() <= Math.max(pages, 1024), `${memoryPages()} pages`);
});
