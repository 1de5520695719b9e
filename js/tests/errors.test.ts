/** What is thrown, and that the next call works all the same. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  check,
  fix,
  fixFiles,
  init,
  InputError,
  InternalError,
  PolicyError,
  reportFiles,
  UnstickError,
  version,
  type Options,
} from "unstick";

const service = "apiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n";
const clean = "apiVersion: v1\nkind: Service\nspec: {}\n";

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
}

test("a wrong setting has a place in the options' own text", () => {
  const error = thrown(() => fix(service, { only: ["😀"], acton: "none" } as Options));
  assert.ok(error instanceof PolicyError && error instanceof UnstickError && error instanceof Error);
  assert.equal(error.name, "PolicyError");
  assert.equal(error.code, "policy");
  assert.equal(error.message, "there is no field acton; did you mean action?");
  assert.equal(error.policy.split("\n")[(error.line ?? 0) - 1]?.slice((error.column ?? 0) - 1), '"acton": "none"');
});

test("every function refuses a wrong policy", () => {
  const wrong: (Options | string)[] = [
    { action: "delete" } as unknown as Options,
    { timeoutSeconds: 5 },
    { action: "clientIP", timeoutSeconds: 86401 },
    { rules: [{ action: "none", match: { nams: [] } }] } as unknown as Options,
    [] as unknown as Options,
    "action: none\n",
    "kind: [",
    "",
  ];
  for (const options of wrong) {
    for (const act of [fix, check]) assert.ok(thrown(() => act(service, options)) instanceof PolicyError);
    for (const act of [fixFiles, reportFiles]) assert.ok(thrown(() => act([], options)) instanceof PolicyError);
  }
});

test("options may be a policy document, YAML or JSON", () => {
  const spec = "spec: {action: none}\n";
  const document = `apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\n${spec}`;
  assert.equal(fix(service, document).text, fix(service, { action: "none" }).text);
  const error = thrown(() => fix(service, document.replace("none", "nun")));
  assert.ok(error instanceof PolicyError);
  assert.deepEqual([error.line, error.column], [3, 16]);
});

test("settings that are undefined are as if they were not there", () => {
  const options = { action: undefined, only: undefined } as unknown as Options;
  assert.equal(fix(service, options).text, clean);
});

test("arguments of the wrong type are told apart", () => {
  const wrong = [
    () => fix(5 as unknown as string),
    () => fix(new ArrayBuffer(8) as unknown as Uint8Array),
    () => check(null as unknown as string),
    () => fixFiles("a.yaml" as unknown as []),
    () => fixFiles([{ bytes: service } as unknown as { path: string; bytes: string }]),
    () => fixFiles([{ path: "a.yaml", bytes: 5 as unknown as string }]),
    () => reportFiles([null as unknown as { path: string; bytes: string }]),
    () => fix(service, null as unknown as Options),
    () => fix(service, 5 as unknown as Options),
    () => fix(service, {}, 5 as unknown as string),
  ];
  for (const act of wrong) {
    const error = thrown(act);
    assert.ok(error instanceof InputError, String(error));
    assert.equal(error.code, "input");
  }
  assert.equal(fix(service).text, clean);
});

test("a text that cannot be read is a finding, not an error", () => {
  const { blocked, findings, bytes, changed } = fix("a: [ # sessionAffinity\n");
  assert.deepEqual([blocked, changed, findings[0]?.outcome], [true, false, "refused"]);
  assert.equal(Buffer.from(bytes).toString(), "a: [ # sessionAffinity\n");
});

test("a trap throws, and leaves a fresh instance behind", () => {
  // Two of them are more than the module can address: the allocation fails, which is a trap.
  const bytes = new Uint8Array(2 ** 31 - 1);
  const error = thrown(() => fixFiles([{ path: "a", bytes }, { path: "b", bytes }]));
  assert.ok(error instanceof InternalError, String(error));
  assert.equal(error.code, "internal");
  assert.ok(error.cause instanceof Error);
  for (let round = 0; round < 3; round++) assert.equal(fix(service).text, clean);
});

test("Node needs no init, and takes one", async () => {
  assert.match(version(), /^\d+\.\d+\.\d+/);
  await init();
  await init(new URL("nowhere.wasm", import.meta.url));
  assert.equal(fix(service).text, clean);
});
