/** What is done with a Service's affinity: taken out, written as `None`, written as `ClientIP`, or left. */
export type Action = "remove" | "none" | "clientIP" | "keep";

/** The settings of one run, as in a policy file's `spec`. Everything has a default. */
export interface Options {
  /** What is done where no rule matches; `"remove"` by default. */
  action?: Action;
  /** Seconds of stickiness written with the action `"clientIP"`, 1 to 86400. */
  timeoutSeconds?: number | null;
  /** Act on an explicit `None` too. */
  includeNone?: boolean;
  /** Charts: values keys stay (the default), or go with the templates' use of them. */
  knobs?: "keep" | "strip";
  /** Custom resources that embed a Service spec are only reported (the default), or edited. */
  embedded?: "report" | "edit";
  /** A comment block above a removed key goes if it names that key and no other (the default), or stays. */
  comments?: "owned" | "keep";
  /** Globs of `name` or `namespace/name`: only these Services. All if empty. */
  only?: readonly string[];
  /** Globs of `name` or `namespace/name`: never these Services. Wins over `only`. */
  except?: readonly string[];
  /** For KRM functions; has no effect here. */
  validate?: boolean;
  /** Exceptions, the first match wins. */
  rules?: readonly PolicyRule[];
}

/** One exception. */
export interface PolicyRule {
  /** Which Services; all that is given must hold. */
  match?: Match;
  /** What is done with them. */
  action: Action;
  /** Seconds of stickiness, with the action `"clientIP"`. */
  timeoutSeconds?: number | null;
  /** Why; carried into the report. */
  reason?: string | null;
}

/** Conditions of a rule; an empty list holds always. */
export interface Match {
  /** Globs of `name`, or `namespace/name`. */
  names?: readonly string[];
  /** Globs of the namespace. */
  namespaces?: readonly string[];
  /** Labels of the object. */
  labels?: LabelSelector;
  /** Values of `spec.type`. */
  types?: readonly string[];
  /** Globs of the file's path. */
  files?: readonly string[];
}

/** Conditions on labels, as Kubernetes writes them. */
export interface LabelSelector {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly {
    key: string;
    operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
    values?: readonly string[];
  }[];
}

/** What became of a finding. */
export type Outcome = "changed" | "kept" | "refused" | "noted";

/** A Kubernetes object, as its manifest names it. */
export interface Resource {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name?: string;
}

/** One thing that was found. The words are those of the JSON report. */
export interface Finding {
  /** What it is about, such as `sticky`. */
  rule: string;
  severity: "info" | "warning" | "error";
  outcome: Outcome;
  /** One sentence: what is there, and what was done or why nothing was. */
  message: string;
  /** The way out, where there is something to do. */
  help?: string;
  /** The object, where one is known. */
  resource?: Resource;
  /** The field's path from the object's root, such as `spec.sessionAffinity`. */
  field?: string;
  /** The file's path; `<stdin>` for a text without one. */
  path: string;
  /** Zero-based number of the document in the text. */
  document: number;
  /** Where it starts: line and column from one, a column being a code point. */
  line: number;
  column: number;
  /** Where it ends, behind its last character. */
  endLine: number;
  endColumn: number;
  /** The same as UTF-16 offsets, as JavaScript's strings count. */
  start: number;
  end: number;
}

/** A stretch of the original text, in UTF-16 offsets, and what comes in its place. */
export interface Edit {
  start: number;
  end: number;
  replacement: string;
}

/** Findings by outcome, and the number of texts. */
export interface Summary {
  changed: number;
  kept: number;
  refused: number;
  noted: number;
  files: number;
}

/** What {@link check} found in a text. */
export interface CheckResult {
  /** The edits are not empty. */
  changed: boolean;
  /** A document could not be read and names affinity: do not pass the text on as if it had been handled. */
  blocked: boolean;
  /** In the order of the text. */
  findings: Finding[];
  /** In the order of the text, disjoint. */
  edits: Edit[];
  summary: Summary;
}

/** What {@link fix} made of a text. */
export interface FixResult extends CheckResult {
  /** The text with the edits made, as UTF-8; every other byte is as it was. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The same as a string; bytes that are no UTF-8 show as U+FFFD. */
  text: string;
  /** A unified diff, as `unstick diff` prints it; empty where nothing changes. */
  diff: string;
}

/** A file, in memory. */
export interface InputFile {
  /** With `/` between its parts. */
  path: string;
  bytes: Uint8Array | string;
}

/** What {@link fixFiles} made of a file. */
export interface FileResult extends Omit<FixResult, "summary"> {
  path: string;
}

/** What {@link fixFiles} made of all files, in the order given. */
export interface FilesResult {
  files: FileResult[];
  summary: Summary;
}

/** Where the WASM module comes from: its URL, a response, its bytes, or the compiled module. */
export type ModuleSource = URL | string | Response | BufferSource | WebAssembly.Module;
