import { z } from 'zod';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { CHANGE_TYPES } from '#features/change-risk/rules/change-type.ts';
import { FACTORS } from '#features/change-risk/rules/factor.ts';
import { plannedDuration } from '#features/change-risk/rules/planned-duration.ts';
import { RISK_LEVELS } from '#features/change-risk/rules/risk.ts';
import { digitsPattern } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';

/** Planned changes and their risk (docs/insights.md). */

const DURATION = 'expected 2h30m, an ISO 8601 duration (PT2H30M) or minutes, at most 90 days';
/** Up to 90 days, for readers of the document. */
const MINUTES = { type: 'integer', minimum: 1, maximum: 129_600 } as const;
const [minutes, hours, days] = [129_600, 2_159, 89].map((most) => digitsPattern(1, most)) as [string, string, string];
const [more, ofDay] = [digitsPattern(0, 59), digitsPattern(0, 23)];
const DURATION_PATTERN = `^\\s*(?:${[
  `${minutes}(?: ?m(?:in)?)?`,
  `${hours} ?h(?: ?${more} ?m)?`,
  `${hours}\\.\\d{1,3} ?h`,
  `${days} ?d(?: ?${ofDay} ?h)?(?: ?${more} ?m)?`,
  `90 ?d`,
  `P${digitsPattern(1, 12)}W`,
  `P${days}D(?:T(?:${ofDay}H)?(?:${more}M)?)?`,
  `PT${hours}H(?:${more}M)?`,
  `PT${minutes}M`,
].join('|')})\\s*$`;
const Duration = z
  .union([z.string().max(64).meta({ pattern: DURATION_PATTERN }), z.number().meta(MINUTES)], { error: DURATION })
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
    description: 'restart, patch, config, hardware, upgrade, network, database, decommission, other; or free text',
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
        'Probability for change_type and history; share of the potential impact for criticality, blast_radius and service; otherwise a multiplier',
    }),
    refs: z.array(z.string()).meta({ description: 'Aliases of citations' }),
  })
  .meta({ id: 'ChangeFactor' });

const risk = {
  riskScore: z.int().min(0).max(100),
  riskLevel: z.enum(RISK_LEVELS),
  summary: z.string(),
  probability: share.meta({ description: 'Probability that the change fails' }),
  impact: share.meta({ description: 'Potential impact' }),
  confidence: share,
  changeType: z.enum(CHANGE_TYPES).meta({ description: 'Detected change type' }),
  factors: z.array(Factor),
};
export const QuickAssessedBody = succeeded({ ...risk, ...evidenceFields });

export const AssessmentPath = z.object({ assessmentId: z.string() });
const score = share.nullable().meta({ description: 'null without text' });
/** Stored assessment. Without words for callers who may not read the cited events. */
export const StoredAssessmentBody = succeeded({
  assessmentId: z.string(),
  ciId: z.string(),
  changeType: z.enum(CHANGE_TYPES),
  said: z.string().meta({ description: 'Change type as requested' }),
  description: z.string().nullable(),
  assessedAt: IsoTime,
  plannedTime: IsoTime.nullable(),
  plannedMinutes: z.number().nullable(),
  riskScore: risk.riskScore,
  riskLevel: risk.riskLevel,
  summary: z.string().nullable().meta({ description: 'null without text' }),
  probability: score,
  impact: score,
  confidence: score,
  factors: risk.factors,
  recommendations: z.array(z.string()),
  ...evidenceFields,
});

export const PastQuery = z.strictObject(asked);
export const PastChangesBody = succeeded({
  ciId: z.string(),
  changeType: z.enum(CHANGE_TYPES),
  prior: share.meta({ description: 'Base failure rate of this change type' }),
  probability: share.meta({ description: 'Estimated failure rate including earlier changes' }),
  changes: z
    .array(
      z.object({
        date: IsoTime,
        failed: z.boolean(),
        elsewhere: z.boolean().meta({ description: 'True for the same change type on another CI' }),
        weight: share.meta({ description: 'Weight; the base rate has weight 8' }),
      }),
    )
    .meta({ description: 'Earlier changes, newest first' }),
});

export const ListQuery = z.strictObject({
  from: Time.optional().meta({ description: '30 days ago if absent' }),
  to: Time.optional().meta({ description: 'In 90 days if absent' }),
});
const ListedChange = z
  .object({
    kind: z
      .enum(['planned', 'reported'])
      .meta({ description: 'Assessed in advance, or an event of a monitor or pipeline' }),
    id: z.string().meta({ description: 'Assessment ID or event ID' }),
    title: z.string().meta({ description: 'Change type as requested, or title of the event' }),
    start: IsoTime.meta({ description: 'Planned time, or the time of the assessment without one' }),
    end: IsoTime.nullable().meta({ description: 'null without a duration' }),
    hasTime: z.boolean().meta({ description: 'False for an assessment without a planned time' }),
    ciId: z.string().nullable(),
    place: z.string().nullable().meta({ description: 'Name of the CI, otherwise the hostname' }),
    riskScore: risk.riskScore.nullable().meta({ description: 'null for reported changes' }),
    riskLevel: risk.riskLevel.nullable(),
    by: z.string().nullable().meta({ description: 'User who assessed it, or the source of the event' }),
  })
  .meta({ id: 'ListedChange' });
export const ListedChangesBody = succeeded({
  changes: z.array(ListedChange).meta({ description: 'Latest start first' }),
  truncated: z.boolean().meta({ description: 'True if the range may contain more than 500 changes of a kind' }),
});
export const AnalyzedChangeBody = succeeded({
  ...risk,
  assessmentId: z.string(),
  affectedSystems: z
    .array(
      z.object({
        ciId: z.string(),
        name: z.string(),
        criticality: z.enum(CRITICALITIES),
        impact: z.enum(['outage', 'degraded', 'protected']),
      }),
    )
    .meta({ description: 'Nearest first, up to 100' }),
  upstreamDependencies: z.array(z.string()).meta({ description: 'Names of CIs it depends on, up to 3 hops' }),
  recommendations: z.array(z.string()),
  historicalIncidents: z
    .array(z.object({ date: IsoTime, type: z.string(), impact: z.string(), eventId: z.string(), title: z.string() }))
    .meta({ description: 'Severe events on the CI within 400 days, newest first, at most 20' }),
  conflicts: z
    .array(
      z.object({
        assessmentId: z.string(),
        ciId: z.string(),
        name: z.string(),
        changeType: z.string(),
        plannedTime: IsoTime,
        reason: z.enum(['same_ci', 'within_two_hops', 'common_service']),
      }),
    )
    .meta({ description: 'Other changes on related CIs at the same time' }),
  ...evidenceFields,
});
