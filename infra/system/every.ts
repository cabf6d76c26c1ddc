/**
 * Runs `work` every `periodMs`, never twice at once: a turn that comes while one is running is left out. Does not keep
 * the process alive. Returns the stop, which resolves when the last run is over.
 */
export const every = (
  periodMs: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    await work().catch(failed);
    running = null;
  };
  const timer = setInterval(() => {
    running ??= run();
  }, periodMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
};
