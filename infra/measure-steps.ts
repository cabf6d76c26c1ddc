import type { Event, HistoryEntry, Status } from '#domain/event/event.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { StepMeter } from '#domain/pipeline/batch.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';

const NAMES: Readonly<Record<Handled['to'], string>> = {
  acknowledged: 'faultline_acknowledge_seconds',
  resolved: 'faultline_resolve_seconds',
};

/** Returns first user actions, in entries of `events.saved`. */
export const handledOf = (entries: readonly Entry<unknown>[]): Handled[] =>
  (entries as readonly Entry<Saved>[]).flatMap(({ value }) => handledIn(value) ?? []);

/** Measured once a batch is durable, so that a failed and repeated batch is measured once. */
export const measureHandled = (metrics: Pick<Metrics, 'observe'>, handled: readonly Handled[]): void => {
  for (const { to, afterMs } of handled) metrics.observe(NAMES[to], {}, afterMs / 1_000);
};

/** Measures steps by the clock of this process. */
export const stepMeter = (metrics: Pick<Metrics, 'observe' | 'count'>): StepMeter => ({
  now: () => performance.now(),
  observe: (name, labels, value) => metrics.observe(name, labels, value),
  count: (name, labels, by) => metrics.count(name, labels, by),
});

/**
 * Measures the waiting time of a request for its receipts; `ask` receives the remaining time, ms, and is done unless
 * they are late.
 */
export async function measureReceipts<Reply extends { readonly done: boolean }>(
  metrics: Pick<Metrics, 'observe' | 'count'>,
  timeoutMs: number,
  ask: (left: () => number) => Promise<Reply>,
): Promise<Reply> {
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  let isDone = true;
  try {
    const reply = await ask(() => timeoutMs - elapsed());
    isDone = reply.done;
    return reply;
  } finally {
    if (!isDone || elapsed() >= timeoutMs) metrics.count('faultline_receipts_late_total');
    metrics.observe('faultline_receipt_seconds', {}, elapsed() / 1000);
  }
}

/** States that show that a user handled the event. */
const HANDLED = ['acknowledged', 'resolved'] as const satisfies readonly Status[];
type HandledStatus = (typeof HANDLED)[number];

export interface Handled {
  readonly to: HandledStatus;
  /** Time since the start of the problem, ms. */
  readonly afterMs: number;
}

const moves = ({ from, to }: HistoryEntry): boolean => from !== null && from !== to;

const first = (event: Event, to: HandledStatus): HistoryEntry | null => {
  const newest = event.history.findLast(moves);
  if (newest?.to !== to || newest.by === null) return null;
  const earlier = event.history.some((entry) => entry !== newest && moves(entry) && entry.to === to && entry.by);
  return earlier ? null : newest;
};

/**
 * Returns the first acknowledgment or resolution of the event by a user; null for any other change, and for repeated
 * ones.
 */
export const handledIn = (saved: Saved): Handled | null => {
  if (saved.happened !== 'changed' || saved.previousStatus === undefined) return null;
  const { event } = saved;
  const to = HANDLED.find((status) => status === event.status);
  const entry = to === undefined ? null : first(event, to);
  if (to === undefined || entry === null) return null;
  return { to, afterMs: Math.max(0, entry.at - (event.problemSince ?? event.firstOccurrence)) };
};
