import { firstItem } from '#domain/assert.ts';
import { rateChange } from '#domain/statistics/rate-test.ts';
import { clockTime, counted, Findings, factsOf } from '#features/ai/rules/findings.ts';
import { forecast } from '#features/ai/rules/forecast/forecast.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { monitorUsage } from '#features/ai/use-cases/monitor-usage.ts';
import { numbers } from '#features/questions/use-cases/answering/answers/number-answers.ts';
import type { AgentContext, AgentQuestion, RulesAnswer } from './own-answers.ts';
import { eventsIn, forecastId, storeForecast } from './records.ts';

const QUERY = '/v1/agents/capacity/calibration';
const DAY_MS = 86_400_000;
/** Half a year. */
const DAYS = 182;
const ROUNDING = 1e-6;
const USAGE = '/api/monitoring/ai';

async function describeTrend(context: AgentContext, findings: Findings, range: Range): Promise<void> {
  const before = { from: 2 * range.from - range.to, to: range.from };
  const [now = 0, earlier = 0] = await Promise.all(
    [range, before].map((one) => eventsIn(context.ports, context.tenant, one)),
  );
  const facts = factsOf({ events: now, 'events before': earlier });
  const query = new URLSearchParams({ from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() });
  const href = `/v1/events?${query}`;
  const ref = findings.add({ kind: 'query', id: 'events', label: 'new events', facts, href });
  const changes = { more: 'more than', fewer: 'fewer than', 'no change': 'no significant change from' } as const;
  const change = changes[rateChange(earlier, now)];
  const count = now === 0 ? 'No new events' : counted(now, 'new event');
  const against = earlier === 0 ? 'none in the previous period' : `${change} ${earlier} in the previous period`;
  const when = `from ${clockTime(range.from)} to ${clockTime(range.to)}`;
  findings.say(`${count} ${when}${now + earlier === 0 ? ', and' : ':'} ${against}.`, [ref]);
}

/** Counts per complete UTC day before today, starting with the first day that has events. */
async function dailyCounts({ tenant, ports }: AgentContext, today: number): Promise<number[]> {
  const edges = Array.from({ length: DAYS + 1 }, (_, n) => today - (DAYS - n) * DAY_MS);
  const request = { measure: 'events', by: ['time'], edges, limit: DAYS } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, { from: firstItem(edges), to: today }, request);
  const counted = new Map(buckets.map(({ keys, count }) => [Number(keys[0]), count]));
  const counts = edges.slice(0, -1).map((edge) => counted.get(edge) ?? 0);
  const first = counts.findIndex((count) => count > 0);
  return first < 0 ? [] : counts.slice(first);
}

/** Forecasts today from previous days, and stores the forecast so that it can be judged. */
async function describeForecast(context: AgentContext, findings: Findings): Promise<void> {
  const { tenant, ports, receivedAt } = context;
  const today = Math.floor(receivedAt / DAY_MS) * DAY_MS;
  const found = forecast({ counts: await dailyCounts(context, today), perDay: 1 }, 1);
  const kind = 'query';
  if ('reason' in found) {
    const ref = findings.add({ kind, id: 'forecast', label: 'forecast', facts: [], href: QUERY });
    return findings.say(found.reason, [ref]);
  }
  const { value, low80, high80 } = firstItem(found.predicted);
  // Rounding errors must not widen the interval by a whole event.
  const [low, high] = [Math.floor(low80 + ROUNDING), Math.ceil(high80 - ROUNDING)];
  const kept = { id: forecastId(today), from: today, to: today + DAY_MS, value, low, high };
  await storeForecast(ports.records, tenant, kept);
  const facts = factsOf({ expected: Math.round(value), low, high });
  const ref = findings.add({ kind, id: kept.id, label: 'forecast for today', facts, href: QUERY });
  const text = `Forecast for today: ${counted(Math.round(value), 'new event')} (80% interval ${low}–${high}).`;
  findings.say(text, [ref], 'likely');
}

async function describeUsage({ ports, tenant }: AgentContext, findings: Findings): Promise<void> {
  const { total, budget } = await monitorUsage(ports, tenant, { groupBy: 'service' });
  const facts = factsOf({ 'tokens today': budget.used, 'tokens a day': budget.limit, cost: total?.cost ?? 0 });
  const ref = findings.add({ kind: 'query', id: 'ai-usage', label: 'AI usage', facts, href: USAGE });
  const used = budget.used === 0 ? 'none' : String(budget.used);
  findings.say(`AI used ${used} of ${budget.limit} tokens today.`, [ref]);
}

const FORECAST =
  /\b(?:forecast|predict|expect|today|will|tomorrow|trend|grow|worse|better|rise|rising|more|fewer|capacity)/i;

/** Answers questions about AI cost or counts directly; otherwise describes trend, forecast and AI usage. */
export async function capacity(context: AgentContext, { range, reading, desk }: AgentQuestion): Promise<RulesAnswer> {
  const { query } = reading.asked;
  const isCost = query?.metric === 'ai_cost';
  const isNarrow = query !== null && (Object.keys(query.filters).length > 0 || query.groupBy !== null);
  if (isCost || (isNarrow && !FORECAST.test(reading.lower))) {
    await numbers(desk);
    if (isCost) await describeUsage(context, desk.findings);
    const reasoning = `Counted from ${isCost ? 'AI usage records' : 'stored events'}.`;
    return { findings: desk.findings, confidence: 1, reasoning, abstained: !isCost && desk.isAbstained };
  }
  const findings = new Findings();
  await describeTrend(context, findings, reading.time?.range ?? range);
  await describeForecast(context, findings);
  await describeUsage(context, findings);
  const reasoning =
    'Compared new events with the previous period; only differences significant at the 95% level count as a change.';
  return { findings, confidence: 1, reasoning, abstained: false };
}
