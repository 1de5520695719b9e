/** The one WASM instance of the page or process. */

import load, { Batch, PolicyFault, __wbg_reset_state, initSync, memoryPages } from "../wasm/unstick.js";

import { InternalError, LoadError, NotReadyError, UnstickError } from "./errors.js";
import type { ModuleSource } from "./types.js";

export { Batch, PolicyFault };
export { version as moduleVersion } from "../wasm/unstick.js";

/** 64 KiB each. The memory of an instance never shrinks: one that grew beyond this is thrown away after the call. */
const MOST_PAGES_KEPT = 1024;

let isStarted = false;
/** The instance met a fault: it must not be used again. */
let isSpent = false;
let loading: Promise<void> | undefined;
let readAtOnce: (() => BufferSource) | undefined;

/** Says how the module is loaded at the first call, where the host can do that without waiting. */
export function loadAtOnceWith(read: () => BufferSource): void {
  readAtOnce = read;
}

/** Loads the module once; a load that failed may be tried again. */
export function start(source: () => ModuleSource | Promise<ModuleSource>): Promise<void> {
  if (isStarted) return Promise.resolve();
  loading ??= startWith(source).finally(() => {
    loading = undefined;
  });
  return loading;
}

async function startWith(source: () => ModuleSource | Promise<ModuleSource>): Promise<void> {
  try {
    await load({ module_or_path: await source() });
    isStarted = true;
  } catch (cause) {
    throw new LoadError(cause);
  }
}

/**
 * Runs `work`, which calls into the module, on a sound instance.
 *
 * Whatever `work` throws but our own errors spends the instance, with all that was allocated in it: `work` needs to
 * free its handles only where it succeeds.
 */
export function run<T>(work: () => T): T {
  if (!isStarted) startAtOnce();
  try {
    if (isSpent) renew();
    const result = work();
    if (memoryPages() > MOST_PAGES_KEPT) renew();
    return result;
  } catch (error) {
    if (error instanceof UnstickError) throw error;
    isSpent = true;
    throw new InternalError(error);
  }
}

function startAtOnce(): void {
  if (!readAtOnce) throw new NotReadyError();
  try {
    initSync({ module: readAtOnce() });
    isStarted = true;
  } catch (cause) {
    throw new LoadError(cause);
  }
}

function renew(): void {
  __wbg_reset_state();
  isSpent = false;
}
