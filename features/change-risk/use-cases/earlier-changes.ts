import type { TimedContext } from '#application/access/context.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, isSevere, severityRank } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import { zip } from '#domain/zip.ts';
import { wasMade } from '#features/change-risk/rules/change-effect.ts';
import type { ChangeType } from '#features/change-risk/rules/change-type.ts';
import type { EarlierChange } from '#features/change-risk/rules/risk.ts';
import { KEPT_MS, type StoredAssessment } from './assessment-records.ts';

/** Groups that are looked at, and how many at once; events of others count as having no other cause. */
const MAX_GROUPS = 50;
const AT_ONCE = 10;

type CausePorts = Pick<Ports, 'events' | 'correlation' | 'records'>;

async function groupsOf({ correlation }: CausePorts, tenant: string, ids: readonly string[]) {
  const groups = new Map<string, Group>();
  for (const some of slices(ids, AT_ONCE)) {
    const found = await Promise.all(some.map((id) => correlation.group(tenant, id)));
    for (const [id, group] of zip(some, found)) if (group !== null) groups.set(id, group);
  }
  return groups;
}

/** Root causes by event storage ID, if another event is named with enough confidence: effects of a hypervisor do not count against a deployment. */
async function namedCauses(
  ports: CausePorts,
  tenant: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, Event>> {
  const ids = [...new Set(events.flatMap(({ correlationId }) => correlationId ?? []))].slice(0, MAX_GROUPS);
  if (ids.length === 0) return new Map();
  const [groups, { abstainBelow }] = await Promise.all([
    groupsOf(ports, tenant, ids),
    aiSettings(ports.records, tenant),
  ]);
  const chosen = new Map(
    [...groups].flatMap(([id, { candidate }]) =>
      candidate !== null && candidate.confidence >= abstainBelow ? [[id, candidate.eventId] as const] : [],
    ),
  );
  const causes = new Map(
    (await ports.events.getMany(tenant, [...new Set(chosen.values())])).map((event) => [event.id, event] as const),
  );
  return new Map(
    events.flatMap((event) => {
      const cause = causes.get(chosen.get(event.correlationId ?? '') ?? '');
      return cause === undefined || cause.id === event.id ? [] : [[event.id, cause] as const];
    }),
  );
}

/** A severe event within this time after a change marks it as failed. */
const AFTERMATH_MS = 86_400_000;
/** A change event this near to an assessed change is the same change. */
const SAME_CHANGE_MS = 3_600_000;
/** Events that are read, and changes elsewhere of which the aftermath is. */
const MAX_EVENTS = 200;
const MAX_ELSEWHERE = 20;

const NEWEST = { sort: 'createdAt', order: 'desc', limit: MAX_EVENTS } as const;
const SEVERE = ['critical', 'major'] as const;

const isFailure = (event: Event): boolean => isSevere(event.severity) && !event.usual && !isChange(event);

/** Events that a change on these CIs may have caused: none that correlation gives another cause, and none that had begun before. */
const maybeCaused = (
  event: Event,
  causes: ReadonlyMap<string, Event>,
  ciIds: readonly string[],
  at: number,
): boolean => {
  const cause = causes.get(event.id);
  if (cause === undefined || isChange(cause)) return true;
  return ciIds.includes(cause.ci?.id ?? '') && cause.firstOccurrence > at;
};

/** Events of a CI and of its impact within 400 days. */
interface ImpactEvents {
  readonly open: readonly Event[];
  readonly incidents: readonly Event[];
  /** Times of changes reported by monitors and pipelines. */
  readonly changes: readonly number[];
  /** Failures on the CI or its dependents. */
  readonly failures: readonly Event[];
  /** Root causes from the correlation, by the storage ID of a failure. */
  readonly causes: ReadonlyMap<string, Event>;
  /** The CI and what fails with it. */
  readonly ciIds: readonly string[];
}

export async function hear({ tenant, ports, receivedAt }: TimedContext, ciId: string, impacted: readonly string[]) {
  const from = receivedAt - KEPT_MS;
  const find = async (filter: EventFilter) => (await ports.events.part(tenant, filter, NEWEST)).items;
  const [own, severe] = await Promise.all([
    find({ ciId, from }),
    find({ ciId: [ciId, ...impacted], severities: SEVERE, from }),
  ]);
  const failures = severe.filter(isFailure);
  const incidents = severe.filter((event) => event.ci?.id === ciId && !isChange(event));
  const heard: ImpactEvents = {
    open: incidents
      .filter(({ status }) => status === 'open' || status === 'acknowledged')
      .sort((a, b) => severityRank(b.severity) - severityRank(a.severity)),
    incidents,
    changes: own
      .filter((event) => isChange(event) && wasMade(event.title))
      .map(({ firstOccurrence }) => firstOccurrence),
    failures,
    causes: await namedCauses(ports, tenant, failures),
    ciIds: [ciId, ...impacted],
  };
  return heard;
}

const isWithin = ({ firstOccurrence: time }: Event, at: number): boolean => time > at && time <= at + AFTERMATH_MS;

const failedAfter = ({ failures, causes, ciIds }: ImpactEvents, at: number): boolean =>
  failures.some((event) => isWithin(event, at) && maybeCaused(event, causes, ciIds, at));

/** A change that has not failed counts when a day has passed. */
const judged = (at: number, now: number, isFailed: boolean, isElsewhere: boolean): EarlierChange[] =>
  isFailed || at + AFTERMATH_MS <= now ? [{ isFailed, ageMs: now - at, isElsewhere }] : [];

type Made = StoredAssessment & { readonly plannedAt: number };

/** A change with its time, its CI, and what would have failed with it. */
type Aftermath = Pick<Made, 'ciId' | 'impacted' | 'plannedAt'>;

/** Returns the first severe event within a day, on the CI or its dependents, without another root cause, or null. `until`: end of the change, ms. */
export async function failureAfter(
  ports: CausePorts,
  tenant: string,
  { ciId, impacted, plannedAt: at }: Aftermath,
  until = Number.POSITIVE_INFINITY,
): Promise<Event | null> {
  const ciIds = [ciId, ...impacted];
  const filter = { ciId: ciIds, severities: SEVERE, from: at + 1, to: at + AFTERMATH_MS };
  const { items } = await ports.events.part(tenant, filter, NEWEST);
  const failures = items
    .filter((event) => isFailure(event) && isWithin(event, at) && event.firstOccurrence < until)
    .sort((a, b) => a.firstOccurrence - b.firstOccurrence);
  const causes = await namedCauses(ports, tenant, failures);
  return failures.find((event) => maybeCaused(event, causes, ciIds, at)) ?? null;
}

/** True if a severe event without another root cause occurred within a day, on the CI or its dependents. */
export const hasFailed = async (ports: CausePorts, tenant: string, made: Aftermath): Promise<boolean> =>
  (await failureAfter(ports, tenant, made)) !== null;

async function elsewhere({ tenant, ports, receivedAt: now }: TimedContext, made: Made) {
  return judged(made.plannedAt, now, await hasFailed(ports, tenant, made), true);
}

interface EarlierChangesQuery {
  readonly ciId: string;
  readonly type: ChangeType;
  readonly assessments: readonly StoredAssessment[];
  readonly heard: ImpactEvents;
}

/** Returns earlier changes on the CI, and of this type elsewhere, with their outcomes. */
export async function earlierChanges(
  asking: TimedContext,
  { ciId, type, assessments, heard }: EarlierChangesQuery,
): Promise<EarlierChange[]> {
  const now = asking.receivedAt;
  const past = assessments.filter((one): one is Made => one.plannedAt !== null && one.plannedAt < now);
  const here = past.filter((one) => one.ciId === ciId).map(({ plannedAt }) => plannedAt);
  const told = heard.changes.filter((at) => at < now && !here.some((one) => Math.abs(one - at) <= SAME_CHANGE_MS));
  const own = [...here, ...told].flatMap((at) => judged(at, now, failedAfter(heard, at), false));
  const others = past.filter((one) => one.ciId !== ciId && one.type === type).slice(0, MAX_ELSEWHERE);
  const away = await Promise.all(others.map((one) => elsewhere(asking, one)));
  return [...own, ...away.flat()];
}
