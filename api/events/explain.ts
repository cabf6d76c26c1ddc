import { z } from 'zod';
import { endpoint, mount } from '#api/endpoint.ts';
import { type Explanation, explain } from '#domain/correlation/explain.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { invalid } from '#domain/fault.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { enrichedOf } from './correlate.ts';
import { findEvent } from './find-event.ts';
import { decisionsAbout, groupOf, linksOf } from './places.ts';

interface Input {
  readonly eventId: string;
  readonly other: string;
}
interface Explained {
  readonly events: readonly [string, string];
  readonly together: boolean;
  readonly correlationId: string | null;
  readonly profile: string;
  readonly strategies: readonly Explanation[];
  readonly refusedBy: string | null;
}

const ExplainReply = succeeded({
  events: z.array(z.string()).length(2),
  together: z.boolean(),
  correlationId: z.string().nullable(),
  profile: z.string(),
  strategies: z.array(
    z.object({
      strategy: z.string(),
      inputs: z.record(z.string(), z.unknown()),
      literalScore: z.number(),
      factor: z.number(),
      score: z.number(),
      threshold: z.number(),
      joined: z.boolean(),
      reason: z.string(),
    }),
  ),
  refusedBy: z.string().nullable().meta({ description: 'The guard that kept the two apart' }),
}).meta({ id: 'ExplainReply' });

export const explainEvents = endpoint<Input, Explained>({
  id: 'events.explain',
  summary: 'Say why two events are, or are not, in one group',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/{eventId}/explain',
      params: z.object({ eventId: z.string() }),
      query: z.strictObject({ with: z.string() }),
      reply: ExplainReply,
      read: ({ params, query }) => ({ eventId: params.eventId, other: query.with }),
      present: (explained) => ({ body: explained }),
    }),
  ],
  async handle({ eventId, other }, { tenant, ports }) {
    const [one, two] = [await findEvent(ports, tenant, eventId), await findEvent(ports, tenant, other)];
    if (one.id === two.id) throw invalid('with', 'expected another event than the one explained');
    const [group, otherGroup, a, b, decisions] = await Promise.all([
      groupOf(ports, one),
      groupOf(ports, two),
      enrichedOf(ports, tenant, one.id),
      enrichedOf(ports, tenant, two.id),
      decisionsAbout(ports, tenant, one.id),
    ]);
    const together = group !== null && group.id === otherGroup?.id;
    const refusal = linksOf(decisions, one.id).find((link) => link.other === two.id)?.refusedBy ?? null;
    return {
      events: [eventIdOf(one.id), eventIdOf(two.id)],
      together,
      correlationId: together ? group.id : null,
      profile: a.settings.profile,
      strategies: explain(a, b),
      refusedBy: together ? null : refusal,
    };
  },
});
