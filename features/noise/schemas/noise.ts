import { z } from 'zod';
import { eventIdOf, SEVERITIES } from '#domain/event/event.ts';
import { type CheckRule, checkProblem, checkRuleOf } from '#domain/event/identity/check-rules.ts';
import type { Noise, NoiseTotals, NoisyCheck } from '#features/noise/rules/noise.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

const count = z.int().min(0);
const Totals = z
  .object({ events: count, grouped: count, acknowledged: count })
  .meta({ id: 'NoiseTotals', description: 'Events of 7 days; those in a group, and those that were acknowledged' });

const Check = z.object({
  signature: z.string(),
  source: z.string(),
  title: z.string().meta({ description: 'Title of the newest event' }),
  severity: z.enum(SEVERITIES),
  problem: z.string().meta({ description: 'Title without its host, numbers as <n>' }),
  rule: z
    .object({ severity: z.enum(SEVERITIES).optional(), grouped: z.boolean().optional() })
    .optional()
    .meta({ description: 'Rule for its new events, from `checks` of the inbound settings' }),
  service: z.string().optional(),
  eventId: z.string().meta({ description: 'Newest event' }),
  events: count,
  weeks: z.array(count).meta({ description: 'Events in each of the last 4 weeks, oldest first' }),
  groups: count.meta({ description: 'Groups of the last 7 days with such an event' }),
  sampled: count.meta({ description: 'Newest events that the next two figures count' }),
  flaps: count.meta({ description: 'Events that began within an hour after their condition had ended' }),
  untouched: count.meta({ description: 'Events that no user has acknowledged, assigned, resolved or changed' }),
});
export const NoiseBody = z
  .object({
    from: IsoTime,
    to: IsoTime,
    now: Totals,
    before: Totals.meta({ description: 'The 7 days before' }),
    checks: z.array(Check).meta({ description: 'Checks with most events in the last 7 days, at most 50' }),
  })
  .meta({ id: 'Noise' });

const totals = ({ events, grouped, acknowledged }: NoiseTotals) => ({ events, grouped, acknowledged });
const checkBody = (
  { newest, weeks, signature, groups, sampled, flaps, untouched }: NoisyCheck,
  rule: CheckRule | undefined,
) => ({
  signature,
  source: newest.source,
  title: newest.title,
  severity: newest.severity,
  problem: checkProblem(newest),
  ...(rule !== undefined && { rule: { severity: rule.severity, grouped: rule.grouped } }),
  ...(newest.service !== undefined && { service: newest.service }),
  eventId: eventIdOf(newest.id),
  events: weeks.at(-1) ?? 0,
  weeks: [...weeks],
  groups,
  sampled,
  flaps,
  untouched,
});
export const noiseBody = (
  { from, to, now, before, checks }: Noise,
  rules: readonly CheckRule[],
): z.output<typeof NoiseBody> => ({
  from: iso(from),
  to: iso(to),
  now: totals(now),
  before: totals(before),
  checks: checks.map((check) => checkBody(check, checkRuleOf(rules, check.newest))),
});
