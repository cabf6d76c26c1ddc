import type { Event, Severity } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { type Health, healthOf, lossesOf, type OpenEvents } from '#domain/services/health.ts';
import type { Service } from '#domain/services/service.ts';
import type { Relationship } from '#domain/topology/topology.ts';

export const DAY_MS = 24 * 3_600_000;

/** Health of a service during one day, UTC, or another step. */
export interface HealthDay {
  /** ms. */
  readonly from: number;
  readonly worst: Health;
  /** Time in which it was critical, and degraded, ms. */
  readonly criticalMs: number;
  readonly degradedMs: number;
}

/** A service by hour. */
export interface ServiceTrend {
  readonly id: string;
  readonly hours: readonly HealthDay[];
}

type PastEvent = Pick<
  Event,
  'ci' | 'severity' | 'status' | 'firstOccurrence' | 'lastOccurrence' | 'resolvedAt' | 'title' | 'category' | 'tags'
>;

interface PastChange {
  readonly at: number;
  readonly ciId: string;
  readonly severity: Severity;
  readonly by: 1 | -1;
}

/** Begins and ends of problems; suppressed events and changes count for nothing, as they do now. */
const changesOf = (events: readonly PastEvent[], from: number, to: number): readonly PastChange[] =>
  events.flatMap(({ ci, severity, status, firstOccurrence, lastOccurrence, resolvedAt, ...kind }): PastChange[] => {
    if (ci === null || status === 'suppressed' || isChange(kind)) return [];
    const end = status === 'resolved' ? (resolvedAt ?? lastOccurrence) : to;
    const start = Math.max(from, firstOccurrence);
    if (end <= start) return [];
    const change = { ciId: ci.id, severity };
    return [
      { ...change, at: start, by: 1 },
      { ...change, at: Math.min(end, to), by: -1 },
    ];
  });

const WORSE: readonly Health['status'][] = ['unknown', 'healthy', 'degraded', 'critical'];
const worse = (a: Health, b: Health): Health =>
  b.score < a.score || WORSE.indexOf(b.status) > WORSE.indexOf(a.status) ? b : a;

/** `removedAt`: ms; absent while the relationship exists. */
export type PastEdge = Pick<Relationship, 'source' | 'target' | 'attributes' | 'createdAt'> & {
  readonly removedAt?: number;
};

interface HealthPast {
  readonly service: Pick<Service, 'components' | 'earlier' | 'createdAt'>;
  readonly events: readonly PastEvent[];
  readonly edges: readonly PastEdge[];
  /** Start of the first day and end of the last, ms. */
  readonly from: number;
  readonly to: number;
  /** Length of a step, ms; a day. */
  readonly stepMs?: number;
}

type DayDraft = { -readonly [Key in keyof HealthDay]: HealthDay[Key] };
const emptyDay = (from: number, worst: Health): DayDraft => ({ from, worst, criticalMs: 0, degradedMs: 0 });

interface EdgeStep {
  readonly at: number;
  readonly edge: PastEdge;
  readonly isRemoved: boolean;
}

/** Relationships of the start, and their later additions and removals. */
const edgesOver = (edges: readonly PastEdge[], from: number) => {
  const steps = edges.flatMap((edge): EdgeStep[] => [
    { at: edge.createdAt, edge, isRemoved: false },
    ...(edge.removedAt === undefined ? [] : [{ at: edge.removedAt, edge, isRemoved: true }]),
  ]);
  const known = new Set(
    edges.filter(({ createdAt: made, removedAt }) => made <= from && (removedAt ?? Infinity) > from),
  );
  return { known, steps: steps.filter(({ at }) => at > from) };
};

/** The health of each day, by the components and relationships of that time; unknown before the service was created. */
export const pastHealth = ({
  service: { components, earlier = [], createdAt },
  events,
  edges,
  from,
  to,
  stepMs = DAY_MS,
}: HealthPast): readonly HealthDay[] => {
  const open = new Map<string, Partial<Record<Severity, number>>>();
  const { known, steps: changes } = edgesOver(edges, from);
  const lists = earlier.filter(({ until }) => until > from).map(({ until: at }) => ({ at }));
  const steps = [...changesOf(events, from, to), ...changes, ...lists].sort((a, b) => a.at - b.at);
  const healthAt = (time: number): Health =>
    healthOf(
      earlier.find(({ until }) => until > time)?.components ?? components,
      lossesOf(open as OpenEvents, [...known]),
    );
  const start = Math.min(to, Math.max(from, createdAt));
  const days: DayDraft[] = Array.from({ length: Math.floor((start - from) / stepMs) }, (_, day) =>
    emptyDay(from + day * stepMs, healthOf([], new Map())),
  );
  let health = healthAt(from);
  let at = start;
  const passUntil = (end: number): void => {
    while (at < end) {
      const day = Math.floor((at - from) / stepMs);
      const next = Math.min(end, from + (day + 1) * stepMs);
      const entry = days[day] ?? emptyDay(from + day * stepMs, health);
      entry.worst = worse(entry.worst, health);
      if (health.status === 'critical') entry.criticalMs += next - at;
      if (health.status === 'degraded') entry.degradedMs += next - at;
      days[day] = entry;
      at = next;
    }
  };
  for (const [time, changes] of Map.groupBy(steps, ({ at: changed }) => changed)) {
    passUntil(Math.min(to, time));
    for (const change of changes) {
      if ('edge' in change) known[change.isRemoved ? 'delete' : 'add'](change.edge);
      if (!('ciId' in change)) continue;
      const { ciId, severity, by } = change;
      const counts = open.get(ciId) ?? {};
      counts[severity] = (counts[severity] ?? 0) + by;
      open.set(ciId, counts);
    }
    health = healthAt(time);
  }
  passUntil(to);
  return days;
};
