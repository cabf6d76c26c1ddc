/** Returns all items, in order. */
export async function allOf<T>(from: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of from) items.push(item);
  return items;
}

/** The same for items in pieces. */
export const allInPieces = async <T>(from: AsyncIterable<readonly T[]>): Promise<T[]> => (await allOf(from)).flat();
