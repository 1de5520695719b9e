/** What every entry offers. */

import { InputError, PolicyError } from "./errors.js";
import { Batch, moduleVersion, PolicyFault, run } from "./instance.js";
import { decode, readFile, splice, type Report } from "./report.js";
import type { CheckResult, FileResult, FilesResult, FixResult, InputFile, Options } from "./types.js";

/** A text as it came in. */
interface Text {
  path: string | undefined;
  input: string | Uint8Array;
}

/**
 * Finds affinity in a text, makes the edits, and tells of both.
 *
 * `options` are a policy's settings, or the text of a whole policy document. `path` is what rules with `files` and the
 * reports take for the text's path.
 *
 * @throws {PolicyError} where the options cannot be read or make no sense
 */
export function fix(input: string | Uint8Array, options: Options | string = {}, path?: string): FixResult {
  const given = text(input, path);
  return withBatch(options, [given], (batch, report) => {
    const { path: _, ...result } = fixed(batch, given, report, 0);
    return { ...result, summary: report.summary };
  });
}

/**
 * Finds affinity in a text and tells what {@link fix} would do.
 *
 * @throws {PolicyError} where the options cannot be read or make no sense
 */
export function check(input: string | Uint8Array, options: Options | string = {}, path?: string): CheckResult {
  return withBatch(options, [text(input, path)], (batch, report) => {
    const { changed, blocked, findings, edits } = readFile(file(report, 0), batch.offsets(0));
    return { changed, blocked, findings, edits, summary: report.summary };
  });
}

/**
 * Works on files together, such as those of a chart.
 *
 * @throws {PolicyError} where the options cannot be read or make no sense
 */
export function fixFiles(files: readonly InputFile[], options: Options | string = {}): FilesResult {
  const given = texts(files);
  return withBatch(options, given, (batch, report) => ({
    files: given.map((text, index) => fixed(batch, text, report, index)),
    summary: report.summary,
  }));
}

/**
 * Returns the JSON report of files, byte for byte as `unstick check --format json` writes it; its places are bytes.
 *
 * @throws {PolicyError} where the options cannot be read or make no sense
 */
export function reportFiles(files: readonly InputFile[], options: Options | string = {}): string {
  const given = texts(files);
  return run(() => {
    const batch = plan(options, given);
    const report = batch.report(false);
    batch.free();
    return report;
  });
}

/** Returns the version of unstick. */
export function version(): string {
  return run(moduleVersion);
}

function fixed(batch: Batch, { input }: Text, report: Report, index: number): FileResult {
  const { path, changed, blocked, findings, edits } = readFile(file(report, index), batch.offsets(index));
  const bytes = batch.bytes(index);
  const text = typeof input === "string" ? splice(input, edits) : decode(bytes);
  const diff = decode(batch.diff(index));
  return { path, bytes, text, changed, blocked, findings, edits, diff };
}

function withBatch<T>(options: Options | string, texts: Text[], answer: (batch: Batch, report: Report) => T): T {
  return run(() => {
    const batch = plan(options, texts);
    const report = JSON.parse(batch.report(true)) as Report;
    const result = answer(batch, report);
    batch.free();
    return result;
  });
}

function plan(options: Options | string, texts: Text[]): Batch {
  const batch = open(options);
  for (const { path, input } of texts) {
    batch.add(path, typeof input === "string" ? new TextEncoder().encode(input) : input);
  }
  batch.plan();
  return batch;
}

function open(options: Options | string): Batch {
  // Callers may have no type checker.
  const given: unknown = options;
  if (given === null || !["object", "string"].includes(typeof given)) {
    throw new InputError("the options must be an object, or the text of a policy document");
  }
  const policy = typeof options === "string" ? options : JSON.stringify(options, null, 2);
  try {
    return typeof options === "string" ? Batch.withPolicy(policy) : Batch.withOptions(policy);
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    const { message, line, column } = error;
    error.free();
    throw new PolicyError(message, policy, { line, column });
  }
}

function file(report: Report, index: number): Report["files"][number] {
  const file = report.files[index];
  if (!file) throw new Error("the report lacks a file");
  return file;
}

function texts(files: readonly InputFile[]): Text[] {
  if (!Array.isArray(files)) throw new InputError("the files must be an array");
  return files.map((file: Partial<InputFile> | null, index) => {
    if (typeof file?.path !== "string") throw new InputError(`file ${index} has no path`);
    return text(file.bytes, file.path);
  });
}

function text(input: unknown, path: unknown): Text {
  if (path !== undefined && typeof path !== "string") throw new InputError("the path must be a string");
  if (typeof input !== "string" && !(input instanceof Uint8Array)) {
    throw new InputError(`the input${path === undefined ? "" : ` of ${path}`} must be a string or a Uint8Array`);
  }
  return { path, input };
}
