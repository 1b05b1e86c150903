import type { ErrorIssue, ErrorStatus } from "./generated/types.js";

/** Everything that a call of a client throws, except what is wrong with the program itself. */
export abstract class RoundtableError extends Error {
  /** The operation, such as `comments.add`. */
  readonly operation: string;

  constructor(operation: string, message: string, cause?: unknown) {
    super(`${operation}: ${message}`, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.operation = operation;
  }
}

/** What the service or the gateway before it said of a call that failed. */
export interface Failure {
  /** HTTP status. */
  status: number;
  /** Why it failed; `UNKNOWN` where something before the service answered. */
  code: ErrorStatus | "UNKNOWN";
  /** One sentence for people. */
  text: string;
  /** Which members of the request are wrong, with INVALID_ARGUMENT. */
  issues: ErrorIssue[];
  /** What else the operation says of the failure, such as rights with NOT_FOUND of permissions. */
  details: unknown;
  /** Names the call in the logs of the service. */
  requestId: string | undefined;
  /** How long the service asks to be left alone, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** The service refused a call, or failed. */
export class ApiError extends RoundtableError implements Failure {
  readonly status: number;
  readonly code: ErrorStatus | "UNKNOWN";
  readonly text: string;
  readonly issues: ErrorIssue[];
  readonly details: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(operation: string, failure: Failure) {
    const request = failure.requestId ? ` (request ${failure.requestId})` : "";
    super(operation, `${failure.code}: ${failure.text}${request}`);
    this.status = failure.status;
    this.code = failure.code;
    this.text = failure.text;
    this.issues = failure.issues;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** No reply came, or not all of it: the call may have been made. `cause` says more. */
export class NetworkError extends RoundtableError {}

/** The time for the call was over before a reply came: the call may have been made. */
export class DeadlineError extends RoundtableError {}
