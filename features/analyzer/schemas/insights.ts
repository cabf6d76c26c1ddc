import { z } from 'zod';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { TIERS, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import { RISK_KINDS, RISK_SEVERITIES } from '#features/analyzer/rules/servers/risks.ts';
import { always } from '#schemas/http/always.ts';
import { FILLED_LIST, fieldsOf, oneShapeOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { Connections, MAX_SERVERS, optionalText, ServiceDescription, shortText } from './servers.ts';

/** Schemas of the structure and the risks of a service (docs/services.md). */

const Mapped = z.looseObject({ ciId: shortText, hostname: optionalText, role: optionalText, tier: optionalText });
const OfTier = z.looseObject({ servers: z.array(shortText).max(MAX_SERVERS) });
const EXPECTED = 'expected classifiedServers or serviceTiers from classify, with at least one server';

const FILLED_TIER = { type: 'object', required: ['servers'], properties: { servers: FILLED_LIST } };
/** The result of classify, whole or in parts. */
const ServiceMap = z
  .looseObject({
    classifiedServers: z.array(Mapped).max(MAX_SERVERS).nullish(),
    serviceTiers: z
      .looseObject({
        frontend: OfTier.nullish(),
        application: OfTier.nullish(),
        data: OfTier.nullish(),
        infrastructure: OfTier.nullish(),
      })
      .nullish(),
  })
  .check(
    always(({ value, issues }) => {
      const listed = Array.isArray(value.classifiedServers) && value.classifiedServers.length > 0;
      const tiers = TIERS.some((tier) => (value.serviceTiers?.[tier]?.servers?.length ?? 0) > 0);
      if (!listed && !tiers)
        issues.push({ code: 'custom', input: value, path: ['classifiedServers'], message: EXPECTED });
    }),
  )
  .meta({
    id: 'ServiceMap',
    description: 'Result of classify',
    ...oneShapeOf(
      ...fieldsOf(FILLED_LIST, 'classifiedServers'),
      ...fieldsOf({ type: 'object', anyOf: TIERS.flatMap((tier) => fieldsOf(FILLED_TIER, tier)) }, 'serviceTiers'),
    ),
  });
type ServiceMap = z.output<typeof ServiceMap>;

export const InsightsIntoService = z
  .strictObject({
    serviceMap: ServiceMap,
    connections: Connections.default([]),
    serviceDescription: ServiceDescription,
  })
  .meta({ id: 'InsightsIntoService' });

interface MappedServer {
  readonly id: string;
  readonly hostname: string | null;
  readonly role: string;
  readonly tier: Tier | 'unclassified';
}

const tierOf = (word: string | null | undefined): MappedServer['tier'] =>
  TIERS.find((tier) => tier === word) ?? 'unclassified';

const ofTiers = ({ serviceTiers }: ServiceMap): MappedServer[] =>
  TIERS.flatMap((tier) =>
    (serviceTiers?.[tier]?.servers ?? []).map((id) => ({ id, hostname: null, role: 'unclassified', tier })),
  );

/** The servers of a map, each once. */
export function mappedServers(map: ServiceMap): MappedServer[] {
  const listed = (map.classifiedServers ?? []).map(({ ciId, hostname, role, tier }) => ({
    id: ciId,
    hostname: hostname || null,
    role: role || 'unclassified',
    tier: tierOf(tier),
  }));
  const all = listed.length > 0 ? listed : ofTiers(map);
  const seen = new Set<string>();
  return all.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, MAX_SERVERS);
}

const texts = z.array(z.string());
const Finding = z
  .object({
    kind: z.enum(RISK_KINDS),
    severity: z.enum(RISK_SEVERITIES),
    text: z.string(),
    recommendation: z.string(),
    ciIds: texts.meta({ description: 'Affected servers, most important first' }),
    ref: z.string().nullable().meta({ description: 'Citation; null if the evidence is too large' }),
  })
  .meta({ id: 'ServiceRisk' });

export const ServiceInsightsBody = succeeded({
  summary: z.string(),
  insights: z.object({
    architecture: z.string(),
    dependencies: texts,
    risks: texts,
    recommendations: texts,
    anomalies: texts,
  }),
  businessImpact: z.object({
    criticality: z
      .enum([...CRITICALITIES, 'not known'])
      .meta({ description: 'Highest criticality among business services on these servers' }),
    affectedUsers: z.string(),
    downstreamDependencies: texts.meta({ description: 'Business services and CIs that fail with these servers' }),
  }),
  technicalAnalysis: z.object({
    redundancy: z.string(),
    scalability: z.string(),
    performanceBottlenecks: texts,
    securityConcerns: texts,
  }),
  structureMetrics: z.object({
    serverCount: z.int(),
    connectionCount: z.int().meta({ description: 'Pairs of connected servers, per direction' }),
    connectionDensity: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'connectionCount as a share of all possible pairs, per direction' }),
    tierDistribution: z.record(z.string(), z.int()),
    criticalNodes: z
      .array(
        z.object({
          ciId: z.string(),
          hostname: z.string(),
          connectionCount: z.int(),
          role: z.string(),
          betweenness: z.number().min(0).max(1).meta({ description: 'Share of shortest paths through it' }),
        }),
      )
      .meta({ description: 'Up to 5 most central servers, excluding support systems' }),
  }),
  findings: z.array(Finding).meta({ description: 'Risks, most severe first' }),
  ...evidenceFields,
});
