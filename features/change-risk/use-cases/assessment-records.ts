import { leastUlidAt } from '#domain/access/ulid-time.ts';
import { notFound } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { AnswerEvidence } from '#features/ai/use-cases/answer.ts';
import type { ChangeType } from '#features/change-risk/rules/change-type.ts';
import type { Factor } from '#features/change-risk/rules/factor.ts';
import type { RiskLevel } from '#features/change-risk/rules/risk.ts';

const ASSESSMENT_KIND = 'change-assessment';
export const KEPT_MS = 400 * 86_400_000;
/** The newest ones, which later assessments look at. */
export const MOST_ASSESSMENTS = 500;
/** Limit of a report. */
const MAX_IN_RANGE = 5_000;

/** A planned change as it was judged. */
export interface StoredAssessment {
  /** ULID. */
  readonly id: string;
  readonly ciId: string;
  readonly type: ChangeType;
  /** Name as entered by the caller. */
  readonly said: string;
  readonly description: string | null;
  readonly at: number;
  readonly by: string;
  readonly plannedAt: number | null;
  readonly durationMs: number | null;
  readonly riskScore: number;
  readonly riskLevel: RiskLevel;
  /** Probability of a failure, 0 to 1. */
  readonly probability: number;
  /** IDs of the nearest 50 CIs that would fail with the CI, and of services. */
  readonly impacted: readonly string[];
  readonly services: readonly string[];
}

export const storeAssessment = (records: RecordStore, tenant: string, assessment: StoredAssessment): Promise<number> =>
  records.put(tenant, ASSESSMENT_KIND, assessment.id, assessment, { expiresAt: assessment.at + KEPT_MS });

/** Words are stored apart, since later assessments read many records without them. */
const WORDS_KIND = 'change-assessment-words';

/** The answer about a planned change. */
export interface AssessmentWords {
  readonly summary: string;
  readonly probability: number;
  readonly impact: number;
  readonly confidence: number;
  readonly factors: readonly Factor[];
  readonly recommendations: readonly string[];
  readonly grounds: AnswerEvidence;
  /** True if they cite events; only callers who may read events receive them. */
  readonly hasEvents: boolean;
}

export const storeWording = (
  records: RecordStore,
  tenant: string,
  { id, at }: Pick<StoredAssessment, 'id' | 'at'>,
  words: AssessmentWords,
): Promise<number> => records.put(tenant, WORDS_KIND, id, words, { expiresAt: at + KEPT_MS });

export const wordsOf = async (records: RecordStore, tenant: string, id: string): Promise<AssessmentWords | null> =>
  (await records.get<AssessmentWords>(tenant, WORDS_KIND, id))?.body ?? null;

/** Throws Fault `not-found`. */
export async function findAssessment(records: RecordStore, tenant: string, id: string): Promise<StoredAssessment> {
  const stored = await records.get<StoredAssessment>(tenant, ASSESSMENT_KIND, id);
  if (stored === null) throw notFound('Assessment', id);
  return stored.body;
}

/** Retains the latest of several assessments of one change. */
function lastOnes(newestFirst: readonly StoredAssessment[]): StoredAssessment[] {
  const changes = new Map<string, StoredAssessment>();
  for (const one of newestFirst) {
    const key = `${one.ciId} ${one.type} ${one.plannedAt}`;
    if (!changes.has(key)) changes.set(key, one);
  }
  return [...changes.values()];
}

/** Newest first; of one change that was judged several times the last one. */
export async function latestAssessments(records: RecordStore, tenant: string): Promise<StoredAssessment[]> {
  const stored = await records.list<StoredAssessment>(tenant, ASSESSMENT_KIND, {
    limit: MOST_ASSESSMENTS,
    descending: true,
  });
  return lastOnes(stored.map(({ body }) => body));
}

/** Returns the newest 5,000 assessments of a range (ms), one per change. */
export async function assessmentsBetween(
  records: RecordStore,
  tenant: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<StoredAssessment[]> {
  const found: StoredAssessment[] = [];
  for (let after = leastUlidAt(to); found.length < MAX_IN_RANGE; ) {
    const page = await records.list<StoredAssessment>(tenant, ASSESSMENT_KIND, {
      after,
      limit: MOST_ASSESSMENTS,
      descending: true,
    });
    for (const { body } of page) if (body.at >= from && body.at < to) found.push(body);
    const last = page.at(-1);
    if (last === undefined || page.length < MOST_ASSESSMENTS || last.body.at < from) break;
    after = last.id;
  }
  return lastOnes(found);
}
