import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { appendAndWait, onceGrouped } from '#application/events/append-and-wait.ts';
import { enrichedOf } from '#application/events/enriched-of.ts';
import { findEvent } from '#application/events/find-event.ts';
import { decisionsAbout, linksOf, refusalOf } from '#application/events/group-membership.ts';
import { withEvents } from '#application/events/load-correlations.ts';
import { readAfter } from '#application/records/read-after.ts';
import { relate, strategiesUsed } from '#domain/correlation/on-demand/relate.ts';
import type { Decision, Enriched } from '#domain/correlation/records.ts';
import { surroundingsOf } from '#domain/correlation/window/enrichment.ts';
import type { Actor, Event } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { CorrelatedEvent, correlatedEvent, type SeenLink } from '#schemas/http/events/group-view.ts';

interface OnDemand {
  readonly links: readonly SeenLink[];
  readonly isCorrelated: boolean;
  readonly correlationId: string | null;
  readonly strategies: readonly string[];
  readonly profile: string;
  readonly queued: boolean;
}

/** Maximum of partners on either side of the event. */
const PARTNERS = 2_000;

const Correlations = z
  .object({
    isCorrelated: z.boolean(),
    correlationId: z.string().nullable(),
    correlationScore: z.number(),
    strategiesUsed: z.array(z.string()),
    correlatedEvents: z.array(CorrelatedEvent),
  })
  .meta({ id: 'Correlations' });

export const correlateEvent = endpoint<{ eventId: string }, OnDemand>({
  id: 'events.correlate',
  summary: 'Correlate an event',
  description:
    'Runs all strategies over stored nearby events and links those above the threshold, as the pipeline does.',
  tag: 'Correlation',
  permission: 'events.correlate',
  limit: 'query',
  mounts: on.events.post('/{eventId}/correlate', {
    alsoStatus: [202],
    params: z.object({ eventId: z.string() }),
    reply: succeeded({ correlations: Correlations, status: z.string().optional(), requestId: z.string().optional() }),
    read: ({ params }) => params,
    present: ({ links, isCorrelated, correlationId, strategies, profile, queued }, { requestId }) => ({
      status: queued ? 202 : 200,
      body: {
        ...(queued && { status: 'queued', requestId }),
        correlations: {
          isCorrelated,
          correlationId,
          correlationScore: links[0]?.link.score ?? 0,
          strategiesUsed: [...strategies],
          correlatedEvents: links.map((link) => correlatedEvent(link, profile)),
        },
      },
    }),
  }),
  async handle({ eventId }, { tenant, ports, receivedAt, caller }) {
    const event = await findEvent(ports, tenant, eventId);
    const record = await withTopology(ports, event, await enrichedOf(ports, tenant, event.id));
    const links = relate(record, await partnersOf(ports, tenant, record));
    const joining = links.filter(({ score }) => score > record.settings.threshold);
    const by = actorOf(caller);
    const found = await withEvents(
      ports,
      tenant,
      links.map((link) => ({ other: link.other, link })),
    );
    const seenBefore: OnDemand = {
      links: found,
      isCorrelated: joining.length > 0,
      correlationId: event.correlationId,
      strategies: strategiesUsed(record),
      profile: record.settings.profile,
      queued: true,
    };
    const reply = await join(ports, tenant, event.id, joining, { by, receivedAt });
    return readAfter(async () => {
      const decisions = await decisionsAbout(ports, tenant, event.id);
      // Manual links are independent of the strategies' links.
      const byHand = linksOf(
        decisions.filter(({ manual }) => manual),
        event.id,
      );
      const partners = new Set(byHand.map(({ other }) => other));
      const now = await findEvent(ports, tenant, event.id);
      const group = now.correlationId === null ? null : await ports.correlation.group(tenant, now.correlationId);
      const seen = await withEvents(ports, tenant, [
        ...byHand,
        ...links.filter(({ other }) => !partners.has(other)).map((link) => ({ other: link.other, link })),
      ]);
      const decided = reply === 'done' && decisions.findLast((one) => one.eventId === event.id && !one.manual);
      const isRefusable = ({ other, link }: SeenLink) => !partners.has(other.id) && joining.includes(link);
      return {
        links: seen.map((link) => (decided && isRefusable(link) ? withRefusal(link, decided) : link)),
        isCorrelated: joining.length + byHand.length > 0,
        correlationId: group?.id ?? now.correlationId,
        strategies: strategiesUsed(record),
        profile: record.settings.profile,
        queued: reply === 'queued',
      };
    }, seenBefore);
  },
});

/** Uses the CI's current relationships where it had none when the event arrived, or was unknown. */
const withTopology = async ({ graph }: Ports, event: Event, record: Enriched): Promise<Enriched> => {
  if (event.ci === null || (record.arrival.ciId === event.ci.id && record.arrival.hasRelationships)) return record;
  const around = await graph.around(event.tenant, event.ci.id, event.timestamp);
  if (around === null) return record;
  const { hasRelationships, above3, below3, chain } = around;
  const arrival = { ...record.arrival, ciId: event.ci.id, hasRelationships, above3, below3, chain };
  return { ...record, ...surroundingsOf(around), arrival };
};

/** The same problem, reported with another severity. */
const isSameProblem = ({ arrival: a }: Enriched, { arrival: b }: Enriched): boolean =>
  a.eventId === b.eventId || a.supersedes === b.eventId || b.supersedes === a.eventId;

/** Stored records within the largest window, the nearest on either side. */
const partnersOf = async (ports: Ports, tenant: string, record: Enriched): Promise<Enriched[]> => {
  const { arrival, settings } = record;
  const reach = Math.max(...Object.values(settings.strategies).map(({ windowMs }) => windowMs));
  const between = (from: number, to: number, order: 'asc' | 'desc') =>
    ports.correlation.enrichedBetween(tenant, from, to, { limit: PARTNERS, order });
  const [before, after] = await Promise.all([
    between(arrival.time - reach, arrival.time, 'desc'),
    between(arrival.time + 1, arrival.time + reach, 'asc'),
  ]);
  return [...before, ...after].filter((other) => !isSameProblem(record, other));
};

/** Adds the guard that has just refused it. */
const withRefusal = (seen: SeenLink, decision: Decision): SeenLink => {
  const { id, correlationId } = seen.other;
  const refusedBy = refusalOf(decision, correlationId === null ? [id] : [id, correlationId]);
  return refusedBy ? { ...seen, refusedBy } : seen;
};

const join = async (
  ports: Ports,
  tenant: string,
  eventId: string,
  links: readonly Link[],
  { by, receivedAt }: { readonly by: Actor; readonly receivedAt: number },
): Promise<'done' | 'queued'> => {
  if (links.length === 0) return 'done';
  const ask = { kind: 'related', eventId, links, manual: false, by } as const;
  const receipt = await appendAndWait(ports, tenant, ask, receivedAt);
  if (receipt?.outcome === 'changed') await readAfter(() => onceGrouped(ports, tenant, [eventId]), []);
  return receipt === null ? 'queued' : 'done';
};
