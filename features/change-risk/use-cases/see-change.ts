import type { QueryContext } from '#application/access/context.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { downNow } from '#application/services/down-now.ts';
import type { AiSettings } from '#domain/ai/settings.ts';
import { assertDefined } from '#domain/assert.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { maintenanceWindow, overlap, type TimeSpan } from '#domain/topology/maintenance-window.ts';
import { CAUSE_TYPES, type Ci } from '#domain/topology/topology.ts';
import { type ChangePicture, type Conflict, criticalityOf } from '#features/change-risk/rules/change-picture.ts';
import { changeTypeOf } from '#features/change-risk/rules/change-type.ts';
import { dayAfter, localTime } from '#features/change-risk/rules/local-time.ts';
import { latestAssessments, type StoredAssessment } from './assessment-records.ts';
import { lossOf, stateOf, withChanges } from './change-state.ts';
import { earlierChanges, hear } from './earlier-changes.ts';

type HolidayPorts = Pick<Ports, 'holidays'>;

/** Days of public holidays in the years of a date and of its morrow. */
async function holidaysAbout(
  { holidays }: HolidayPorts,
  country: string | null,
  date: string,
): Promise<ReadonlySet<string>> {
  if (country === null) return new Set();
  const years = new Set([date, dayAfter(date)].map((day) => Number(day.slice(0, 4))));
  const found = await Promise.all([...years].map((year) => holidays.of({ country }, year)));
  return new Set(found.flat().flatMap(({ type, dates }) => (type === 'public' ? dates : [])));
}

/** Returns the planned time of a change in the tenant's zone. */
async function plannedTime(
  ports: HolidayPorts,
  { country, zone }: Pick<AiSettings, 'country' | 'zone'>,
  span: TimeSpan,
): Promise<ChangePicture['planned']> {
  const local = localTime(span.from, zone);
  return { span, local, holidays: await holidaysAbout(ports, country, local.date), zone };
}

/** Default duration of a change. */
const USUAL_MS = 3_600_000;
const MAX_UPSTREAM = 50;
const MAX_NEAR = 1_000;
/** CIs of which events are looked at, the nearest. */
export const MAX_HEARD = 50;
const MAX_CONFLICTS = 20;

export interface PlannedChange {
  readonly ciId: string;
  readonly changeType: string;
  readonly description: string | null;
  readonly plannedAt: number | null;
  readonly durationMs: number | null;
}

const spanOf = ({ plannedAt, durationMs }: Pick<StoredAssessment, 'plannedAt' | 'durationMs'>): TimeSpan | null =>
  plannedAt === null ? null : { from: plannedAt, to: plannedAt + (durationMs ?? USUAL_MS) };

const around = async ({ tenant, ports }: QueryContext, { id }: Ci) => {
  const up = { hops: 3, direction: 'up', types: CAUSE_TYPES, limit: MAX_UPSTREAM } as const;
  const near = { hops: 2, direction: 'both', limit: MAX_NEAR } as const;
  const [upstream, nearest] = await Promise.all([
    ports.graph.neighbourhood(tenant, id, up),
    ports.graph.neighbourhood(tenant, id, near),
  ]);
  return {
    upstream: upstream.nodes.map(({ ci, name, type }) => ({ id: ci, name, type })),
    needs: upstream.edges.filter(({ source }) => source === id),
    near: new Set(nearest.nodes.map(({ ci }) => ci)),
  };
};

interface ChangeSite {
  readonly ci: Ci;
  readonly type: string;
  readonly span: TimeSpan | null;
  readonly near: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
}

const reasonOf = ({ ci, near, services }: ChangeSite, other: StoredAssessment): Conflict['reason'] | null => {
  if (other.ciId === ci.id) return 'same_ci';
  if (near.has(other.ciId)) return 'within_two_hops';
  return other.services.some((id) => services.has(id)) ? 'common_service' : null;
};

/** Other changes on related CIs at the same time; a change that was judged before is none. */
async function conflictsOf(
  { tenant, ports }: QueryContext,
  place: ChangeSite,
  assessments: readonly StoredAssessment[],
): Promise<Conflict[]> {
  const { ci, type, span } = place;
  if (span === null) return [];
  const found = assessments.flatMap((other) => {
    const theirs = spanOf(other);
    const isSame = other.ciId === ci.id && other.type === type && other.plannedAt === span.from;
    if (theirs === null || isSame || !overlap(span, theirs)) return [];
    const reason = reasonOf(place, other);
    return reason === null ? [] : [{ other, reason }];
  });
  const shown = found.slice(0, MAX_CONFLICTS);
  const cis = await ports.topology.getCis(tenant, [...new Set(shown.map(({ other }) => other.ciId))]);
  const names = new Map(cis.map(({ id, name }) => [id, name]));
  return shown.flatMap(({ other, reason }) => {
    const name = names.get(other.ciId);
    if (name === undefined) return [];
    const { id: assessmentId, ciId, said: changeType, plannedAt } = other;
    return [{ assessmentId, ciId, name, changeType, plannedAt: assertDefined(plannedAt, 'planned time'), reason }];
  });
}

/** Reads what rules look at when they judge a change. */
export async function seeChange(asking: QueryContext, ci: Ci, change: PlannedChange): Promise<ChangePicture> {
  const { tenant, ports, caller, receivedAt } = asking;
  const span = spanOf(change);
  const [now, all, { upstream, needs, near }, assessments, settings] = await Promise.all([
    downNow(asking, span ?? undefined),
    ports.counts.cis(tenant),
    around(asking, ci),
    latestAssessments(ports.records, tenant),
    aiSettings(ports.records, tenant),
  ]);
  const before = await lossOf(asking, ci, now.down);
  const own = (await ports.memory.services.of(tenant, receivedAt)).get(ci.id) ?? [];
  const type = changeTypeOf(change.changeType);
  const hit = new Set(before.services.map(({ service }) => service.id));
  const place = { ci, type: type ?? 'other', span, near, services: hit };
  const conflicts = await conflictsOf(asking, place, assessments);
  const down = withChanges(now.down, conflicts, ci);
  const loss = down.size === now.down.size ? before : await lossOf(asking, ci, down);
  const state = await stateOf(asking, { ci, needs, loss, now: { ...now, down } });
  const failing = loss.impact.impacted.map((one) => one.ci);
  const mayHear = caller.permissions.has('events.read');
  const heard = mayHear ? await hear(asking, ci.id, failing.slice(0, MAX_HEARD)) : null;
  const asked = { ciId: ci.id, type: type ?? 'other', assessments } as const;
  return {
    ci,
    criticality: criticalityOf(ci, own),
    said: change.changeType,
    type,
    impact: loss.impact,
    state,
    all,
    upstream,
    durationMs: change.durationMs,
    window: maintenanceWindow(ci.customFields.maintenance_window),
    planned: span && (await plannedTime(ports, settings, span)),
    services: loss.services.map(({ service, impact: outcome }) => ({ service, impact: outcome })),
    conflicts,
    events: heard && {
      open: heard.open,
      incidents: heard.incidents,
      earlier: await earlierChanges(asking, { ...asked, heard }),
    },
  };
}
