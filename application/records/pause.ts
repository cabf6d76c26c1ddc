export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Polls until the condition holds, up to a maximum of attempts; returns the last result. */
export const untilSeen = async <T>(
  look: () => Promise<T>,
  isThere: (seen: T) => boolean,
  { tries, ms }: { readonly tries: number; readonly ms: number },
): Promise<T> => {
  for (let tried = 1; ; tried++) {
    const seen = await look();
    if (tried === tries || isThere(seen)) return seen;
    await pause(ms);
  }
};
