import type { z } from 'zod';
import { rounded } from '#domain/numbers.ts';
import { groundsBody } from '#features/ai/schemas/grounds.ts';
import { weightOf } from '#features/change-risk/rules/risk.ts';
import type { KeptAssessmentBody, PastChangesBody } from '#features/change-risk/schemas/changes.ts';
import type { KeptAssessment, PastChanges } from '#features/change-risk/use-cases/past-changes.ts';
import { iso } from '#schemas/http/time.ts';
import { factorBody } from './present-change.ts';

const MINUTE_MS = 60_000;
const NO_WORDS = {
  summary: null,
  probability: null,
  impact: null,
  confidence: null,
  factors: [],
  recommendations: [],
  grounds: { generatedBy: 'rules', model: null, abstained: false, degraded: null, citations: [] },
} as const;

export const keptBody = ({
  assessment,
  words,
}: KeptAssessment): Omit<z.output<typeof KeptAssessmentBody>, 'success'> => {
  const { id, ciId, type, said, description, at, plannedAt, durationMs, riskScore, riskLevel } = assessment;
  const { summary, probability, impact, confidence, factors, recommendations, grounds } = words ?? NO_WORDS;
  return {
    assessmentId: id,
    ciId,
    changeType: type,
    said,
    description,
    assessedAt: iso(at),
    plannedTime: plannedAt === null ? null : iso(plannedAt),
    plannedMinutes: durationMs === null ? null : durationMs / MINUTE_MS,
    riskScore,
    riskLevel,
    summary,
    probability,
    impact,
    confidence,
    factors: factors.map(factorBody),
    recommendations: [...recommendations],
    ...groundsBody(grounds),
  };
};

export const pastBody = ({
  ciId,
  type,
  prior,
  probability,
  earlier,
  at,
}: PastChanges): Omit<z.output<typeof PastChangesBody>, 'success'> => ({
  ciId,
  changeType: type,
  prior,
  probability: rounded(probability),
  changes: earlier.map((one) => ({
    date: iso(at - one.ageMs),
    failed: one.isFailed,
    elsewhere: one.isElsewhere,
    weight: rounded(weightOf(one)),
  })),
});
