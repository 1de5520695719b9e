/** The names that all entries share. */

export { check, fix, fixFiles, reportFiles } from "./api.js";
export { InputError, InternalError, LoadError, NotReadyError, PolicyError, UnstickError, type ErrorCode } from "./errors.js";
export { version } from "./instance.js";
export type * from "./types.js";
