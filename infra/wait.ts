export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the outcome of the work, or throws the error of `late` when it lasts longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Processes the items, a limited number at a time; a failed worker starts no further one. */
export async function inParallel<T>(
  most: number,
  items: IterableIterator<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    for (const item of items) await work(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
