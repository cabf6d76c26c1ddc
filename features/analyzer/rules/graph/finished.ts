/** Runs steps to their end at once, where nobody waits in between. */
export function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
