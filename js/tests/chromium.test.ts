/** Chromium answers as Node does, byte for byte, with no bundler between. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser } from "playwright-core";
import * as unstick from "unstick";

import { answer } from "./support/answer.js";
import { launch, open } from "./support/chromium.js";
import { js } from "./support/folders.js";
import { differences, readJobs } from "./support/jobs.js";
import { serve } from "./support/server.js";

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const blank = '<!doctype html><html lang="en"><title>unstick</title><link rel="icon" href="data:,">';

for (const entry of ["browser", "inline"]) {
  test(`the entry for ${entry} loads, works and tells faults apart`, async (context) => {
    const server = await serve(js, { "/": blank });
    context.after(() => server.close());
    const { page, faults } = await open(browser, `${server.origin}/`);
    const told = await page.evaluate(async (entry) => {
      const module = (await import(entry)) as typeof unstick;
      const { check, fix, init, UnstickError, version } = module;
      const codes: unknown[] = [];
      const note = (error: unknown) => codes.push(error instanceof UnstickError && error.code);
      try {
        version();
      } catch (error) {
        note(error);
      }
      await init("/nowhere.wasm").catch(note);
      await Promise.all([init(), init()]);
      const source = "# é😀\napiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n";
      try {
        fix(source, { acton: 1 } as unstick.Options);
      } catch (error) {
        note(error);
      }
      return { codes, fixed: fix(source), checked: check(source) };
    }, `/dist/${entry}.js`);
    assert.deepEqual(told.codes, ["not-ready", "load", "policy"]);
    const source = "# é😀\napiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n";
    const { bytes: _, ...fixed } = unstick.fix(source);
    const { bytes: __, ...toldFixed } = told.fixed;
    assert.deepEqual(toldFixed, fixed);
    assert.deepEqual(told.checked, unstick.check(source));
    const wasm = server.asked.filter((path) => path.endsWith("_bg.wasm"));
    assert.deepEqual(wasm, entry === "browser" ? ["/wasm/unstick_bg.wasm"] : []);
    // The page asked for one file that is not there.
    assert.ok(faults.length <= 1 && faults.every((fault) => fault.includes("404")), faults.join("\n"));
  });
}

test("Chromium and Node answer alike", async (context) => {
  const jobs = readJobs();
  const all = [...jobs.cases, ...jobs.corpus];
  const answers: string[] = [];
  const server = await serve(js, {
    "/": blank,
    "/jobs": all.map(({ line }) => line).join("\n"),
    "/answers": (lines) => {
      answers.push(...lines.split("\n"));
      return "";
    },
  });
  context.after(() => server.close());
  const { page, faults } = await open(browser, `${server.origin}/`);
  await page.evaluate(async () => {
    // Named in variables, since the type checker looks for modules that stand in the text.
    const [entry, helper] = ["/dist/browser.js", "/build/support/answer.js"];
    const package_ = (await import(entry)) as typeof unstick;
    const { answer } = (await import(helper)) as typeof import("./support/answer.js");
    await package_.init();
    const lines = (await (await fetch("/jobs")).text()).split("\n");
    for (let at = 0; at < lines.length; at += 50) {
      const body = lines.slice(at, at + 50).map((line) => answer(package_, line)).join("\n");
      // Read to its end, else the request counts as broken off.
      await (await fetch("/answers", { method: "POST", body })).text();
    }
  });
  assert.equal(answers.length, all.length);
  const node = all.map(({ line }) => answer(unstick, line));
  assert.deepEqual(differences(all, node, answers), []);
  assert.deepEqual(faults, []);
  context.diagnostic(`${jobs.cases.length} cases and ${jobs.corpus.length} jobs of the corpus`);
});

test("a worker can use it", async (context) => {
  const worker = `
    import { fix, init } from "/dist/browser.js";
    await init();
    onmessage = ({ data }) => postMessage(fix(data));
    postMessage("ready");
  `;
  const server = await serve(js, { "/": blank, "/worker.js": worker });
  context.after(() => server.close());
  const { page, faults } = await open(browser, `${server.origin}/`);
  const text = await page.evaluate(async () => {
    const worker = new Worker("/worker.js", { type: "module" });
    const next = () =>
      new Promise<MessageEvent>((resolve, reject) => {
        worker.onmessage = resolve;
        worker.onerror = () => reject(new Error("the worker failed"));
      });
    await next();
    worker.postMessage("apiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n");
    return ((await next()).data as unstick.FixResult).text;
  });
  assert.equal(text, "apiVersion: v1\nkind: Service\nspec: {}\n");
  assert.deepEqual(faults, []);
});
