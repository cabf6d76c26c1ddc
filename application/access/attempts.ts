import { Fault, type FaultExtra } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

interface AttemptLimit {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** Counts an attempt in its window. Throws Fault `rate-limited` with this message when there were too many. */
export const countAttempt = async (
  { limiter, clock }: Pick<Ports, 'limiter' | 'clock'>,
  { key, limit, windowMs }: AttemptLimit,
  message: string,
  extra: FaultExtra = {},
): Promise<void> => {
  const { allowed, resetAt } = await limiter.take(key, limit, windowMs);
  if (allowed) return;
  const retryAfter = Math.max(1, Math.ceil((resetAt - clock.now()) / 1_000));
  throw new Fault('rate-limited', message, [], { ...extra, retryAfter });
};
