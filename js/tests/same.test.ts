/** Node answers as the native library does, byte for byte. */

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";

import * as unstick from "unstick";

import { answer } from "./support/answer.js";
import { temporary } from "./support/folders.js";
import { answerNatively, differences, readJobs } from "./support/jobs.js";

test("Node and the native library answer alike", (context) => {
  const jobs = readJobs();
  const all = [...jobs.cases, ...jobs.corpus];
  assert.ok(jobs.cases.length > 500, `only ${jobs.cases.length} cases`);
  const folder = temporary();
  context.after(() => rmSync(folder, { recursive: true }));
  const native = answerNatively(all, folder);
  assert.equal(native.length, all.length);
  const node = all.map(({ line }) => answer(unstick, line));
  assert.deepEqual(differences(all, native, node), []);
  context.diagnostic(`${jobs.cases.length} cases and ${jobs.corpus.length} jobs of the corpus`);
});
