import { searchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { AnswerEvidence } from '#features/ai/use-cases/answer.ts';
import { DAY_MS } from '#features/insights/rules/ci-picture.ts';

export const INSIGHT_KIND = 'ci-insight';
const KEPT_MS = 400 * DAY_MS;
/** Per CI; the oldest go first. */
const MAX_INSIGHTS = 100;

export interface StoredInsight {
  /** ULID. */
  readonly id: string;
  readonly ciId: string;
  /** The sentences, one a line. */
  readonly content: string;
  readonly generatedAt: number;
  readonly grounds: AnswerEvidence;
  /** True if it cites events; only callers who may read events receive it. */
  readonly hasEvents: boolean;
}

/** Insights of a CI are adjacent, in the order of time. */
const recordId = (ciId: string, id: string): string => `${ciId}/${id}`;
/** Upper bound of all IDs of the CI. */
const behind = (ciId: string): string => `${ciId}0`;

/** The newest insights of a CI first, the newest `limit` that the caller may see. */
export async function insightsOf(
  records: RecordStore,
  tenant: string,
  ciId: string,
  { limit, mayReadEvents }: { readonly limit: number; readonly mayReadEvents: boolean },
): Promise<StoredInsight[]> {
  const options = { after: behind(ciId), limit: MAX_INSIGHTS, descending: true };
  const stored = await records.list<StoredInsight>(tenant, INSIGHT_KIND, options);
  const own = stored.map(({ body }) => body).filter((insight) => insight.ciId === ciId);
  return own.filter(({ hasEvents }) => mayReadEvents || !hasEvents).slice(0, limit);
}

/** Permissions to see it. */
export const newestInsight = async (
  records: RecordStore,
  tenant: string,
  ciId: string,
): Promise<StoredInsight | null> =>
  (await insightsOf(records, tenant, ciId, { limit: 1, mayReadEvents: true }))[0] ?? null;

/** Stores an insight and drops the oldest beyond `MAX_INSIGHTS`. */
export async function storeInsight(
  { records, ids }: Pick<Ports, 'records' | 'ids'>,
  tenant: string,
  insight: StoredInsight,
): Promise<void> {
  const { ciId, id, generatedAt } = insight;
  const sideRecords = [searchDue({ ids }, tenant, [{ kind: 'insight', id: ciId }])];
  await records.put(tenant, INSIGHT_KIND, recordId(ciId, id), insight, {
    expiresAt: generatedAt + KEPT_MS,
    sideRecords,
  });
  const options = { after: behind(ciId), limit: 2 * MAX_INSIGHTS, descending: true };
  const stored = await records.list<StoredInsight>(tenant, INSIGHT_KIND, options);
  const own = stored.filter(({ body }) => body.ciId === ciId);
  for (const old of own.slice(MAX_INSIGHTS)) await records.remove(tenant, INSIGHT_KIND, old.id);
}
