/** The jobs that native code, Node and Chromium must answer alike. */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import type { Job } from "./answer.js";
import { readCases } from "./cases.js";
import { corpus, root } from "./folders.js";

/** A job, its name, and the line that asks for it. */
export interface NamedJob {
  name: string;
  line: string;
}

const POLICIES = ["{}", '{"action":"none","includeNone":true,"embedded":"edit","knobs":"strip"}'];

/** Makes a job of each case, and of each manifest and chart of the corpus where it is at hand. */
export function readJobs(): { cases: NamedJob[]; corpus: NamedJob[] } {
  const cases = readCases().map(({ name, file, options, input }) =>
    job(`case ${name}`, options, [{ path: file, bytes: input.toString("base64") }]),
  );
  return { cases, corpus: readCorpus() };
}

function job(name: string, options: string, files: Job["files"]): NamedJob {
  const job: Job = { options, files };
  return { name, line: JSON.stringify(job) };
}

function readCorpus(): NamedJob[] {
  const folder = corpus();
  if (folder === undefined) {
    console.error("LEFT OUT: the corpus is not at hand; UNSTICK_CORPUS names it");
    return [];
  }
  const single = ["manifests", "gold"].flatMap((part) => readFiles(join(folder, part)).map((file) => [file]));
  const charts = readdirSync(join(folder, "charts")).map((chart) => readFiles(join(folder, "charts", chart)));
  return POLICIES.flatMap((options) =>
    [...single, ...charts].map((files) => job(`${files[0]?.path ?? "nothing"} ${options}`, options, files)),
  );
}

function readFiles(folder: string): Job["files"] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return paths.map((path) => ({ path: relative(folder, path), bytes: readFileSync(path).toString("base64") }));
}

/** Returns the native library's answers. */
export function answerNatively(jobs: readonly NamedJob[], folder: string): string[] {
  const [asked, answered] = [join(folder, "jobs"), join(folder, "answers")];
  writeFileSync(asked, jobs.map(({ line }) => `${line}\n`).join(""));
  const example = ["run", "--quiet", "--locked", "--package", "unstick-web-wasm", "--example", "answers", "--"];
  execFileSync(process.env.CARGO ?? "cargo", [...example, asked, answered], { cwd: root, stdio: "inherit" });
  return readFileSync(answered, "utf8").trimEnd().split("\n");
}

/** Says in which jobs the answers differ, the first few with both answers. */
export function differences(jobs: readonly NamedJob[], wanted: readonly string[], got: readonly string[]): string[] {
  const differing = jobs.flatMap(({ name }, index) =>
    // Parsed, since JSON writers may escape differently.
    JSON.stringify(parse(wanted[index])) === JSON.stringify(parse(got[index])) ? [] : [{ name, index }],
  );
  return differing.map(({ name, index }, count) =>
    count < 3 ? `${name}\n- ${wanted[index]?.slice(0, 2000)}\n+ ${got[index]?.slice(0, 2000)}` : name,
  );
}

function parse(line: string | undefined): unknown {
  return line === undefined ? undefined : JSON.parse(line);
}
