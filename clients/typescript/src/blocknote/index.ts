"use client";
export { RoundtableThreadStoreAuth } from "./auth.js";
export { type BlockNoteOptions, userStoreOf, useRoundtableBlockNote } from "./hook.js";
export { RoundtableThreadStore, type ThreadStoreOptions } from "./thread_store.js";
