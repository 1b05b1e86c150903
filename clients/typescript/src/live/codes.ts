/** Close codes of ours. */
export const Code = {
  badRequest: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  notFound: 4404,
  /** The editor was deleted. */
  gone: 4410,
  /** Nothing came for too long; the client closes with it. */
  silent: 4508,
  tooLarge: 4413,
  rollOver: 4510,
  unavailable: 4503,
  tooMany: 4529,
} as const;

/** Whether the service refuses the token. */
export function isOfToken(code: number): boolean {
  return code === Code.unauthorized || code === Code.forbidden;
}

/** Whether connecting again cannot help: codes 4400 to 4499. */
export function isPermanent(code: number): boolean {
  return code >= 4400 && code < 4500;
}
