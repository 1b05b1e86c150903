import { ApiError, RoundtableError } from "../errors.js";
import { isTransient } from "../retry.js";

/** The service answered, and did not make the change. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** Whether to send a change again is in vain: everything else may be the network, or a server that is away. */
export function isRefusal(error: unknown): error is Error {
  return isFinal(error) && !isForeign(error);
}

/** The reply of something before the service, such as the page of a hotel's network; too large is too large. */
function isForeign(error: Error): boolean {
  return error instanceof ApiError && error.code === "UNKNOWN" && error.status !== 413;
}

/** Whether to read again is in vain. What is wrong with the network or an address is told as well. */
export function isFinal(error: unknown): error is Error {
  if (error instanceof RefusedError) return true;
  if (error instanceof ApiError) return !isTransient(error);
  // JSON cannot hold its data.
  return error instanceof RoundtableError && error.constructor === RoundtableError;
}
