import type { z } from 'zod';
import type { Context } from '#api/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import type { Planned } from '#domain/topology/import.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import type { Format, ImportReportBody, RowReport } from '#schemas/http/transfer.ts';
import { type ReadRow, readRows } from './read-rows.ts';

/** Rows looked up and written together. */
const CHUNK = 500;
/** Failed rows after which the rest is not looked at. */
export const MAX_FAILED = 1_000;
/** Rows listed in a report. */
export const LISTED_ROWS = 10_000;

export interface Line<R> {
  readonly row: number;
  readonly value: R;
}
type Identified = { readonly id: string };

/** What is special about CIs and about relationships. */
export interface Importer<R, T extends Identified> {
  readonly schema: z.ZodType<R>;
  /** What tells one record from others; null when the line does not say. */
  readonly keyOf: (line: R) => string | null;
  readonly keyMissing: string;
  /** What each line means for what is stored, in order. */
  readonly plan: (context: Context, lines: readonly Line<R>[]) => Promise<readonly Planned<T>[]>;
  readonly write: (context: Context, records: readonly T[]) => Promise<void>;
}

export interface ImportInput {
  readonly format: Format;
  readonly dryRun: boolean;
  readonly body: AsyncIterable<Uint8Array>;
}

const failed = (row: number, error: string): RowReport => ({ row, action: 'failed', id: null, error });

/** Counts every row and lists the first. */
class Report {
  readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  readonly #rows: RowReport[] = [];

  add(reports: readonly RowReport[]): void {
    for (const report of reports) {
      this.counts[report.action] += 1;
      if (this.#rows.length < LISTED_ROWS) this.#rows.push(report);
    }
  }

  get stopped(): boolean {
    return this.counts.failed > MAX_FAILED;
  }

  body(dryRun: boolean): ImportReportBody {
    const { counts, stopped } = this;
    const total = counts.created + counts.updated + counts.unchanged + counts.failed;
    const rows = this.#rows;
    return { dry_run: dryRun, total, ...counts, stopped, rows, truncated: total > rows.length };
  }
}

/** Checks rows one by one, and that no two of a file mean the same. */
const checker = <R, T extends Identified>({ schema, keyOf, keyMissing }: Importer<R, T>) => {
  const seen = new Map<string, number>();
  return ({ row, value, error }: ReadRow): Line<R> | RowReport => {
    if (error !== undefined) return failed(row, error);
    const result = schema.safeParse(value);
    if (!result.success) {
      const problems = problemsOf(result.error, value).slice(0, 5);
      return failed(row, problems.map(({ field, reason }) => `${field}: ${reason}`).join('; '));
    }
    const key = keyOf(result.data);
    if (key === null) return failed(row, keyMissing);
    const first = seen.get(key);
    if (first !== undefined) return failed(row, `means the same as row ${first}`);
    seen.set(key, row);
    return { row, value: result.data };
  };
};

const isReport = <R>(checked: Line<R> | RowReport): checked is RowReport => 'action' in checked;

/** Faults that one record causes; a store that is down concerns all. */
const isOfRecord = (error: unknown): error is Fault =>
  error instanceof Fault && ['conflict', 'precondition', 'invalid', 'unprocessable'].includes(error.kind);

/** Writes all at once; when that is refused, each by itself, so that the one to blame is found. Errors by id. */
const writeAll = async <R, T extends Identified>(
  context: Context,
  importer: Importer<R, T>,
  records: readonly T[],
): Promise<ReadonlyMap<string, string>> => {
  const errors = new Map<string, string>();
  if (records.length === 0) return errors;
  try {
    await importer.write(context, records);
  } catch (refused) {
    if (!isOfRecord(refused)) throw refused;
    if (records.length === 1) return errors.set(records[0]!.id, refused.message);
    for (const record of records)
      for (const [id, message] of await writeAll(context, importer, [record])) errors.set(id, message);
  }
  return errors;
};

const carryOut = async <R, T extends Identified>(
  context: Context,
  importer: Importer<R, T>,
  lines: readonly Line<R>[],
  dryRun: boolean,
): Promise<RowReport[]> => {
  const plans = await importer.plan(context, lines);
  const changes = plans.flatMap((plan) =>
    plan.action === 'created' || plan.action === 'updated' ? [plan.record] : [],
  );
  const errors = dryRun ? new Map<string, string>() : await writeAll(context, importer, changes);
  return plans.map((plan, index): RowReport => {
    const { row } = lines[index]!;
    if (plan.action === 'failed') return failed(row, plan.error);
    const error = errors.get(plan.record.id);
    if (error !== undefined) return failed(row, error);
    const id = dryRun && plan.action === 'created' ? null : plan.record.id;
    return { row, action: plan.action, id, error: null };
  });
};

const byRow = (a: RowReport, b: RowReport): number => a.row - b.row;

/** Takes a file in, chunk by chunk; a bad row does not stop the others. After too many the rest is read and left. */
export const importFile = async <R, T extends Identified>(
  context: Context,
  importer: Importer<R, T>,
  { format, dryRun, body }: ImportInput,
): Promise<ImportReportBody> => {
  const report = new Report();
  const check = checker(importer);
  let chunk: (Line<R> | RowReport)[] = [];
  let bad = 0;
  const finish = async (): Promise<void> => {
    const lines = chunk.filter((one): one is Line<R> => !isReport(one));
    const reports = [...chunk.filter(isReport), ...(await carryOut(context, importer, lines, dryRun))];
    report.add(reports.sort(byRow));
    chunk = [];
  };
  for await (const row of readRows(format, body)) {
    if (report.stopped) continue;
    const checked = check(row);
    chunk.push(checked);
    if (isReport(checked)) bad += 1;
    if (chunk.length === CHUNK || bad > MAX_FAILED) await finish();
  }
  if (!report.stopped) await finish();
  return report.body(dryRun);
};
