/** Resolves when the condition holds; throws when it does not within ten seconds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 5_000) throw new Error('the condition was not met in time');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
