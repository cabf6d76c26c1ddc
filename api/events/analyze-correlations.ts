import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { currentGroups } from '#application/events/group-membership.ts';
import type { Analysis, AnalyzedGroup } from '#domain/correlation/on-demand/analysis.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { MAX_AHEAD_MS } from '#domain/event/lifecycle/change.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { EventBody, eventView, type GroupMembership } from '#schemas/http/events/event-view.ts';
import { AnalyzeRequest } from '#schemas/http/events/events.ts';

const HOUR_MS = 3_600_000;
/** Maximum of events in one analysis. */
const ANALYZED = 50_000;
/** Groups shown in full, and events shown of each. */
const SHOWN_GROUPS = 100;
const SHOWN_EVENTS = 100;
const TIMEOUT_MS = 30_000;

interface CauseImpact {
  readonly rootCause: Event | null;
  readonly impacted: readonly Event[];
  readonly impact: number;
  readonly places: ReadonlyMap<string, GroupMembership>;
  readonly correlationId: string | null;
  readonly pattern: string | null;
}
interface Analyzed {
  readonly groups: number;
  readonly analyzed: number;
  readonly correlated: number;
  readonly truncated: boolean;
  readonly shown: readonly CauseImpact[];
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

/** Returns the first spelling; services are compared regardless of case. */
const servicesOf = (events: readonly Event[]): string[] => {
  const named = events.flatMap(({ service, application }) => service ?? application ?? []).sort();
  return [...new Map(named.reverse().map((name) => [name.toLowerCase(), name])).values()].reverse();
};

const present = ({ groups, analyzed, correlated, truncated, shown }: Analyzed) => ({
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

export const analyzeCorrelations = endpoint<z.output<typeof AnalyzeRequest>, Analyzed>({
  id: 'events.analyze-correlations',
  takesLong: true,
  summary: 'Analyze correlations of recent events',
  description: 'Set `autoCorrelate` to store the results; otherwise read-only.',
  tag: 'Correlation',
  permission: 'events.correlate',
  limit: 'query',
  mounts: on.events.post('/analyze-correlations', {
    body: AnalyzeRequest,
    reply: AnalyzeReply,
    read: ({ body }) => body,
    present: (analysis) => ({ body: present(analysis) }),
  }),
  async handle({ hours, autoCorrelate }, { tenant, ports, receivedAt, caller }) {
    const range = { from: receivedAt - hours * HOUR_MS, to: receivedAt + MAX_AHEAD_MS };
    const asked = { ...range, limit: ANALYZED, shown: SHOWN_GROUPS, links: autoCorrelate };
    const { analyzed, groups, correlated, shown, found } = await oneAtATime(ports, tenant, () =>
      ports.correlation.analyze(tenant, asked),
    );
    if (autoCorrelate) await write(ports, tenant, found, { by: actorOf(caller), receivedAt });
    const views: CauseImpact[] = [];
    for (const group of shown) views.push(await show(ports, tenant, group));
    const truncated = analyzed === ANALYZED || groups > SHOWN_GROUPS;
    return { groups, analyzed, correlated, truncated, shown: views };
  },
});

const RETRY_AFTER_S = 10;

/** An analysis needs seconds of a core. Throws Fault `rate-limited` while the tenant has another one. */
const oneAtATime = async <T>({ memory: { analyses } }: Ports, tenant: string, work: () => Promise<T>): Promise<T> => {
  if (analyses.has(tenant))
    throw new Fault('rate-limited', 'Another analysis is running for this tenant', [], { retryAfter: RETRY_AFTER_S });
  analyses.add(tenant);
  try {
    return await work();
  } finally {
    analyses.delete(tenant);
  }
};

interface Correlating {
  readonly by: ReturnType<typeof actorOf>;
  readonly receivedAt: number;
}

/** A part at a time, each of which waits until it is handled. */
const write = async (
  ports: Ports,
  tenant: string,
  found: Analysis['found'],
  { by, receivedAt }: Correlating,
): Promise<void> => {
  for (const part of found) {
    const records = part.map((one): Incoming => ({ ask: { kind: 'related', ...one, manual: false, by }, receivedAt }));
    await ports.eventLog.request(tenant, records, { timeoutMs: TIMEOUT_MS });
  }
  await ports.eventLog.caughtUp();
};

/** Returns the group as it is known: the id is that of its events, if any has one. */
const show = async (ports: Ports, tenant: string, { group, members, pattern }: AnalyzedGroup): Promise<CauseImpact> => {
  const root = group.candidate?.eventId ?? null;
  const others = members.filter((id) => id !== root);
  const events = await ports.events.getMany(tenant, [...(root ? [root] : []), ...others.slice(0, SHOWN_EVENTS)]);
  const places = await currentGroups(ports, tenant, events);
  const assigned = events.find(({ correlationId }) => correlationId !== null);
  return {
    rootCause: events.find(({ id }) => id === root) ?? null,
    impacted: events.filter(({ id }) => id !== root).sort((a, b) => a.timestamp - b.timestamp),
    impact: others.length,
    places,
    correlationId: assigned === undefined ? null : (places.get(assigned.id)?.correlationId ?? assigned.correlationId),
    pattern,
  };
};
