import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { UsageRow } from '#features/ai/rules/usage.ts';
import { MonitoringQuery, MonitoringReply } from '#features/ai/schemas/monitoring.ts';
import { type MonitoredUsage, monitorUsage, type UsageQuery } from '#features/ai/use-cases/monitor-usage.ts';

const averageOf = (sum: UsageRow | null): number => (sum === null ? 0 : Math.round(sum.latencyMs / sum.calls));
const NONE = { service: null, model: null, day: null, department: null };

const view = ({ groupBy, groups, total, rulesAnswers, budget }: MonitoredUsage) => ({
  metrics: groups.map(({ of, sum }) => ({
    ...NONE,
    [groupBy]: of,
    callCount: sum.calls,
    inputTokens: sum.input,
    outputTokens: sum.output,
    estimatedCost: sum.cost,
    averageLatency: averageOf(sum),
    errorRate: sum.failed / sum.calls,
  })),
  summary: {
    totalTokens: (total?.input ?? 0) + (total?.output ?? 0),
    estimatedCost: total?.cost ?? 0,
    priced: total?.priced ?? false,
    totalCalls: total?.calls ?? 0,
    averageLatency: averageOf(total),
    rulesAnswers,
    budget,
  },
});

export const monitorAi = endpoint<UsageQuery, MonitoredUsage>({
  id: 'ai.monitoring',
  summary: 'Get AI usage',
  description: 'Default: the last 30 days. At most 400 days.',
  tag: 'AI',
  permission: 'settings.read',
  limit: 'ai',
  mounts: on.ai.get('/monitoring/ai', {
    query: MonitoringQuery,
    reply: MonitoringReply,
    read: ({ query }) => query,
    present: (usage) => ({ body: view(usage) }),
  }),
  handle: (query, { ports, tenant }) => monitorUsage(ports, tenant, query),
});
