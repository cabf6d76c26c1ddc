import type { UseCaseContext } from '#application/access/context.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { RiskLevel } from '#features/change-risk/rules/risk.ts';
import { personNames } from '#features/questions/use-cases/queries/people.ts';
import { toldChanges } from '#features/questions/use-cases/tools/kinds/events.ts';
import { latestAssessments, MOST_ASSESSMENTS } from './assessment-records.ts';

interface ListedChange {
  readonly kind: 'planned' | 'reported';
  readonly id: string;
  readonly title: string;
  /** ms. */
  readonly start: number;
  readonly end: number | null;
  readonly hasTime: boolean;
  readonly ciId: string | null;
  readonly place: string | null;
  readonly riskScore: number | null;
  readonly riskLevel: RiskLevel | null;
  readonly by: string | null;
}
export interface ListedChanges {
  readonly changes: readonly ListedChange[];
  readonly isCut: boolean;
}

const within = (at: number, { from, to }: Range): boolean => at >= from && at < to;

async function planned({ tenant, ports }: UseCaseContext, range: Range): Promise<ListedChange[]> {
  const all = await latestAssessments(ports.records, tenant);
  const chosen = all.filter(({ plannedAt, at }) => within(plannedAt ?? at, range));
  const cis = await ports.topology.getCis(tenant, [...new Set(chosen.map(({ ciId }) => ciId))]);
  const names = new Map(cis.map(({ id, name }) => [id, name]));
  const users = await personNames({ ports, tenant });
  return chosen.map(({ id, said, at, plannedAt, durationMs, ciId, riskScore, riskLevel, by }) => ({
    kind: 'planned',
    id,
    title: said,
    start: plannedAt ?? at,
    end: plannedAt === null || durationMs === null ? null : plannedAt + durationMs,
    hasTime: plannedAt !== null,
    ciId,
    place: names.get(ciId) ?? ciId,
    riskScore,
    riskLevel,
    by: users.get(by) ?? null,
  }));
}

async function reported(context: UseCaseContext, range: Range): Promise<ListedChange[]> {
  if (!context.caller.permissions.has('events.read')) return [];
  const told = await toldChanges(context, range, null);
  return told.flatMap(({ at, title, place, ciId, eventId, source }): ListedChange[] => {
    const start = Date.parse(at);
    if (eventId === null || !within(start, range)) return [];
    const none = { end: null, riskScore: null, riskLevel: null };
    return [{ kind: 'reported', id: eventId, title, start, hasTime: true, ciId, place, by: source, ...none }];
  });
}

/** Planned changes that were assessed, and reported ones; without events.read only the former. At most 500 of each. */
export async function listChanges(context: UseCaseContext, range: Range): Promise<ListedChanges> {
  const both = await Promise.all([planned(context, range), reported(context, range)]);
  return {
    changes: both.flat().sort((a, b) => b.start - a.start),
    isCut: both.some(({ length }) => length >= MOST_ASSESSMENTS),
  };
}
