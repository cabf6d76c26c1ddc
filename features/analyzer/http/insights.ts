import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { firstItem, itemAt } from '#domain/assert.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { percent } from '#domain/numbers.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { dependenciesOf, redundancyOf, scalabilityOf } from '#features/analyzer/rules/insights/describe-structure.ts';
import type { ServiceView } from '#features/analyzer/rules/insights/service-view.ts';
import type { RiskKind } from '#features/analyzer/rules/servers/risks.ts';
import { InsightsIntoService, mappedServers, ServiceInsightsBody } from '#features/analyzer/schemas/insights.ts';
import { givenLink } from '#features/analyzer/schemas/servers.ts';
import {
  giveInsights,
  type ServerInsightsAsked,
  type ServiceInsights,
} from '#features/analyzer/use-cases/give-insights.ts';
import { asking, BASE, MAX_BYTES } from './common.ts';

type InsightsBody = Omit<z.output<typeof ServiceInsightsBody>, 'success'>;

/** Risks of unauthorized reads or changes. */
const SECURITY: ReadonlySet<RiskKind> = new Set([
  'frontend_to_data',
  'data_from_outside',
  'mixed_environments',
  'clear_text',
]);
const MAX_DOWNSTREAM = 100;

const businessImpact = ({ impact: { services, below } }: ServiceView): InsightsBody['businessImpact'] => ({
  criticality: CRITICALITIES.find((one) => services.some(({ criticality }) => criticality === one)) ?? 'not known',
  affectedUsers: 'not known',
  downstreamDependencies: [...services, ...below].slice(0, MAX_DOWNSTREAM).map(({ name }) => name),
});

const technicalAnalysis = ({ view, said, risks }: ServiceInsights): InsightsBody['technicalAnalysis'] => ({
  redundancy: redundancyOf(view),
  scalability: scalabilityOf(view.structure),
  performanceBottlenecks: view.bottlenecks.map(
    ({ server, callers, betweenness }) =>
      `${server.hostname}: ${callers} servers connect to it; ${percent(betweenness)} of paths between other servers pass through it`,
  ),
  securityConcerns: risks.filter((_, index) => SECURITY.has(itemAt(said.risks, index).risk.kind)),
});

const findings = ({ said, risks }: ServiceInsights): InsightsBody['findings'] =>
  said.risks.map(({ risk, ref }, index) => ({
    kind: risk.kind,
    severity: risk.severity,
    text: itemAt(risks, index),
    recommendation: risk.recommendation,
    ref,
    ciIds: risk.servers.map(({ id }) => id),
  }));

function bodyOf(insights: ServiceInsights): InsightsBody {
  const { view, said, summary, architecture, risks, grounds } = insights;
  const { criticalNodes, tierDistribution, ...counts } = view.structure.metrics;
  const recommendations = said.risks.map(({ risk }) => `${firstItem(risk.servers).hostname}: ${risk.recommendation}.`);
  return {
    summary,
    insights: {
      architecture,
      dependencies: dependenciesOf(view.structure),
      risks: [...risks],
      recommendations: [...new Set(recommendations)],
      anomalies: [...said.anomalies],
    },
    businessImpact: businessImpact(view),
    technicalAnalysis: technicalAnalysis(insights),
    structureMetrics: {
      ...counts,
      tierDistribution: { ...tierDistribution },
      criticalNodes: criticalNodes.map(({ id, hostname, connectionCount, role, betweenness }) => ({
        ciId: id,
        hostname,
        connectionCount,
        role,
        betweenness,
      })),
    },
    findings: findings(insights),
    ...evidenceBody(grounds),
  };
}

export const insightsIntoService = endpoint<ServerInsightsAsked, ServiceInsights>({
  ...asking,
  id: 'analyzer.insights',
  headers: AiModeHeader,
  summary: 'Analyze service structure and risks',
  description:
    'Accepts the map from classify. Read-only. Also requires cmdb.read; without events.read, events are ignored. A model only phrases the findings.',
  mounts: on.ai.post(`${BASE}/insights`, {
    body: InsightsIntoService,
    maxBytes: MAX_BYTES,
    itemDepth: 3,
    reply: ServiceInsightsBody,
    read: ({ body, headers }) => ({
      servers: mappedServers(body.serviceMap),
      links: body.connections.map(givenLink),
      description: body.serviceDescription ?? null,
      mode: aiMode(headers),
    }),
    present: (insights) => ({ body: bodyOf(insights) }),
  }),
  handle: (asked, context) => giveInsights(context, asked),
});
