import type { z } from 'zod';
import type { Context } from '#api/surfaces/endpoint.ts';
import { type AuditEntry, audited } from '#application/access/audit.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { firstItem, itemAt } from '#domain/assert.ts';
import { Fault, invalid, isConflict, isOvertaken } from '#domain/fault.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { FieldChange } from '#domain/topology/ci-diff.ts';
import type { Planned } from '#domain/topology/import.ts';
import type { RowReport, TransferFormat } from '#features/transfer/schemas/transfer.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import { MAX_FAILED, type RowsReport } from './import-report.ts';
import { type CsvReading, type FileColumns, type ReadRow, readRows } from './read-rows.ts';

/** Rows looked up and written together. */
const CHUNK = 500;

interface ImportLine<R> {
  readonly row: number;
  readonly value: R;
}
type Identified = { readonly id: string };

/** Differences between CIs and relationships. */
export interface Importer<R, T extends Identified> {
  readonly schema: z.ZodType<R>;
  readonly columns: FileColumns;
  /** The key of a record; null when the line has none. */
  readonly keyOf: (line: R) => string | null;
  readonly keyMissing: string;
  /** The effect of each line on the store, in order. */
  readonly plan: (context: Context, lines: readonly ImportLine<R>[]) => Promise<readonly Planned<T>[]>;
  readonly write: (context: Context, records: readonly T[], sideRecords: readonly SideRecord[]) => Promise<void>;
  /** Called with the records of the file, including unchanged ones. */
  readonly met: (context: Context, records: readonly T[]) => Promise<void>;
  /** Fields that a dry run reports for a record that would change. */
  readonly changes: (before: T, after: T) => readonly FieldChange[];
  /** Returns a warning about a row that is accepted although it is probably a mistake, or null. */
  readonly warning: (line: R) => string | null;
  /** The audit entry of one record that was made or changed. */
  readonly entry: (before: T | null, after: T) => AuditEntry;
}

export interface ImportInput {
  readonly format: TransferFormat;
  readonly dryRun: boolean;
  /** Fields by the names of columns of a CSV file. */
  readonly columns: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** An empty file is a mistake of its sender more often than it is meant. */
const EMPTY: Readonly<Record<TransferFormat, string>> = {
  csv: 'expected a header and at least one row',
  jsonl: 'expected at least one line with a JSON object',
};

const failed = (row: number, error: string): RowReport => ({ row, action: 'failed', id: null, error });

/** Checks rows one by one, and that no two of a file mean the same. */
const checker = <R, T extends Identified>({ schema, keyOf, keyMissing }: Importer<R, T>) => {
  const seen = new Map<string, number>();
  return ({ row, value, error }: ReadRow): ImportLine<R> | RowReport => {
    if (error !== undefined) return failed(row, error);
    const result = schema.safeParse(value);
    if (!result.success) {
      const problems = problemsOf(result.error, value).slice(0, 5);
      return failed(row, problems.map(({ field, reason }) => `${field}: ${reason}`).join('; '));
    }
    const key = keyOf(result.data);
    if (key === null) return failed(row, keyMissing);
    const first = seen.get(key);
    if (first !== undefined) return failed(row, `duplicate of row ${first}`);
    seen.set(key, row);
    return { row, value: result.data };
  };
};

const isReport = <R>(checked: ImportLine<R> | RowReport): checked is RowReport => 'action' in checked;

/** Faults that one record causes; a store that is down concerns all. */
const isOfRecord = (error: unknown): error is Fault =>
  error instanceof Fault && ['conflict', 'precondition', 'invalid', 'unprocessable'].includes(error.kind);

interface ImportChange<T> {
  readonly before: T | null;
  readonly after: T;
}

/** Writes all at once; when that is refused, each by itself, so that the one to blame is found. Faults by id. */
const writeAll = async <R, T extends Identified>(
  context: Context,
  importer: Importer<R, T>,
  changes: readonly ImportChange<T>[],
): Promise<Map<string, Fault>> => {
  const errors = new Map<string, Fault>();
  if (changes.length === 0) return errors;
  const sideRecords = changes.map(({ before, after }) => audited(context, importer.entry(before, after)));
  try {
    await importer.write(
      context,
      changes.map(({ after }) => after),
      sideRecords,
    );
  } catch (refused) {
    if (!isOfRecord(refused)) throw refused;
    if (changes.length === 1) return errors.set(firstItem(changes).after.id, refused);
    for (const change of changes)
      for (const [id, fault] of await writeAll(context, importer, [change])) errors.set(id, fault);
  }
  return errors;
};

const changesOf = <T>(plans: readonly Planned<T>[]): ImportChange<T>[] =>
  plans.flatMap((plan): ImportChange<T>[] => {
    if (plan.action === 'created') return [{ before: null, after: plan.record }];
    return plan.action === 'updated' ? [{ before: plan.before, after: plan.record }] : [];
  });

const recordIdOf = <T extends Identified>(plan: Planned<T>): string => (plan.action === 'failed' ? '' : plan.record.id);

const recordsOf = <T extends Identified>(plans: readonly Planned<T>[], errors: ReadonlyMap<string, Fault>): T[] =>
  plans.flatMap((plan) => (plan.action === 'failed' || errors.has(plan.record.id) ? [] : [plan.record]));

/** An update waits with all other changes of its record, a new record with rows of the same key. */
const turnOf = <R, T extends Identified>(
  importer: Importer<R, T>,
  line: ImportLine<R>,
  plan: Planned<T>,
): { readonly kind: string; readonly id: string } =>
  plan.action === 'updated'
    ? importer.entry(plan.before, plan.record).target
    : { kind: 'row', id: importer.keyOf(line.value) ?? '' };

/** Imports one line by itself, decided again on the new state. */
const alone = async <R, T extends Identified>(
  context: Context,
  importer: Importer<R, T>,
  line: ImportLine<R>,
  planned: Planned<T>,
): Promise<Planned<T>> => {
  const { tenant, ports } = context;
  const { kind, id } = turnOf(importer, line, planned);
  try {
    return await inTurn(ports, { of: [kind, tenant, id], ifMatch: null }, async () => {
      const plan = firstItem(await importer.plan(context, [line]));
      for (const { before, after } of changesOf([plan]))
        await importer.write(context, [after], [audited(context, importer.entry(before, after))]);
      return plan;
    });
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === 'internal') throw error;
    return { action: 'failed', error: error.message };
  }
};

const execute = async <R, T extends Identified>(
  context: Context,
  importer: Importer<R, T>,
  lines: readonly ImportLine<R>[],
  dryRun: boolean,
): Promise<RowReport[]> => {
  const plans = await importer.plan(context, lines);
  const errors = dryRun ? new Map<string, Fault>() : await writeAll(context, importer, changesOf(plans));
  const again = new Map<number, Planned<T>>();
  for (const [index, plan] of plans.entries()) {
    const error = plan.action === 'failed' ? undefined : errors.get(plan.record.id);
    if (isOvertaken(error) || isConflict(error))
      again.set(index, await alone(context, importer, itemAt(lines, index), plan));
  }
  const settled = plans.map((plan, index) => again.get(index) ?? plan);
  for (const index of again.keys()) errors.delete(recordIdOf(itemAt(plans, index)));
  if (!dryRun) await importer.met(context, recordsOf(settled, errors));
  return settled.map((plan, index): RowReport => {
    const { row } = itemAt(lines, index);
    if (plan.action === 'failed') return failed(row, plan.error);
    const error = errors.get(plan.record.id);
    if (error !== undefined) return failed(row, error.message);
    const id = dryRun && plan.action === 'created' ? null : plan.record.id;
    const changes = dryRun && plan.action === 'updated' ? importer.changes(plan.before, plan.record) : null;
    return { row, action: plan.action, id, error: null, ...(changes && { changes: [...changes] }) };
  });
};

const byRow = (a: RowReport, b: RowReport): number => a.row - b.row;

/**
 * Imports a file, chunk by chunk; a bad row does not stop the others. After too many the rest is read and ignored. When
 * it throws, the report has the results so far.
 */
export const importFile = async <R, T extends Identified>(
  context: Context,
  importer: Importer<R, T>,
  { format, dryRun, columns, body }: ImportInput,
  report: RowsReport,
): Promise<void> => {
  if (format === 'jsonl' && columns.size > 0) throw invalid('columns', 'only supported for CSV files');
  const check = checker(importer);
  let chunk: (ImportLine<R> | RowReport)[] = [];
  let bad = 0;
  const finish = async (): Promise<void> => {
    const lines = chunk.filter((one): one is ImportLine<R> => !isReport(one));
    const reports = [...chunk.filter(isReport), ...(await execute(context, importer, lines, dryRun))];
    report.add(reports.sort(byRow));
    chunk = [];
  };
  const reading: CsvReading = { columns, header: (ignored, warning) => report.header(ignored, warning) };
  for await (const row of readRows(format, body, importer.columns, reading)) {
    if (report.stopped) continue;
    const checked = check(row);
    chunk.push(checked);
    if (isReport(checked)) bad += 1;
    else report.warn(checked.row, importer.warning(checked.value));
    if (chunk.length === CHUNK || bad > MAX_FAILED) await finish();
  }
  if (!report.stopped) await finish();
  if (report.summary.total === 0) throw invalid('body', EMPTY[format]);
};
