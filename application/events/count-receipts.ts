import type { Receipt } from '#domain/event/incoming.ts';
import { maintainedCi } from '#domain/event/silences/silence-rule.ts';
import { Fault } from '#domain/fault.ts';
import { itemAt } from '#domain/known.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { sourceNamed } from '#schemas/sources/sources.ts';
import type { EventAction } from './event-action.ts';

export type Accepted = Extract<Receipt, { ok: true }>;

/** The receipt when the record was taken, else the fault it stands for. */
export const accepted = (receipt: Receipt): Accepted => {
  if (receipt.ok) return receipt;
  throw new Fault(receipt.fault, receipt.message, [], receipt.data === undefined ? {} : { data: receipt.data });
};

type Measuring = Pick<Ports, 'metrics' | 'memory'>;

const sourceOf = (action: EventAction): string => (action.action === 'open' ? action.draft.source : action.source);

/** Monitors by name, all else as one: any client may think of a source. */
const labelOf = (source: string): string => sourceNamed(source)?.name ?? 'other';

const isSkewed = (receipt: Receipt | null): boolean => receipt?.ok === true && receipt.skewed === true;

/** How many occurrences of each source had a time that cannot be believed. */
const countSkewed = (
  metrics: Metrics,
  actions: readonly EventAction[],
  receipts: readonly (Receipt | null)[],
): void => {
  if (!receipts.some(isSkewed)) return;
  for (const [index, receipt] of receipts.entries())
    if (isSkewed(receipt))
      metrics.count('faultline_clock_skew_total', { source: labelOf(sourceOf(itemAt(actions, index))) });
};

const outcomeOf = (receipt: Receipt | null | undefined): string =>
  receipt ? (receipt.ok ? receipt.outcome : 'failed') : 'queued';

/** How many occurrences silences and maintenance have suppressed. */
const countSuppressed = (metrics: Metrics, receipts: readonly (Receipt | null)[]): void => {
  const counts = { silence: 0, maintenance: 0 };
  for (const receipt of receipts) {
    if (!receipt?.ok || receipt.suppressedBy === undefined) continue;
    counts[maintainedCi(receipt.suppressedBy) === null ? 'silence' : 'maintenance'] += 1;
  }
  for (const [by, count] of Object.entries(counts))
    if (count > 0) metrics.count('faultline_events_suppressed_total', { by }, count);
};

/** How many actions of each source had each outcome. */
const tally = (actions: readonly EventAction[], receipts: readonly (Receipt | null)[]) => {
  const counts = new Map<string, Map<string, number>>();
  for (const [index, action] of actions.entries()) {
    const source = sourceOf(action);
    const outcome = outcomeOf(receipts[index]);
    const ofSource = counts.get(source) ?? new Map<string, number>();
    counts.set(source, ofSource.set(outcome, (ofSource.get(outcome) ?? 0) + 1));
  }
  return counts;
};

/** Most requests bring nothing new. */
const noteLast = ({ metrics, memory: { lastSeconds } }: Measuring, source: string, now: number): void => {
  const second = Math.floor(now / 1000);
  if (lastSeconds.get(source) === second) return;
  lastSeconds.set(source, second);
  metrics.gauge('faultline_source_last_event_timestamp_seconds', { source }, second);
};

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/** Counts what became of the actions of one request; one measurement per source and outcome, not per event. */
export const countReceipts = (
  ports: Measuring & Pick<Ports, 'clock'>,
  actions: readonly EventAction[],
  receipts: readonly (Receipt | null)[],
  tenant: string,
): void => {
  const { metrics, clock, memory } = ports;
  countSkewed(metrics, actions, receipts);
  countSuppressed(metrics, receipts);
  const now = clock.now();
  for (const [name, outcomes] of tally(actions, receipts)) {
    const source = labelOf(name);
    noteLast(ports, source, now);
    memory.sources.note(tenant, name, now, { events: sum(outcomes.values()), last: now });
    for (const [outcome, count] of outcomes) {
      metrics.count('faultline_events_ingested_total', { source, outcome }, count);
      if (outcome === 'duplicate_updated') metrics.count('faultline_duplicates_total', {}, count);
    }
  }
};
