export type { CallOptions, Settings } from "./call.js";
export { Roundtable } from "./client.js";
export type { Credentials } from "./credentials.js";
export { ApiError, DeadlineError, type Failure, NetworkError, RoundtableError } from "./errors.js";
export * from "./generated/types.js";
