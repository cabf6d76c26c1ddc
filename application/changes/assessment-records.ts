import type { ChangeType } from '#domain/change/change-type.ts';
import type { RiskLevel } from '#domain/change/risk.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

const ASSESSMENT_KIND = 'change-assessment';
export const KEPT_MS = 400 * 86_400_000;
/** The newest ones, which later assessments look at. */
const MOST = 500;

/** A planned change as it was judged. */
export interface StoredAssessment {
  /** ULID. */
  readonly id: string;
  readonly ciId: string;
  readonly type: ChangeType;
  /** As the caller called it. */
  readonly said: string;
  readonly description: string | null;
  readonly at: number;
  readonly by: string;
  readonly plannedAt: number | null;
  readonly durationMs: number | null;
  readonly riskScore: number;
  readonly riskLevel: RiskLevel;
  /** Ids of what would have failed with the CI, the nearest 50, and of services. */
  readonly impacted: readonly string[];
  readonly services: readonly string[];
}

export const keepAssessment = (records: RecordStore, tenant: string, assessment: StoredAssessment): Promise<number> =>
  records.put(tenant, ASSESSMENT_KIND, assessment.id, assessment, { expiresAt: assessment.at + KEPT_MS });

/** Newest first; of one change that was judged several times the last one. */
export async function latestAssessments(records: RecordStore, tenant: string): Promise<StoredAssessment[]> {
  const stored = await records.list<StoredAssessment>(tenant, ASSESSMENT_KIND, { limit: MOST, descending: true });
  const changes = new Map<string, StoredAssessment>();
  for (const { body } of stored) {
    const key = `${body.ciId} ${body.type} ${body.plannedAt}`;
    if (!changes.has(key)) changes.set(key, body);
  }
  return [...changes.values()];
}
