import type { QueryContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { findEvent } from '#application/events/find-event.ts';
import { membersOf } from '#application/events/group-membership.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { impactNow } from '#application/services/impact-now.ts';
import { findService } from '#application/services/service-store.ts';
import { firstItem } from '#domain/assert.ts';
import { GROUP_CARE, type GroupAssignment, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { notFound } from '#domain/fault.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import type { Analysed } from '#features/analysis/rules/analysis.ts';
import type { SubjectKind, SubjectPicture } from '#features/analysis/rules/subject/picture.ts';
import { analysesOf } from '#features/analysis/use-cases/analyse-events.ts';
import { similarIncidents } from '#features/analysis/use-cases/similar-incidents.ts';
import { seeCi } from '#features/insights/use-cases/see-ci.ts';
import { assess, lossesOn } from '#features/services/use-cases/assess.ts';

/** Members of a group, and open events of a service, that are read. */
const MEMBERS = 50;
/** CIs that a group or a service has failing, the first of them. */
const FAILING = 100;
/** CIs that fail with them. */
const IMPACTED = 1_000;
/** Maximum number of CIs of a service, dependencies included, whose open events are read. */
const INVOLVED = 2_000;

export interface AskedSubject {
  readonly kind: SubjectKind;
  readonly id: string;
}

type SubjectReader = (asking: QueryContext, id: string) => Promise<Omit<SubjectPicture, 'similar'>>;

const analysedOf = async (
  { tenant, ports }: QueryContext,
  event: Event | null | undefined,
): Promise<Analysed | null> => {
  if (!event) return null;
  const { analyses } = await analysesOf(ports, tenant, [event], await aiSettings(ports.records, tenant));
  return analyses[0] ?? null;
};

/** Returns the existing CIs. */
const cisOf = async ({ tenant, ports }: QueryContext, ids: Iterable<string>): Promise<NamedCi[]> => {
  const wanted = [...new Set(ids)].slice(0, FAILING);
  const found = wanted.length === 0 ? [] : await ports.topology.getCis(tenant, wanted);
  return found.map(({ id, name, type }) => ({ id, name, type }));
};

/** The impact of these CIs, beside themselves. */
async function consequences(asking: QueryContext, ids: Iterable<string>) {
  const failing = await cisOf(asking, ids);
  if (failing.length === 0) return { failing, impact: null, services: [] };
  const found = await impactNow(
    asking,
    failing.map(({ id }) => id),
    { limit: IMPACTED },
  );
  return { failing, ...found };
}

const byTime = (events: readonly Event[]): Event[] => [...events].sort((a, b) => a.firstOccurrence - b.firstOccurrence);
const boundTo = (events: readonly (Event | null | undefined)[]): string[] => events.flatMap((one) => one?.ci?.id ?? []);

const seeEvent: SubjectReader = async (asking, id) => {
  const event = await findEvent(asking.ports, asking.tenant, id);
  const [analysed, suffering] = await Promise.all([analysedOf(asking, event), consequences(asking, boundTo([event]))]);
  return {
    subject: { kind: 'event', id: eventIdOf(event.id), name: event.title },
    analysed,
    events: [event],
    eventsTotal: 1,
    ...suffering,
    ci: null,
    service: null,
  };
};

const seeGroup: SubjectReader = async (asking, id) => {
  const { tenant, ports } = asking;
  const group = await ports.correlation.group(tenant, id);
  if (group === null) throw notFound('Correlation group', id);
  const care = (await ports.records.get<GroupAssignment>(tenant, GROUP_CARE, group.id))?.body ?? {};
  const [members, standing] = await Promise.all([
    membersOf(ports, tenant, group, MEMBERS),
    ports.events.get(tenant, leadingEventOf({ group, care }) ?? group.foundedBy),
  ]);
  const cause = standing ?? members[0];
  const [analysed, suffering] = await Promise.all([
    analysedOf(asking, cause),
    consequences(asking, boundTo([cause, ...members])),
  ]);
  return {
    subject: { kind: 'group', id: group.id, name: group.id },
    analysed,
    events: byTime(members),
    eventsTotal: group.size,
    ...suffering,
    ci: null,
    service: null,
  };
};

const seeOneCi: SubjectReader = async (asking, id) => {
  const ci = await findCi(asking, id);
  const picture = await seeCi(asking, ci);
  const { open = [], recent = [], openTotal = 0 } = picture.events ?? {};
  const analysed = await analysedOf(asking, open[0]);
  const events = byTime([...new Map([...open, ...recent.slice(0, MEMBERS)].map((one) => [one.id, one])).values()]);
  const { impact, services } = picture;
  return {
    subject: { kind: 'ci', id: ci.id, name: ci.name },
    analysed,
    events,
    eventsTotal: openTotal,
    failing: [ci],
    impact,
    services,
    ci: picture,
    service: null,
  };
};

const seeService: SubjectReader = async (asking, id) => {
  requirePermission(asking, 'services.read');
  const { tenant, ports } = asking;
  const stored = await findService(ports.records, tenant, id);
  const service = stored.body;
  const components = service.components.map(({ ciId }) => ciId);
  const losses = await lossesOn(ports, tenant, [service]);
  const failed = [...losses].filter(([, loss]) => loss > 0).map(([ci]) => ci);
  const involved = [...new Set([...components, ...failed])].slice(0, INVOLVED);
  const severest = { sort: 'severity', order: 'desc', limit: MEMBERS } as const;
  const open =
    involved.length === 0
      ? { items: [], total: 0 }
      : await ports.events.find(tenant, { ciId: involved, statuses: ['open', 'acknowledged'] }, severest);
  const hit = boundTo(open.items);
  const [analysed, suffering, assessed] = await Promise.all([
    analysedOf(asking, open.items[0]),
    consequences(asking, hit.length > 0 ? hit : components),
    assess(ports, tenant, [service]),
  ]);
  const state = { service, health: firstItem(assessed).health, open: open.total };
  return {
    subject: { kind: 'service', id: service.id, name: service.name },
    analysed,
    events: byTime(open.items),
    eventsTotal: open.total,
    ...suffering,
    ci: null,
    service: state,
  };
};

const SEEN: Readonly<Record<SubjectKind, SubjectReader>> = {
  event: seeEvent,
  group: seeGroup,
  ci: seeOneCi,
  service: seeService,
};

/** Reads the input of the rules for an analysis on request. Throws Fault `not-found`, `forbidden`. */
export const seeSubject = async (asking: QueryContext, { kind, id }: AskedSubject): Promise<SubjectPicture> => {
  const seen = await SEEN[kind](asking, id);
  const group = seen.analysed?.about.group?.id;
  return { ...seen, similar: group === undefined ? [] : await similarIncidents(asking, group) };
};
