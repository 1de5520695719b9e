/** What went wrong: for programs. */
export type ErrorCode = "policy" | "input" | "not-ready" | "load" | "internal";

/** Anything that unstick throws. */
export class UnstickError extends Error {
  readonly code: ErrorCode;
  /** Line, from one, where the fault has a place. */
  declare readonly line?: number;
  /** Column, from one, in UTF-16 code units, where the fault has a place. */
  declare readonly column?: number;

  constructor(code: ErrorCode, message: string, details: { line?: number; column?: number; cause?: unknown } = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.line !== undefined) this.line = details.line;
    if (details.column !== undefined) this.column = details.column;
  }
}

/** The options cannot be read or make no sense; `line` and `column` are places in `policy`. */
export class PolicyError extends UnstickError {
  override readonly name = "PolicyError";
  /** The text that was read: options as indented JSON, or the policy document that was given. */
  readonly policy: string;

  constructor(message: string, policy: string, place: { line: number; column: number }) {
    super("policy", message, place);
    this.policy = policy;
  }
}

/** An argument is of the wrong type. */
export class InputError extends UnstickError {
  override readonly name = "InputError";

  constructor(message: string) {
    super("input", message);
  }
}

/** A function was called before `init()` had settled. */
export class NotReadyError extends UnstickError {
  override readonly name = "NotReadyError";

  constructor() {
    super("not-ready", "unstick is not loaded yet: await init() first");
  }
}

/** The WASM module cannot be loaded. */
export class LoadError extends UnstickError {
  override readonly name = "LoadError";

  constructor(cause: unknown) {
    super("load", `the WASM module cannot be loaded: ${wordsOf(cause)}`, { cause });
  }
}

/** A fault of unstick itself, or memory ran out. The next call works on a fresh instance. */
export class InternalError extends UnstickError {
  override readonly name = "InternalError";

  constructor(cause: unknown) {
    const advice = "the next call works again; please report this with the input";
    super("internal", `unstick failed or ran out of memory (${wordsOf(cause)}): ${advice}`, { cause });
  }
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
