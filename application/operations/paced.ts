import { pause } from '#application/records/pause.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { OpenSink } from '#domain/ports/sink.ts';
import { hasRoom, restMs } from './rest.ts';

/** Time after which merge has decided if an event is in a group, and related events have arrived. */
export const DECIDED_MS = 2_000;

/** Maximum of one pause: it delays the end of a process. */
const MAX_REST_MS = 4_000;

/** Time when all background work has paused enough, ms of the monotonic clock. */
interface Pace {
  freeAt: number;
}
const PACE: MemorySlot<Pace> = { name: 'pace', open: () => ({ freeAt: 0 }) };

export interface PacedWork {
  /** Duration of the step. */
  readonly tookMs: number;
  /** True while new events wait for the pipeline, however idle this thread is. */
  readonly isPipelineLate?: boolean;
  mayStop(): boolean;
}

/**
 * Pauses after a step of background work: as long as its duration, and longer while the thread is busy or new
 * events wait, so that all such work together uses a fifth of a core.
 */
export const restAfter = async (
  { clock, memory }: Pick<Ports, 'clock' | 'memory'>,
  { tookMs, isPipelineLate = false, mayStop }: PacedWork,
): Promise<void> => {
  if (mayStop()) return;
  const busy = clock.busy();
  const since = clock.steady();
  await pause(Math.min(MAX_REST_MS, restMs(tookMs, 'room')));
  if ((!isPipelineLate && hasRoom(busy())) || mayStop()) return;
  const pace = memory.of(PACE);
  const freeAt = Math.max(since, pace.freeAt) + restMs(tookMs, 'busy');
  pace.freeAt = Math.min(freeAt, since + MAX_REST_MS);
  await pause(Math.max(0, pace.freeAt - clock.steady()));
};

/** Consumes batches, and pauses after each with more waiting, behind it or for the pipeline. */
export const paced = (take: OpenSink['take'], ports: Pick<Ports, 'clock' | 'memory'>): OpenSink => ({
  async take(batch, about) {
    const since = ports.clock.steady();
    await take(batch, about);
    const { lag, isPipelineLate = false, signal } = about;
    if (lag === 0 && !isPipelineLate) return;
    await restAfter(ports, { tookMs: ports.clock.steady() - since, isPipelineLate, mayStop: () => signal.aborted });
  },
});
