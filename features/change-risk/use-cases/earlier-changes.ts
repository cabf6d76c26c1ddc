import type { UseCaseContext } from '#application/access/context.ts';
import { type Event, isSevere, severityRank } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/complaint.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { wasMade } from '#features/change-risk/rules/change-effect.ts';
import type { ChangeType } from '#features/change-risk/rules/change-type.ts';
import type { EarlierChange } from '#features/change-risk/rules/risk.ts';
import { KEPT_MS, type StoredAssessment } from './assessment-records.ts';
import { type CausePorts, namedCauses } from './other-causes.ts';

/** A severe event within this time after a change says that it failed. */
const AFTERMATH_MS = 86_400_000;
/** A change event so near to an assessed change tells of the same. */
const SAME_CHANGE_MS = 3_600_000;
/** Events that are read, and changes elsewhere of which the aftermath is. */
const MOST_EVENTS = 200;
const MOST_ELSEWHERE = 20;

const NEWEST = { sort: 'createdAt', order: 'desc', limit: MOST_EVENTS } as const;
const SEVERE = ['critical', 'major'] as const;
type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>;

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
interface Heard {
  readonly open: readonly Event[];
  readonly incidents: readonly Event[];
  /** Times of changes that monitors and pipelines told of. */
  readonly changes: readonly number[];
  /** Failures on the CI or on what fails with it. */
  readonly failures: readonly Event[];
  /** By the storage id of a failure what the correlation says has caused it. */
  readonly causes: ReadonlyMap<string, Event>;
  /** The CI and what fails with it. */
  readonly ciIds: readonly string[];
}

export async function hear({ tenant, ports, receivedAt }: Asking, ciId: string, impacted: readonly string[]) {
  const from = receivedAt - KEPT_MS;
  const find = async (filter: EventFilter) => (await ports.events.find(tenant, filter, NEWEST)).items;
  const [own, severe] = await Promise.all([
    find({ ciId, from }),
    find({ ciId: [ciId, ...impacted], severities: SEVERE, from }),
  ]);
  const failures = severe.filter(isFailure);
  const incidents = severe.filter((event) => event.ci?.id === ciId && !isChange(event));
  const heard: Heard = {
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

const failedAfter = ({ failures, causes, ciIds }: Heard, at: number): boolean =>
  failures.some((event) => isWithin(event, at) && maybeCaused(event, causes, ciIds, at));

/** A change that has not failed counts when a day has passed. */
const judged = (at: number, now: number, isFailed: boolean, isElsewhere: boolean): EarlierChange[] =>
  isFailed || at + AFTERMATH_MS <= now ? [{ isFailed, ageMs: now - at, isElsewhere }] : [];

type Made = StoredAssessment & { readonly plannedAt: number };

/** A change with its time, its CI, and what would have failed with it. */
type Aftermath = Pick<Made, 'ciId' | 'impacted' | 'plannedAt'>;

/**
 * The first severe event within a day, on the CI or on what would have failed with it, that nothing else has caused; null when none came.
 * `until`: the change was undone then, ms.
 */
export async function failureAfter(
  ports: CausePorts,
  tenant: string,
  { ciId, impacted, plannedAt: at }: Aftermath,
  until = Number.POSITIVE_INFINITY,
): Promise<Event | null> {
  const ciIds = [ciId, ...impacted];
  const filter = { ciId: ciIds, severities: SEVERE, from: at + 1, to: at + AFTERMATH_MS };
  const { items } = await ports.events.find(tenant, filter, NEWEST);
  const failures = items
    .filter((event) => isFailure(event) && isWithin(event, at) && event.firstOccurrence < until)
    .sort((a, b) => a.firstOccurrence - b.firstOccurrence);
  const causes = await namedCauses(ports, tenant, failures);
  return failures.find((event) => maybeCaused(event, causes, ciIds, at)) ?? null;
}

/** Whether a severe event came within a day, on the CI or on what would have failed with it, that nothing else has caused. */
export const hasFailed = async (ports: CausePorts, tenant: string, made: Aftermath): Promise<boolean> =>
  (await failureAfter(ports, tenant, made)) !== null;

async function elsewhere({ tenant, ports, receivedAt: now }: Asking, made: Made) {
  return judged(made.plannedAt, now, await hasFailed(ports, tenant, made), true);
}

interface Asked {
  readonly ciId: string;
  readonly type: ChangeType;
  readonly assessments: readonly StoredAssessment[];
  readonly heard: Heard;
}

/** Earlier changes on the CI, and of this type elsewhere, with what became of them. */
export async function earlierChanges(
  asking: Asking,
  { ciId, type, assessments, heard }: Asked,
): Promise<EarlierChange[]> {
  const now = asking.receivedAt;
  const past = assessments.filter((one): one is Made => one.plannedAt !== null && one.plannedAt < now);
  const here = past.filter((one) => one.ciId === ciId).map(({ plannedAt }) => plannedAt);
  const told = heard.changes.filter((at) => at < now && !here.some((one) => Math.abs(one - at) <= SAME_CHANGE_MS));
  const own = [...here, ...told].flatMap((at) => judged(at, now, failedAfter(heard, at), false));
  const others = past.filter((one) => one.ciId !== ciId && one.type === type).slice(0, MOST_ELSEWHERE);
  const away = await Promise.all(others.map((one) => elsewhere(asking, one)));
  return [...own, ...away.flat()];
}
