import type { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { firstItem, itemAt } from '#domain/known.ts';
import { percent } from '#domain/numbers.ts';
import { aiMode, groundsBody } from '#features/ai/schemas/grounds.ts';
import { dependenciesOf, redundancyOf, scalabilityOf } from '#features/analyzer/rules/insights/say-structure.ts';
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

type Body = Omit<z.output<typeof ServiceInsightsBody>, 'success'>;

/** Of what others may read or change. */
const SECURITY: ReadonlySet<RiskKind> = new Set([
  'frontend_to_data',
  'data_from_outside',
  'mixed_environments',
  'clear_text',
]);
const MAX_DOWNSTREAM = 100;

const businessImpact = ({ impact: { services, below } }: ServiceView): Body['businessImpact'] => ({
  criticality: CRITICALITIES.find((one) => services.some(({ criticality }) => criticality === one)) ?? 'not known',
  affectedUsers: 'not known',
  downstreamDependencies: [...services, ...below].slice(0, MAX_DOWNSTREAM).map(({ name }) => name),
});

const technicalAnalysis = ({ view, said, risks }: ServiceInsights): Body['technicalAnalysis'] => ({
  redundancy: redundancyOf(view),
  scalability: scalabilityOf(view.structure),
  performanceBottlenecks: view.bottlenecks.map(
    ({ server, callers, betweenness }) =>
      `${server.hostname}: ${callers} servers connect to it, and ${percent(betweenness)} of the ways between others pass it`,
  ),
  securityConcerns: risks.filter((_, index) => SECURITY.has(itemAt(said.risks, index).risk.kind)),
});

const findings = ({ said, risks }: ServiceInsights): Body['findings'] =>
  said.risks.map(({ risk, ref }, index) => ({
    kind: risk.kind,
    severity: risk.severity,
    text: itemAt(risks, index),
    recommendation: risk.recommendation,
    ref,
    ciIds: risk.servers.map(({ id }) => id),
  }));

function bodyOf(insights: ServiceInsights): Body {
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
    ...groundsBody(grounds),
  };
}

export const insightsIntoService = endpoint<ServerInsightsAsked, ServiceInsights>({
  ...asking,
  id: 'analyzer.insights',
  summary: 'Tell how a service is built and what endangers it',
  description:
    'Takes the map that classify returns; nothing is stored. Needs cmdb.read too; without events.read no event counts. Header X-AI-Mode: rules, model or auto; a model words what rules have found.',
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: `${BASE}/insights`,
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
  ],
  handle: (asked, context) => giveInsights(context, asked),
});
