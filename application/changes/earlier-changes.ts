import type { UseCaseContext } from '#application/access/context.ts';
import type { ChangeType } from '#domain/change/change-type.ts';
import type { EarlierChange } from '#domain/change/risk.ts';
import { type Event, isSevere, severityRank } from '#domain/event/event.ts';
import { complaintOf } from '#domain/event/identity/complaint.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { KEPT_MS, type StoredAssessment } from './assessment-records.ts';

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

const isChange = (event: Event): boolean => complaintOf(event).known === 'change';
const isFailure = (event: Event): boolean => isSevere(event.severity) && !event.usual && !isChange(event);

/** What was heard of a CI and of what fails with it within 400 days. */
interface Heard {
  readonly open: readonly Event[];
  readonly incidents: readonly Event[];
  /** Times of changes that monitors and pipelines told of. */
  readonly changes: readonly number[];
  /** Times of failures on the CI or on what fails with it. */
  readonly failures: readonly number[];
}

export async function hear({ tenant, ports, receivedAt }: Asking, ciId: string, impacted: readonly string[]) {
  const from = receivedAt - KEPT_MS;
  const find = async (filter: EventFilter) => (await ports.events.find(tenant, filter, NEWEST)).items;
  const [own, severe] = await Promise.all([
    find({ ciId, from }),
    find({ ciId: [ciId, ...impacted], severities: SEVERE, from }),
  ]);
  const incidents = severe.filter((event) => event.ci?.id === ciId && !isChange(event));
  const heard: Heard = {
    open: incidents
      .filter(({ status }) => status === 'open' || status === 'acknowledged')
      .sort((a, b) => severityRank(b.severity) - severityRank(a.severity)),
    incidents,
    changes: own.filter(isChange).map(({ firstOccurrence }) => firstOccurrence),
    failures: severe.filter(isFailure).map(({ firstOccurrence }) => firstOccurrence),
  };
  return heard;
}

const failedAfter = (failures: readonly number[], at: number): boolean =>
  failures.some((time) => time > at && time <= at + AFTERMATH_MS);

/** A change that has not failed counts when a day has passed. */
const judged = (at: number, now: number, isFailed: boolean, isElsewhere: boolean): EarlierChange[] =>
  isFailed || at + AFTERMATH_MS <= now ? [{ isFailed, ageMs: now - at, isElsewhere }] : [];

type Made = StoredAssessment & { readonly plannedAt: number };

/** A change with its time, its CI, and what would have failed with it. */
type Aftermath = Pick<Made, 'ciId' | 'impacted' | 'plannedAt'>;

/** The first severe event within a day, on the CI or on what would have failed with it; null when none came. */
export async function failureAfter(
  { events }: Pick<Ports, 'events'>,
  tenant: string,
  { ciId, impacted, plannedAt: at }: Aftermath,
): Promise<Event | null> {
  const filter = { ciId: [ciId, ...impacted], severities: SEVERE, from: at + 1, to: at + AFTERMATH_MS };
  const { items } = await events.find(tenant, filter, NEWEST);
  const failures = items.filter((event) => isFailure(event) && failedAfter([event.firstOccurrence], at));
  return failures.sort((a, b) => a.firstOccurrence - b.firstOccurrence)[0] ?? null;
}

/** Whether a severe event came within a day, on the CI or on what would have failed with it. */
export const hasFailed = async (ports: Pick<Ports, 'events'>, tenant: string, made: Aftermath): Promise<boolean> =>
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
  const own = [...here, ...told].flatMap((at) => judged(at, now, failedAfter(heard.failures, at), false));
  const others = past.filter((one) => one.ciId !== ciId && one.type === type).slice(0, MOST_ELSEWHERE);
  const away = await Promise.all(others.map((one) => elsewhere(asking, one)));
  return [...own, ...away.flat()];
}
