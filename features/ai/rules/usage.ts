/** Outcomes of an attempt to ask the model; every one except `done` counts as an error. */
export const USAGE_OUTCOMES = [
  'done',
  'invalid_output',
  'refused',
  'rate_limited',
  'provider',
  'timeout',
  'aborted',
] as const;
type AttemptOutcome = (typeof USAGE_OUTCOMES)[number];

/** Record of kind `ai-usage`, in its tenant: one request to the provider, failed ones too. The id is a ULID of `at`. */
export interface AiUsage {
  /** End of the attempt, ms. */
  readonly at: number;
  readonly service: string;
  readonly model: string;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** True if the provider did not report the numbers. */
  readonly estimated: boolean;
  readonly cost: number;
  /** Prices were known; else the cost is 0. */
  readonly priced: boolean;
  readonly latencyMs: number;
  readonly outcome: AttemptOutcome;
  readonly department: string | null;
  readonly requestId: string | null;
}

/** Sums of attempts that are alike. */
export interface UsageRow {
  readonly service: string;
  readonly model: string;
  readonly department: string | null;
  readonly calls: number;
  readonly failed: number;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  /** Prices of all of them were known. */
  readonly priced: boolean;
  readonly latencyMs: number;
}

/** Sums of one day; a record of kind `ai-usage-day` once the day is over. */
export interface UsageDay {
  /** `2026-11-20`, UTC; also the id. */
  readonly day: string;
  readonly rows: readonly UsageRow[];
}

export const USAGE_KINDS = { attempt: 'ai-usage', day: 'ai-usage-day', rules: 'ai-rules-day' } as const;
export const DAY_MS = 24 * 3_600_000;
/** Retention of usage. */
export const USAGE_KEPT_MS = 400 * DAY_MS;
/** Rows of a day; departments are the caller's words, and further ones are summed as `other`. */
const MAX_ROWS = 500;

/** The day of a time, UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

type Keys = Pick<UsageRow, 'service' | 'model' | 'department'>;
const keyOf = ({ service, model, department }: Keys): string => JSON.stringify([service, model, department]);

const plus = (a: UsageRow, b: UsageRow): UsageRow => ({
  ...a,
  calls: a.calls + b.calls,
  failed: a.failed + b.failed,
  input: a.input + b.input,
  output: a.output + b.output,
  cost: a.cost + b.cost,
  priced: a.priced && b.priced,
  latencyMs: a.latencyMs + b.latencyMs,
});

const rowOf = ({ service, model, department, input, output, cost, priced, latencyMs, outcome }: AiUsage): UsageRow => ({
  service,
  model,
  department,
  input,
  output,
  cost,
  priced,
  latencyMs,
  calls: 1,
  failed: outcome === 'done' ? 0 : 1,
});

/** Sums one day as its attempts arrive. */
export class DaySums {
  readonly #rows = new Map<string, UsageRow>();

  add(usage: AiUsage): void {
    const row = rowOf(usage);
    const isNew = !this.#rows.has(keyOf(row));
    const kept = isNew && this.#rows.size >= MAX_ROWS ? { ...row, department: 'other' } : row;
    const key = keyOf(kept);
    const before = this.#rows.get(key);
    this.#rows.set(key, before === undefined ? kept : plus(before, kept));
  }

  get rows(): readonly UsageRow[] {
    return [...this.#rows.values()];
  }
}

export const GROUPINGS = ['service', 'model', 'day', 'department'] as const;
export type UsageGroupBy = (typeof GROUPINGS)[number];

/** One row per service, model, day or department, in the order of these; null: requests without a department. */
export const groupedBy = (
  grouping: UsageGroupBy,
  days: readonly UsageDay[],
): { readonly of: string | null; readonly sum: UsageRow }[] => {
  const groups = new Map<string | null, UsageRow>();
  for (const { day, rows } of days)
    for (const row of rows) {
      const of = grouping === 'day' ? day : row[grouping];
      const before = groups.get(of);
      groups.set(of, before === undefined ? row : plus(before, row));
    }
  return [...groups].map(([of, sum]) => ({ of, sum })).sort((a, b) => ((a.of ?? '') < (b.of ?? '') ? -1 : 1));
};

/** The sum of all rows; null when there is none. */
export const totalOf = (days: readonly UsageDay[]): UsageRow | null =>
  days.flatMap(({ rows }) => rows).reduce<UsageRow | null>((sum, row) => (sum === null ? row : plus(sum, row)), null);
