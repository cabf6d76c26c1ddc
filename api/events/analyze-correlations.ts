import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { actorOf } from '#api/access/actor.ts';
import { endpoint, mount } from '#api/endpoint.ts';
import type { Enriched } from '#domain/correlation/records.ts';
import { openSimulation, type SimulatedGroup } from '#domain/correlation/simulation.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming, Link } from '#domain/event/incoming.ts';
import { MAX_AHEAD_MS } from '#domain/event/time.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { EventBody, eventView, type Place } from '#schemas/http/event-view.ts';
import { AnalyzeRequest } from '#schemas/http/events.ts';
import { standingGroups } from './places.ts';

const HOUR_MS = 3_600_000;
/** Events looked at in one analysis. */
const ANALYZED = 50_000;
/** Records read at once: each carries its neighbourhood. */
const CHUNK = 1_000;
/** Groups shown in full, and events shown of each. */
const SHOWN_GROUPS = 100;
const SHOWN_EVENTS = 100;
const APPEND = 500;
const TIMEOUT_MS = 30_000;

interface Shown {
  readonly rootCause: Event | null;
  readonly impacted: readonly Event[];
  readonly impact: number;
  readonly places: ReadonlyMap<string, Place>;
  readonly correlationId: string | null;
  readonly pattern: string | null;
}
interface Analysis {
  readonly groups: number;
  readonly analyzed: number;
  readonly correlated: number;
  readonly truncated: boolean;
  readonly shown: readonly Shown[];
}

const count = z.number().int();
const AnalyzeReply = succeeded({
  correlationGroups: count,
  eventsAnalyzed: count,
  eventsCorrelated: count,
  truncated: z.boolean().optional(),
  results: z.array(
    z.object({
      rootCause: EventBody.nullable(),
      impactedEvents: z.array(EventBody),
      correlationId: z.string().nullable(),
      analysis: z.object({ pattern: z.string().nullable(), totalImpact: count, affectedServices: z.array(z.string()) }),
    }),
  ),
}).meta({ id: 'AnalyzeCorrelationsReply' });

/** In the spelling that comes first; services are the same whatever their case. */
const servicesOf = (events: readonly Event[]): string[] => {
  const named = events.flatMap(({ service, application }) => service ?? application ?? []).sort();
  return [...new Map(named.reverse().map((name) => [name.toLowerCase(), name])).values()].reverse();
};

const present = ({ groups, analyzed, correlated, truncated, shown }: Analysis) => ({
  correlationGroups: groups,
  eventsAnalyzed: analyzed,
  eventsCorrelated: correlated,
  ...(truncated && { truncated }),
  results: shown.map(({ rootCause, impacted, impact, places, correlationId, pattern }) => ({
    rootCause: rootCause && eventView(rootCause, places.get(rootCause.id) ?? null),
    impactedEvents: impacted.map((event) => eventView(event, places.get(event.id) ?? null)),
    correlationId,
    analysis: {
      pattern,
      totalImpact: impact,
      affectedServices: servicesOf(rootCause ? [rootCause, ...impacted] : impacted),
    },
  })),
});

export const analyzeCorrelations = endpoint<z.output<typeof AnalyzeRequest>, Analysis>({
  id: 'events.analyze-correlations',
  summary: 'Run the strategies over the last hours again',
  description: 'With `autoCorrelate` what is found is written as the pipeline would; without, nothing changes.',
  tag: 'Correlation',
  permission: 'events.correlate',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/analyze-correlations',
      body: AnalyzeRequest,
      reply: AnalyzeReply,
      read: ({ body }) => body,
      present: (analysis) => ({ body: present(analysis) }),
    }),
  ],
  async handle({ hours, autoCorrelate }, { tenant, ports, receivedAt, caller }) {
    const simulation = openSimulation();
    const found: { eventId: string; links: readonly Link[] }[] = [];
    const bestStrategy = new Map<string, string>();
    let analyzed = 0;
    for await (const record of recordsSince(ports, tenant, receivedAt - hours * HOUR_MS, receivedAt + MAX_AHEAD_MS)) {
      analyzed++;
      const { eventId, accepted } = simulation.take(record);
      if (accepted.length === 0) continue;
      found.push({ eventId, links: accepted });
      bestStrategy.set(eventId, accepted[0]?.reasons[0]?.strategy ?? '');
    }
    if (autoCorrelate) {
      const by = actorOf(caller);
      await write(
        ports,
        tenant,
        found.map((ask) => ({ ask: { kind: 'related', ...ask, manual: false, by }, receivedAt })),
      );
    }
    const groups = simulation.finish();
    const shown: Shown[] = [];
    for (const group of groups.slice(0, SHOWN_GROUPS)) shown.push(await show(ports, tenant, group, bestStrategy));
    const correlated = groups.reduce((sum, { members }) => sum + members.length, 0);
    return {
      groups: groups.length,
      analyzed,
      correlated,
      truncated: analyzed === ANALYZED || groups.length > SHOWN_GROUPS,
      shown,
    };
  },
});

/** Enriched records by event time, a chunk at a time, so that other requests are served in between. */
async function* recordsSince(ports: Ports, tenant: string, from: number, to: number): AsyncIterable<Enriched> {
  const atEdge = new Set<string>();
  let since = from;
  for (let taken = 0; taken < ANALYZED; ) {
    const chunk = await ports.correlation.enrichedBetween(tenant, since, to, { limit: CHUNK, order: 'asc' });
    const fresh = chunk.filter(({ arrival }) => !atEdge.has(arrival.eventId));
    for (const record of fresh.slice(0, ANALYZED - taken)) yield record;
    taken += fresh.length;
    const last = chunk.at(-1)?.arrival.time;
    if (chunk.length < CHUNK || last === undefined || fresh.length === 0) return;
    if (last !== since) atEdge.clear();
    for (const { arrival } of chunk) if (arrival.time === last) atEdge.add(arrival.eventId);
    since = last;
    await setImmediate();
  }
}

const write = async (ports: Ports, tenant: string, records: readonly Incoming[]): Promise<void> => {
  for (let at = 0; at < records.length; at += APPEND) {
    await ports.log.request(tenant, records.slice(at, at + APPEND), { timeoutMs: TIMEOUT_MS });
  }
  await ports.log.caughtUp();
};

/** The group as it is known: the id is the one that its events carry, if any does. */
const show = async (
  ports: Ports,
  tenant: string,
  { group, members }: SimulatedGroup,
  bestStrategy: ReadonlyMap<string, string>,
): Promise<Shown> => {
  const root = group.candidate?.eventId ?? null;
  const others = members.filter((id) => id !== root);
  const events = await ports.events.getMany(tenant, [...(root ? [root] : []), ...others.slice(0, SHOWN_EVENTS)]);
  const places = await standingGroups(ports, tenant, events);
  const assigned = events.find(({ correlationId }) => correlationId !== null);
  const counts = new Map<string, number>();
  for (const id of members) {
    const strategy = bestStrategy.get(id);
    if (strategy) counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
  }
  const [pattern] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [null];
  return {
    rootCause: events.find(({ id }) => id === root) ?? null,
    impacted: events.filter(({ id }) => id !== root).sort((a, b) => a.timestamp - b.timestamp),
    impact: others.length,
    places,
    correlationId: assigned === undefined ? null : (places.get(assigned.id)?.correlationId ?? assigned.correlationId),
    pattern,
  };
};
