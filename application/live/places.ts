import type { Caller } from '#domain/access/caller.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Streams that are open at a time in one process: of a user, and of all. */
const MOST_OF_USER = 20;
const MOST_OF_PROCESS = 500;
/** Seconds. */
const RETRY_AFTER = 10;

/** Takes a place among the open streams; the result gives it back. Throws Fault `rate-limited` and `unavailable`. */
export const takePlace = (
  { memory: { liveStreams }, metrics }: Pick<Ports, 'memory' | 'metrics'>,
  { tenant, id }: Pick<Caller, 'tenant' | 'id'>,
): (() => void) => {
  const user = `${tenant} ${id}`;
  const own = liveStreams.get(user) ?? 0;
  let all = 0;
  for (const open of liveStreams.values()) all += open;
  if (all >= MOST_OF_PROCESS)
    throw new Fault('unavailable', `At most ${MOST_OF_PROCESS} streams of live changes may be open in a process`, [], {
      retryAfter: RETRY_AFTER,
    });
  if (own >= MOST_OF_USER)
    throw new Fault('rate-limited', `At most ${MOST_OF_USER} streams of live changes of a user may be open`, [], {
      retryAfter: RETRY_AFTER,
    });
  const set = (by: number): void => {
    const open = (liveStreams.get(user) ?? 0) + by;
    if (open > 0) liveStreams.set(user, open);
    else liveStreams.delete(user);
    metrics.gauge(
      'faultline_live_streams',
      {},
      [...liveStreams.values()].reduce((sum, one) => sum + one, 0),
    );
  };
  set(1);
  return () => set(-1);
};
