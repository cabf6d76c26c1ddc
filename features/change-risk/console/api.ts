import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type {
  AnalyzeChange,
  AnalyzedChangeBody,
  ListedChangesBody,
  StoredAssessmentBody,
} from '#features/change-risk/schemas/changes.ts';

type ListedChanges = z.output<typeof ListedChangesBody>;
export type ListedChangeData = ListedChanges['changes'][number];
export type AssessmentData = z.output<typeof StoredAssessmentBody>;

export interface ListedRange {
  readonly from?: number;
  readonly to?: number;
}

export const listChanges = (call: Call, range: ListedRange, signal?: AbortSignal): Promise<ListedChanges> =>
  call('GET /api/change-analysis/changes', { query: { ...range }, signal });

export const readAssessment = (call: Call, id: string, signal?: AbortSignal): Promise<AssessmentData> =>
  call('GET /api/change-analysis/assessments/{assessmentId}', { params: { assessmentId: id }, signal });

export const assessChange = (
  call: Call,
  body: z.input<typeof AnalyzeChange>,
): Promise<z.output<typeof AnalyzedChangeBody>> => call('POST /api/change-analysis/analyze', { body });
