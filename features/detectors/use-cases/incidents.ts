import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { slices } from '#domain/slices.ts';
import { detectRepeatedIncidents, type RepeatedSeen } from '#features/detectors/rules/repeated-incident.ts';
import { newestGroups, SPAN_DAYS } from '#features/detectors/use-cases/beside/newest-groups.ts';
import type { DetectorAsking, DetectorReading } from './asking.ts';

const EVENTS_AT_ONCE = 500;

async function causesOf({ tenant, ports }: DetectorAsking, groups: readonly Group[]): Promise<Map<string, Event>> {
  const ids = groups.flatMap(({ candidate }) => candidate?.eventId ?? []);
  const causes = new Map<string, Event>();
  for (const some of slices(ids, EVENTS_AT_ONCE))
    for (const event of await ports.events.getMany(tenant, some)) causes.set(event.id, event);
  return causes;
}

/** Groups by the complaint and the place of their cause, those that began in the range at last. */
async function seeRepeated(asking: DetectorAsking, groups: readonly Group[]): Promise<RepeatedSeen[]> {
  const { range, ciIds } = asking;
  const causes = await causesOf(asking, groups);
  const told = groups.flatMap((group) => {
    const cause = causes.get(group.candidate?.eventId ?? '');
    if (cause === undefined || (ciIds !== null && !ciIds.includes(cause.ci?.id ?? ''))) return [];
    return [{ group, cause }];
  });
  const alike = Map.groupBy(told, ({ cause }) => `${cause.signature} ${cause.ci?.id ?? cause.hostname ?? ''}`);
  return [...alike].flatMap(([key, same]) => {
    const sorted = same.toSorted((a, b) => b.group.first - a.group.first);
    const [newest] = sorted;
    if (newest === undefined || newest.group.last < range.from || newest.group.first >= range.to) return [];
    const ended = sorted.find(({ cause }) => cause.resolvedBy !== undefined)?.cause ?? null;
    return [
      {
        key,
        cause: newest.cause,
        ended,
        days: SPAN_DAYS,
        groups: sorted.map(({ group }) => group.id),
        events: same.reduce((sum, { group }) => sum + group.size, 0),
      },
    ];
  });
}

/** Of incidents: those with the same cause again and again. */
export const incidentReading: DetectorReading = {
  kinds: ['repeated-incident'],
  async detect(asking) {
    const { groups, truncated } = await newestGroups(asking);
    return {
      findings: detectRepeatedIncidents(await seeRepeated(asking, groups)),
      looked: [{ what: 'incidents', read: groups.length, truncated }],
    };
  },
};
