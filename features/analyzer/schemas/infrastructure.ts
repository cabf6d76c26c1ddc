import { z } from 'zod';
import type { Claim } from '#domain/ai/evidence.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { TIERS } from '#features/analyzer/rules/catalogue/roles.ts';
import { CATEGORIES } from '#features/analyzer/rules/communities/category.ts';
import type { FoundService } from '#features/analyzer/rules/communities/found-service.ts';
import { ClaimBody, claimBody } from '#schemas/http/claims.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { pagination } from '#schemas/http/paging.ts';
import { IsoTime } from '#schemas/http/time.ts';

/** The infrastructure analysis as it is asked for and as it leaves (docs/services.md). */

const SESSION_ID = /^[A-Za-z0-9_-]{8,128}$/;
const sessionId = z
  .string()
  .regex(SESSION_ID, 'expected 8 to 128 letters, digits, hyphens or underscores')
  .meta({ example: 'nightly-2026-11-23' });

export const AnalysisRequest = z.strictObject({
  tenantId: z.string().min(1).max(255).optional().meta({ description: 'Tenant of the caller' }),
  sessionId: sessionId.optional().meta({ description: 'Generated if omitted' }),
});
export type AnalysisRequest = z.output<typeof AnalysisRequest>;

export const SessionPath = z.object({ sessionId });

export const AnalysisStarted = succeeded({
  message: z.string(),
  sessionId: z.string(),
  streamUrl: z.string().meta({ description: 'Progress stream; requires no other credential for one hour' }),
});

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;
const MAX_PAGE = 10_000;
export const ResultQuery = z.strictObject({
  page: wholeNumber(1, MAX_PAGE).default(1),
  limit: wholeNumber(1, MAX_LIMIT).default(DEFAULT_LIMIT),
});
export type ResultQuery = z.output<typeof ResultQuery>;

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const tier = z.enum([...TIERS, 'unclassified']);

const Member = z
  .object({
    ciId: z.string(),
    name: z.string(),
    type: z.string(),
    role: z.string(),
    tier,
    confidence: share.meta({ description: 'Confidence of the tier' }),
  })
  .meta({ id: 'FoundMember' });

const Service = z
  .object({
    name: z.string().meta({ example: 'Billing' }),
    category: z.enum(CATEGORIES),
    environment: z.string().nullable().meta({ example: 'production' }),
    confidence: share.meta({ description: 'Confidence that these CIs form one complete service' }),
    size: count.meta({ description: 'Members' }),
    truncated: z.boolean().meta({ description: 'True if there are more members' }),
    members: z.array(Member),
    tiers: z.record(z.enum(TIERS), count),
    entryPoints: z.array(z.string()).meta({ description: 'Entry-point CIs' }),
    core: z.array(z.string()).meta({ description: 'CIs on most paths within the service' }),
    connections: z.object({ within: count, leaving: count }),
    connectedTo: z.array(z.object({ name: z.string(), connections: count })),
    evidence: z.array(ClaimBody),
  })
  .meta({ id: 'FoundService' });
type Service = z.output<typeof Service>;

export const AnalysisResult = succeeded({
  sessionId: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  startedAt: IsoTime,
  completedAt: IsoTime.nullable(),
  error: z.string().nullable(),
  progress: z
    .object({ step: z.string(), message: z.string(), current: count, total: count })
    .nullable()
    .meta({ description: 'Available while the session is running' }),
  statistics: z.object({
    cis: count,
    relationships: count,
    connections: count,
    hubs: count,
    cutLinks: count,
    components: count,
    services: count,
    unassigned: count,
    truncated: z.boolean().meta({ description: 'True if the CMDB has more CIs than were read' }),
  }),
  services: z.array(Service).meta({ description: 'Highest confidence first' }),
  pagination,
  ...evidenceFields,
});

/** A found service with the sentences that it stands on, as it leaves. */
export const serviceBody = ({
  members,
  linksWithin,
  linksLeaving,
  connectedTo,
  evidence,
  ...service
}: FoundService & { readonly evidence: readonly Claim[] }): Service => ({
  name: service.name,
  category: service.category,
  environment: service.environment,
  confidence: service.confidence,
  size: service.size,
  truncated: members.length < service.size,
  members: members.map(({ ciId, name, type, role, tier: of, confidence }) => ({
    ciId,
    name,
    type,
    role,
    tier: of,
    confidence,
  })),
  tiers: { ...service.tiers },
  entryPoints: [...service.entryPoints],
  core: [...service.core],
  connections: { within: linksWithin, leaving: linksLeaving },
  connectedTo: connectedTo.map(({ name, links }) => ({ name, connections: links })),
  evidence: evidence.map(claimBody),
});
