import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { slices } from '#domain/slices.ts';
import { undoes, wasMade } from '#features/change-risk/rules/change-effect.ts';
import { latestAssessments } from '#features/change-risk/use-cases/assessment-records.ts';
import { failureAfter } from '#features/change-risk/use-cases/earlier-changes.ts';
import { type ChangeSeen, detectFailedChanges } from '#features/detectors/rules/failed-change.ts';
import type { DetectorAsking, DetectorReading } from './asking.ts';

/** Limits of the changes that are checked: the newest judged ones, and the newest of events. */
const MAX_JUDGED = 30;
const MAX_TOLD = 20;
/** CIs with changes, and events of theirs that are read. */
const MAX_CIS = 20;
const MAX_EVENTS = 200;
/** Distance within which a change event equals a judged change. */
const SAME_MS = 3_600_000;
const AT_ONCE = 5;

interface KnownChange {
  readonly said: string;
  readonly at: number;
  readonly ciId: string;
  readonly impacted: readonly string[];
  readonly by: ChangeSeen['by'];
  /** End of its effect by a rollback or cancellation: later problems are not caused by it, ms. */
  readonly until: number;
}

async function judged({ tenant, ports, range, receivedAt, ciIds }: DetectorAsking): Promise<KnownChange[]> {
  const all = await latestAssessments(ports.records, tenant);
  return all.flatMap(({ id, said, plannedAt, ciId, impacted }): KnownChange[] => {
    const isOver = plannedAt !== null && plannedAt >= range.from && plannedAt < Math.min(range.to, receivedAt);
    if (!isOver || (ciIds !== null && !ciIds.includes(ciId))) return [];
    return [{ said, at: plannedAt, ciId, impacted, by: { kind: 'assessment', id }, until: Infinity }];
  });
}

/** Returns changes reported by monitors and pipelines. */
async function told({ tenant, ports, range, scope }: DetectorAsking): Promise<KnownChange[]> {
  const request = { measure: 'events', by: ['ci'], limit: MAX_CIS } as const;
  const filter = { ...scope, ...range, changes: true } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
  const ids = buckets.flatMap(({ keys: [id] }) => id ?? []);
  if (ids.length === 0) return [];
  const page = { sort: 'createdAt', order: 'desc', limit: MAX_EVENTS } as const;
  const { items } = await ports.events.part(tenant, { ciId: ids, ...range }, page);
  const changes = items.filter(isChange);
  return changes.flatMap((event: Event): KnownChange[] =>
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

/** Returns the time when the next change of the same CI undid it. */
const endOf = (change: Event, all: readonly Event[]): number =>
  all.reduce(
    (end, { ci, title, firstOccurrence: at }) =>
      ci?.id === change.ci?.id && at > change.firstOccurrence && undoes(title) ? Math.min(end, at) : end,
    Number.POSITIVE_INFINITY,
  );

async function seen({ tenant, ports }: DetectorAsking, changes: readonly KnownChange[]): Promise<ChangeSeen[]> {
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

/** Detectors of changes: those followed by a failure. */
export const changeReading: DetectorReading = {
  kinds: ['failed-change'],
  async detect(asking) {
    const [planned, events] = await Promise.all([judged(asking), told(asking)]);
    const others = events.filter(
      ({ ciId, at }) => !planned.some((one) => one.ciId === ciId && Math.abs(one.at - at) <= SAME_MS),
    );
    const looked = [...planned.slice(0, MAX_JUDGED), ...others.slice(0, MAX_TOLD)];
    const truncated = planned.length > MAX_JUDGED || others.length > MAX_TOLD;
    return {
      findings: detectFailedChanges(await seen(asking, looked)),
      looked: [{ what: 'changes', read: looked.length, truncated }],
    };
  },
};
