import type { Severity } from '#domain/event/event.ts';

const HOUR = 3_600_000;

/** Silence of events of a source, a severity or both; null: it ends none of them. */
interface Exception {
  readonly source?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly resolveAfterMs: number | null;
}

/** Settings of a tenant for events that no message ends. */
export interface Lifecycle {
  /** Silence that ends an event without a monitor's condition, ms; null: none does. */
  readonly resolveAfterMs: number | null;
  /** The same for events with a monitor's condition. */
  readonly conditionResolveAfterMs: number | null;
  /** Exceptions from `resolveAfterMs`; the first match counts. */
  readonly exceptions: readonly Exception[];
  /** True if the maintenance of a CI also suppresses events in the impact of its failure. */
  readonly maintenanceBelow: boolean;
  /** An acknowledged group is active again when a member is worse than all that was acknowledged, or hits a further service. */
  readonly worseReopens: boolean;
  /** Labels that make no condition: they name one of several replicas of a monitor. */
  readonly replicaLabels: readonly string[];
  /** The minimum severity of events in no group that are shown in lists of groups and sent by webhooks. */
  readonly loneFrom: Severity;
  /** The longest silence that does not recur, ms; null: any. */
  readonly maxSilenceMs: number | null;
}

export const DEFAULT_LIFECYCLE: Lifecycle = {
  resolveAfterMs: 24 * HOUR,
  conditionResolveAfterMs: 7 * 24 * HOUR,
  exceptions: [],
  maintenanceBelow: false,
  worseReopens: true,
  replicaLabels: ['prometheus_replica', 'replica'],
  loneFrom: 'minor',
  maxSilenceMs: null,
};

/** The shortest silence that ends any event, ms; null: none does. */
export const shortestSilence = ({
  resolveAfterMs,
  conditionResolveAfterMs,
  exceptions,
}: Pick<Lifecycle, 'resolveAfterMs' | 'conditionResolveAfterMs' | 'exceptions'>): number | null => {
  const all = [resolveAfterMs, conditionResolveAfterMs, ...exceptions.map((one) => one.resolveAfterMs)];
  const set = all.filter((ms) => ms !== null);
  return set.length === 0 ? null : Math.min(...set);
};
