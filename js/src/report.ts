/** From the JSON report, whose places are bytes, to results whose places are UTF-16 offsets. */

import type { Edit, Finding, Resource, Summary } from "./types.js";

/** The JSON report, version 1: see `docs/json-v1.md`. */
export interface Report {
  files: ReportFile[];
  summary: Summary;
}

interface ReportFile {
  path: string;
  changed: boolean;
  blocked: boolean;
  findings: ReportFinding[];
  edits: ({ replacement: string } | { replacementBase64: string })[];
}

interface ReportFinding extends Pick<Finding, "rule" | "severity" | "outcome" | "message" | "help" | "field" | "document"> {
  resource?: Resource;
  start: Place;
  end: Place;
}

interface Place {
  line: number;
  column: number;
}

/** What the report says of one file. */
export interface FileReport {
  path: string;
  changed: boolean;
  blocked: boolean;
  findings: Finding[];
  edits: Edit[];
}

/** Reads a file's part; `offsets` holds start and end of each finding, then start and end of each edit. */
export function readFile(file: ReportFile, offsets: Uint32Array): FileReport {
  const { path, changed, blocked } = file;
  const offset = (index: number) => offsets[index] ?? 0;
  const findings = file.findings.map((finding, index) => readFinding(finding, path, offset(2 * index), offset(2 * index + 1)));
  const first = 2 * findings.length;
  const edits = file.edits.map((edit, index) => ({
    start: offset(first + 2 * index),
    end: offset(first + 2 * index + 1),
    replacement: "replacement" in edit ? edit.replacement : decodeBase64(edit.replacementBase64),
  }));
  return { path, changed, blocked, findings, edits };
}

function readFinding(finding: ReportFinding, path: string, start: number, end: number): Finding {
  const { rule, severity, outcome, message, help, resource, field, document } = finding;
  return {
    rule,
    severity,
    outcome,
    message,
    ...(help !== undefined && { help }),
    ...(resource !== undefined && { resource }),
    ...(field !== undefined && { field }),
    path,
    document,
    line: finding.start.line,
    column: finding.start.column,
    endLine: finding.end.line,
    endColumn: finding.end.column,
    start,
    end,
  };
}

function decodeBase64(text: string): string {
  return decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

/** Returns bytes as a string, a byte order mark included; bytes that are no UTF-8 become U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Returns `text` with the edits made: code units outside them stay, lone surrogates too. */
export function splice(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, replacement } of edits) {
    parts.push(text.slice(copied, start), replacement);
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}
