/** The names that all entries share. */

export { check, fix, fixFiles, reportFiles, version } from "./api.js";
export { InputError, InternalError, LoadError, NotReadyError, PolicyError, UnstickError, type ErrorCode } from "./errors.js";
export type * from "./types.js";
