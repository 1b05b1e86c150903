export { type AuthorRange, type ChangedBy, type UserData, permanentUserData } from "./authors.js";
export { type ShownChanges, type Span, changesBetween } from "./changes.js";
export {
  type Snapshot,
  type StoringProvider,
  type VersioningEndpoints,
  type VersioningOptions,
  versioningEndpoints,
} from "./versioning.js";
