import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/complaint.ts';
import { slices } from '#domain/slices.ts';
import { undoes, wasMade } from '#features/change-risk/rules/change-effect.ts';
import { latestAssessments } from '#features/change-risk/use-cases/assessment-records.ts';
import { failureAfter } from '#features/change-risk/use-cases/earlier-changes.ts';
import { type ChangeSeen, detectFailedChanges } from '#features/detectors/rules/failed-change.ts';
import type { DetectorAsking, DetectorReading } from './asking.ts';

/** Changes that are looked at: the newest that were judged, and the newest that events tell of. */
const MOST_JUDGED = 30;
const MOST_TOLD = 20;
/** CIs with changes, and events of theirs that are read. */
const MOST_CIS = 20;
const MOST_EVENTS = 200;
/** A change event so near to a judged change tells of the same. */
const SAME_MS = 3_600_000;
const AT_ONCE = 5;

interface Change {
  readonly said: string;
  readonly at: number;
  readonly ciId: string;
  readonly impacted: readonly string[];
  readonly by: ChangeSeen['by'];
  /** It was undone, or did not come about: what begins later is not its doing, ms. */
  readonly until: number;
}

async function judged({ tenant, ports, range, receivedAt, ciIds }: DetectorAsking): Promise<Change[]> {
  const all = await latestAssessments(ports.records, tenant);
  return all.flatMap(({ id, said, plannedAt, ciId, impacted }): Change[] => {
    const isOver = plannedAt !== null && plannedAt >= range.from && plannedAt < Math.min(range.to, receivedAt);
    if (!isOver || (ciIds !== null && !ciIds.includes(ciId))) return [];
    return [{ said, at: plannedAt, ciId, impacted, by: { kind: 'assessment', id }, until: Infinity }];
  });
}

/** Changes that monitors and pipelines told of. */
async function told({ tenant, ports, range, scope }: DetectorAsking): Promise<Change[]> {
  const request = { measure: 'events', by: ['ci'], limit: MOST_CIS } as const;
  const filter = { ...scope, ...range, changes: true } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
  const ids = buckets.flatMap(({ keys: [id] }) => id ?? []);
  if (ids.length === 0) return [];
  const page = { sort: 'createdAt', order: 'desc', limit: MOST_EVENTS } as const;
  const { items } = await ports.events.find(tenant, { ciId: ids, ...range }, page);
  const changes = items.filter(isChange);
  return changes.flatMap((event: Event): Change[] =>
    event.ci === null || !wasMade(event.title)
      ? []
      : [
          {
            said: event.title,
            at: event.firstOccurrence,
            ciId: event.ci.id,
            impacted: [],
            by: { kind: 'event', event },
            until: endOf(event, changes),
          },
        ],
  );
}

/** When the next change of the same CI undid it. */
const endOf = (change: Event, all: readonly Event[]): number =>
  all.reduce(
    (end, { ci, title, firstOccurrence: at }) =>
      ci?.id === change.ci?.id && at > change.firstOccurrence && undoes(title) ? Math.min(end, at) : end,
    Number.POSITIVE_INFINITY,
  );

async function seen({ tenant, ports }: DetectorAsking, changes: readonly Change[]): Promise<ChangeSeen[]> {
  const cis = await ports.topology.getCis(tenant, [...new Set(changes.map(({ ciId }) => ciId))]);
  const byId = new Map(cis.map(({ id, name, type }) => [id, { id, name, type }]));
  const found: ChangeSeen[] = [];
  for (const part of slices(changes, AT_ONCE)) {
    const some = part.flatMap((change) => {
      const ci = byId.get(change.ciId);
      return ci === undefined ? [] : [{ ...change, ci }];
    });
    found.push(
      ...(await Promise.all(
        some.map(async ({ said, at, ci, ciId, impacted, by, until }) => ({
          said,
          at,
          ci,
          by,
          failure: await failureAfter(ports, tenant, { ciId, impacted, plannedAt: at }, until),
        })),
      )),
    );
  }
  return found;
}

/** Of changes: those that a failure followed. */
export const changeReading: DetectorReading = {
  kinds: ['failed-change'],
  async detect(asking) {
    const [planned, events] = await Promise.all([judged(asking), told(asking)]);
    const others = events.filter(
      ({ ciId, at }) => !planned.some((one) => one.ciId === ciId && Math.abs(one.at - at) <= SAME_MS),
    );
    const looked = [...planned.slice(0, MOST_JUDGED), ...others.slice(0, MOST_TOLD)];
    const truncated = planned.length > MOST_JUDGED || others.length > MOST_TOLD;
    return {
      findings: detectFailedChanges(await seen(asking, looked)),
      looked: [{ what: 'changes', read: looked.length, truncated }],
    };
  },
};
