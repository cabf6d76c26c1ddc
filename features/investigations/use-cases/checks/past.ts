import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { HISTORY_MS, type PastFacts, type PastGroup, pastFinding } from '#features/investigations/rules/findings.ts';
import type { CheckRun } from './check-run.ts';

/** Maximum number of earlier events and of their groups to read. */
const EVENTS = 50;
const GROUPS = 5;

/** Reads whether this problem was the root cause of an earlier group, according to its verdict. */
async function judged(
  { groupRows, events }: Pick<Ports, 'groupRows' | 'events'>,
  tenant: string,
  member: Event,
): Promise<PastGroup[]> {
  const row = await groupRows.get(tenant, member.correlationId ?? '');
  const root = row?.care.verdict?.rootEventId ?? row?.group.candidate?.eventId;
  if (row === null || root === undefined) return [];
  const cause = root === member.id ? member : await events.get(tenant, root);
  const isSame = cause?.signature === member.signature;
  const { cause: said, rootEventId } = row.care.verdict ?? {};
  const isRight = said === 'right' || rootEventId !== undefined ? isSame : said === 'wrong' && isSame ? false : null;
  return [{ isRight, eventId: member.id }];
}

const resolvedOf = (past: readonly Event[]): PastFacts['resolved'] => {
  const done = past.filter(({ resolvedAt }) => resolvedAt !== undefined);
  const last = done.find(({ resolutionNotes }) => resolutionNotes !== undefined) ?? done[0];
  if (last?.resolvedAt === undefined) return null;
  const { resolvedBy, resolvedAt, firstOccurrence, resolutionNotes, id } = last;
  return {
    by: resolvedBy?.name ?? null,
    afterMs: Math.max(0, resolvedAt - firstOccurrence),
    notes: resolutionNotes ?? null,
    eventId: id,
  };
};

/** Reads earlier events with the problem on any CI, their groups, and their resolution. */
export const checkPast: CheckRun = async ({ ports, tenant }, scene, hypothesis) => {
  const { event, since } = hypothesis;
  const empty: PastFacts = { groups: [], events: 0, resolved: null };
  if (event === null) return pastFinding(hypothesis, scene, empty);
  const range = { from: since - HISTORY_MS, to: since - 1, limit: EVENTS };
  const found = (await ports.eventHistory.history(tenant, [event.signature], range)).get(event.signature) ?? [];
  if (found.length === 0) return pastFinding(hypothesis, scene, empty);
  const stored = await ports.events.getMany(
    tenant,
    found.map(({ id }) => id),
  );
  const past = stored
    .filter(({ correlationId }) => correlationId === null || correlationId !== event.correlationId)
    .sort((a, b) => b.timestamp - a.timestamp);
  const byGroup = new Map(past.flatMap((one) => (one.correlationId === null ? [] : [[one.correlationId, one]])));
  const groups = await Promise.all([...byGroup.values()].slice(0, GROUPS).map((one) => judged(ports, tenant, one)));
  return pastFinding(hypothesis, scene, { groups: groups.flat(), events: past.length, resolved: resolvedOf(past) });
};
