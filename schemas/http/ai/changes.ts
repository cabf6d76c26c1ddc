import { z } from 'zod';
import { FACTORS } from '#domain/change/factor.ts';
import { plannedDuration } from '#domain/change/planned-duration.ts';
import { RISK_LEVELS } from '#domain/change/risk.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';
import { groundsFields } from './grounds.ts';

/** Planned changes and their risk (docs/ai-cmdb.md). */

const DURATION = 'expected 2h30m, an ISO 8601 duration (PT2H30M) or minutes, at most 90 days';
const Duration = z
  .union([z.string().max(64), z.number()], { error: DURATION })
  .transform((value, ctx) => {
    const ms = plannedDuration(String(value));
    if (ms !== null) return ms;
    ctx.addIssue({ code: 'custom', message: DURATION });
    return z.NEVER;
  })
  .meta({ description: '2h30m, an ISO 8601 duration or a number of minutes' });

const asked = {
  ciId: z.string().trim().min(1).max(255),
  changeType: z.string().trim().min(1).max(255).meta({
    description: 'restart, patch, config, hardware, upgrade, network, database, decommission, other; or free words',
  }),
};
export const AnalyzeChange = z
  .strictObject({
    ...asked,
    description: z.string().max(32_768).optional(),
    plannedDuration: Duration.optional(),
    plannedTime: Time.optional(),
  })
  .meta({ id: 'AnalyzeChange' });
export const QuickAssess = z.strictObject(asked).meta({ id: 'QuickAssessChange' });

const share = z.number().min(0).max(1);
const Factor = z
  .object({
    name: z.enum(FACTORS),
    value: z.union([z.string(), z.number()]),
    effect: z.number().meta({
      description:
        'A chance for change_type and history; a part of what is at stake for criticality, blast_radius and service; else a multiplier',
    }),
    refs: z.array(z.string()).meta({ description: 'Aliases of citations' }),
  })
  .meta({ id: 'ChangeFactor' });

const risk = {
  riskScore: z.int().min(0).max(100),
  riskLevel: z.enum(RISK_LEVELS),
  summary: z.string(),
  probability: share.meta({ description: 'Chance that the change fails' }),
  impact: share.meta({ description: 'What is at stake' }),
  confidence: share,
  changeType: z.string().meta({ description: 'The kind that the words were taken for' }),
  factors: z.array(Factor),
};
export const QuickAssessedBody = succeeded({ ...risk, ...groundsFields });
export const AnalyzedChangeBody = succeeded({
  ...risk,
  assessmentId: z.string(),
  affectedSystems: z
    .array(
      z.object({
        ...{ ciId: z.string(), name: z.string(), criticality: z.enum(CRITICALITIES) },
        impact: z.enum(['outage', 'degraded', 'protected']),
      }),
    )
    .meta({ description: 'The nearest first, at most 100' }),
  upstreamDependencies: z.array(z.string()).meta({ description: 'Names of CIs that it needs, at most 3 hops away' }),
  recommendations: z.array(z.string()),
  historicalIncidents: z
    .array(z.object({ date: IsoTime, type: z.string(), impact: z.string(), eventId: z.string(), title: z.string() }))
    .meta({ description: 'Severe events on the CI within 400 days, newest first, at most 20' }),
  conflicts: z
    .array(
      z.object({
        ...{ assessmentId: z.string(), ciId: z.string(), name: z.string(), changeType: z.string() },
        plannedTime: IsoTime,
        reason: z.enum(['same_ci', 'within_two_hops', 'common_service']),
      }),
    )
    .meta({ description: 'Other changes near by at the same time' }),
  ...groundsFields,
});
