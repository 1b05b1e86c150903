import type { ErrorIssue, ErrorStatus } from "./generated/types.js";

/** Codes of replies that say that there is nothing for this caller. */
export const HIDDEN = ["NOT_FOUND", "PERMISSION_DENIED"];

/** The base class of errors of calls; itself when JSON cannot hold the data of a call. */
export class RoundtableError extends Error {
  /** The operation, such as `comments.add`. */
  readonly operation: string;

  constructor(operation: string, message: string, cause?: unknown) {
    super(`${operation}: ${message}`, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.operation = operation;
  }
}

/** The error reply of the service, or of the gateway before it. */
export interface Failure {
  /** HTTP status. */
  status: number;
  /** The error status; `UNKNOWN` if something before the service replied. */
  code: ErrorStatus | "UNKNOWN";
  /** One sentence for people. */
  text: string;
  /** The invalid members of the request, with INVALID_ARGUMENT. */
  issues: ErrorIssue[];
  /** Further details of the operation, such as rights with NOT_FOUND of permissions. */
  details: unknown;
  /** Identifies the call in the logs of the service. */
  requestId: string | undefined;
  /** The delay requested by the service, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** The service refused a call, or failed. */
export class ApiError extends RoundtableError implements Failure {
  declare readonly status: number;
  declare readonly code: ErrorStatus | "UNKNOWN";
  declare readonly text: string;
  declare readonly issues: ErrorIssue[];
  declare readonly details: unknown;
  declare readonly requestId: string | undefined;
  declare readonly retryAfterMs: number | undefined;

  constructor(operation: string, failure: Failure) {
    const request = failure.requestId ? ` (request ${failure.requestId})` : "";
    super(operation, `${failure.code}: ${failure.text}${request}`);
    Object.assign(this, failure);
  }
}

/** The reply is missing or incomplete: the call may have been executed. `cause` has details. */
export class NetworkError extends RoundtableError {}

/** The time limit passed before a reply: the call may have been executed. */
export class DeadlineError extends RoundtableError {}
