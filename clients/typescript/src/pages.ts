/** All pages, from the requested one to the last. */
export async function* pages<Result>(
  get: (page: object) => Promise<Result>,
  member: string,
  following: (result: Result) => string | null | undefined,
): AsyncGenerator<Result, void> {
  let token: string | null | undefined;
  do {
    const result = await get(token ? { [member]: token } : {});
    yield result;
    token = following(result);
  } while (token);
}

/** All items of pages that are lists. */
export async function* items<Result, Item>(
  results: AsyncIterable<Result>,
  list: (result: Result) => readonly (Item | null)[] | object,
): AsyncGenerator<Item, void> {
  for await (const result of results) {
    const found = list(result);
    if (!Array.isArray(found)) throw new TypeError("The reply is grouped: use pages.");
    for (const item of found as readonly (Item | null)[]) if (item !== null) yield item;
  }
}
