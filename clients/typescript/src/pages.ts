/** What most lists reply. */
interface Page {
  data?: unknown;
  nextPageToken?: string | null;
  pageToken?: string | null;
}

/** All pages, from the requested one to the last. */
export async function* pages<Result extends object>(
  get: (page: object) => Promise<Result>,
  member = "pageToken",
  following = (result: Result): string | null | undefined => (result as Page).nextPageToken ?? (result as Page).pageToken,
): AsyncGenerator<Result, void> {
  let token: string | null | undefined;
  do {
    const result = await get(token ? { [member]: token } : {});
    yield result;
    token = following(result);
  } while (token);
}

/** All items of pages that are lists. */
export async function* items<Result extends object, Item>(
  results: AsyncIterable<Result>,
  list = (result: Result): unknown => (result as Page).data,
): AsyncGenerator<Item, void> {
  for await (const result of results) {
    const found = list(result);
    if (!Array.isArray(found)) throw new TypeError("Use pages of a grouped reply.");
    for (const item of found as readonly (Item | null)[]) if (item !== null) yield item;
  }
}
