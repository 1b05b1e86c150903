"use client";
export { RoundtableThreadStoreAuth } from "./auth.js";
export { type BlockNoteOptions, useRoundtableBlockNote } from "./hook.js";
export { RoundtableThreadStore, type ThreadStoreOptions } from "./thread_store.js";
export { userStoreOf } from "./users.js";
