/** Jobs, and what the package answers; runs in Node and in pages. */

import type { FilesResult, InputFile, Options } from "unstick";

/** Files and options; bytes are base64. */
export interface Job {
  options: string;
  files: { path: string; bytes: string }[];
}

/** Everything that comes out of a job. */
export interface Answer {
  report: string;
  files: { bytes: string; diff: string; offsets: number[] }[];
}

/** The package's functions that are compared. */
export interface Package {
  fixFiles(files: InputFile[], options: Options): FilesResult;
  reportFiles(files: InputFile[], options: Options): string;
}

/** Answers one line of a file of jobs with one line. */
export function answer(unstick: Package, line: string): string {
  const job = JSON.parse(line) as Job;
  const options = JSON.parse(job.options) as Options;
  const files = job.files.map(({ path, bytes }) => ({ path, bytes: fromBase64(bytes) }));
  const result = unstick.fixFiles(files, options);
  const answers = result.files.map(({ bytes, diff, findings, edits }) => ({
    bytes: toBase64(bytes),
    diff,
    offsets: [...findings, ...edits].flatMap(({ start, end }) => [start, end]),
  }));
  const answer: Answer = { report: unstick.reportFiles(files, options), files: answers };
  return JSON.stringify(answer);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 32_768) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  }
  return btoa(parts.join(""));
}
