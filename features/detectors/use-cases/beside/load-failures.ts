import type { TimedContext } from '#application/access/context.ts';
import type { Group } from '#domain/correlation/records.ts';
import { MAX_BUCKETS } from '#domain/ports/events/event-aggregates.ts';
import type { Failures } from '#features/detectors/rules/co-failure/pairs.ts';
import { newestGroups, SPAN_MS } from './newest-groups.ts';

/** Failures alone beyond these are one long failure. */
const MAX_ALONE = 50;

export const SEVERE = ['critical', 'major'] as const;

/** CIs that failed together and alone, within 90 days. */
export interface LoadedFailures {
  readonly failures: Failures;
  /** Groups by representative id. */
  readonly groups: ReadonlyMap<string, Group>;
  readonly truncated: boolean;
}

/** CIs with severe events, by the group of these. */
export async function loadFailures(asking: TimedContext): Promise<LoadedFailures> {
  const { tenant, ports, receivedAt } = asking;
  const range = { from: receivedAt - SPAN_MS, to: receivedAt };
  const request = { measure: 'events', by: ['group', 'ci'], limit: MAX_BUCKETS } as const;
  const [newest, found] = await Promise.all([
    newestGroups(asking),
    ports.eventAggregates.aggregate(tenant, { ...range, severities: SEVERE }, request),
  ]);
  const groups = new Map(newest.groups.map((group) => [group.id, group]));
  const standing = new Map(newest.groups.flatMap(({ id, aliases }) => [id, ...aliases].map((one) => [one, id])));
  const cis = new Map<string, Set<string>>();
  const alone = new Map<string, number>();
  for (const { keys, count } of found.buckets) {
    const [group, ci] = keys;
    if (!ci) continue;
    const id = group == null ? null : standing.get(group);
    if (id === null) alone.set(ci, Math.min(MAX_ALONE, count));
    // Groups that are not read do not count.
    else if (id !== undefined) cis.set(id, (cis.get(id) ?? new Set()).add(ci));
  }
  const incidents = [...cis].map(([id, of]) => ({ id, cis: of }));
  return { failures: { incidents, alone }, groups, truncated: newest.truncated || found.truncated };
}
