import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { findEvent } from '#application/events/find-event.ts';
import { membersOf } from '#application/events/group-membership.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { findService } from '#application/services/service-store.ts';
import { servicesHit } from '#application/services/services-hit.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { notFound } from '#domain/fault.ts';
import { firstItem } from '#domain/known.ts';
import type { Impact } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import type { Analysed } from '#features/analysis/rules/analysis.ts';
import type { SubjectKind, SubjectPicture } from '#features/analysis/rules/subject/picture.ts';
import { analysesOf } from '#features/analysis/use-cases/analyse-events.ts';
import { seeCi } from '#features/insights/use-cases/see-ci.ts';
import { assess, lossesOn } from '#features/services/use-cases/assess.ts';

/** Members of a group, and open events of a service, that are read. */
const MEMBERS = 50;
/** CIs that a group or a service has failing, the first of them. */
const FAILING = 100;
/** CIs that fail with them. */
const IMPACTED = 1_000;
/** CIs of a service, with what they need, whose open events are asked for. */
const INVOLVED = 2_000;

export interface AskedSubject {
  readonly kind: SubjectKind;
  readonly id: string;
}

type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt' | 'caller'>;
type Seen = (asking: Asking, id: string) => Promise<SubjectPicture>;

const analysedOf = async ({ tenant, ports }: Asking, event: Event | null | undefined): Promise<Analysed | null> => {
  if (!event) return null;
  const { analyses } = await analysesOf(ports, tenant, [event], await aiSettings(ports.records, tenant));
  return analyses[0] ?? null;
};

/** Those that there are still. */
const cisOf = async ({ tenant, ports }: Asking, ids: Iterable<string>): Promise<NamedCi[]> => {
  const wanted = [...new Set(ids)].slice(0, FAILING);
  const found = wanted.length === 0 ? [] : await ports.topology.getCis(tenant, wanted);
  return found.map(({ id, name, type }) => ({ id, name, type }));
};

const impactOf = async ({ tenant, ports }: Asking, failing: readonly NamedCi[]): Promise<Impact | null> => {
  if (failing.length === 0) return null;
  const ids = failing.map(({ id }) => id);
  return ports.graph.impact(tenant, ids, { limit: IMPACTED });
};

/** The impact of these CIs, beside themselves. */
async function consequences(asking: Asking, ids: Iterable<string>) {
  const failing = await cisOf(asking, ids);
  const impact = await impactOf(asking, failing);
  const failed = new Set([...failing.map(({ id }) => id), ...(impact?.impacted ?? []).map(({ ci }) => ci)]);
  return { failing, impact, services: impact === null ? [] : await servicesHit(asking, failed) };
}

const byTime = (events: readonly Event[]): Event[] => [...events].sort((a, b) => a.firstOccurrence - b.firstOccurrence);
const boundTo = (events: readonly (Event | null | undefined)[]): string[] => events.flatMap((one) => one?.ci?.id ?? []);

const seeEvent: Seen = async (asking, id) => {
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

/** The event that stands for a group: its candidate, else the one that founded it. */
const seeGroup: Seen = async (asking, id) => {
  const { tenant, ports } = asking;
  const group = await ports.correlation.group(tenant, id);
  if (group === null) throw notFound('Correlation group', id);
  const [members, standing] = await Promise.all([
    membersOf(ports, tenant, group, MEMBERS),
    ports.events.get(tenant, group.candidate?.eventId ?? group.foundedBy),
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

const seeOneCi: Seen = async (asking, id) => {
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

const seeService: Seen = async (asking, id) => {
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
    assess(ports, tenant, [stored]),
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

const SEEN: Readonly<Record<SubjectKind, Seen>> = {
  event: seeEvent,
  group: seeGroup,
  ci: seeOneCi,
  service: seeService,
};

/** Reads what rules look at when something is analysed for somebody who asks. Throws Fault `not-found`, `forbidden`. */
export const seeSubject = (asking: Asking, { kind, id }: AskedSubject): Promise<SubjectPicture> =>
  SEEN[kind](asking, id);
