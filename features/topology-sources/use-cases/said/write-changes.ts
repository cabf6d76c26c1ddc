import { Fault, isConflict, isOvertaken } from '#domain/fault.ts';
import type { Planned } from '#domain/topology/import.ts';
import { zip } from '#domain/zip.ts';
import type { Planner } from './planner.ts';
import type { SaidBook } from './said-book.ts';

/** Number of items to plan and write together. */
const BATCH = 500;
/** Maximum number of errors to report. */
const SHOWN = 20;

export interface WrittenCounts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** Keys of the changes. */
  readonly keys: { readonly created: string[]; readonly updated: string[] };
}

export interface ChangeWriting {
  readonly book: SaidBook;
  readonly isDryRun: boolean;
  readonly isStopping: () => boolean;
  /** Receives the first few errors. */
  readonly errors: string[];
}

const isOfRecord = (error: unknown): error is Fault =>
  error instanceof Fault && ['conflict', 'precondition', 'invalid', 'unprocessable'].includes(error.kind);

const isChange = <T>(plan: Planned<T>): plan is Exclude<Planned<T>, { action: 'failed' | 'unchanged' }> =>
  plan.action === 'created' || plan.action === 'updated';

type Keyed = { readonly key: string; readonly print: string };

/** Writes one entry, planned again from the current state. */
async function alone<W extends Keyed, T extends { readonly id: string }>(
  planner: Planner<W, T>,
  one: W,
): Promise<Planned<T>> {
  for (let tries = 1; ; tries++) {
    const [plan] = await planner.plan([one]);
    if (plan === undefined || !isChange(plan)) return plan ?? { action: 'failed', error: 'not planned' };
    try {
      await planner.put([plan.record]);
      return plan;
    } catch (error) {
      if (!isOfRecord(error)) throw error;
      if (tries === 3 || !(isConflict(error) || isOvertaken(error))) return { action: 'failed', error: error.message };
    }
  }
}

/** Differs from any content hash, so that the next run checks the entry again. */
const PENDING = '';

/** Records changes before they are stored, so that the next run checks them again if the process dies. */
async function noteIntents<W extends Keyed, T extends { readonly id: string }>(
  planner: Planner<W, T>,
  planned: readonly (readonly [W, Planned<T>])[],
  book: SaidBook,
): Promise<void> {
  for (const [one, plan] of planned) {
    if (!isChange(plan)) continue;
    const entry = planner.entryOf({ ...one, print: PENDING }, plan, book[planner.shelf].get(one.key));
    if (entry !== null) book.set(planner.shelf, entry);
  }
  await book.save();
}

/** Writes a batch, or its entries one by one if the batch is rejected. */
async function stored<W extends Keyed, T extends { readonly id: string }>(
  planner: Planner<W, T>,
  batch: readonly W[],
  book: SaidBook,
): Promise<readonly Planned<T>[]> {
  const plans = await planner.plan(batch);
  const changed = plans.filter(isChange).map(({ record }) => record);
  if (changed.length === 0) return plans;
  await noteIntents(planner, zip(batch, plans), book);
  try {
    await planner.put(changed);
    await planner.met(changed);
    return plans;
  } catch (error) {
    if (!isOfRecord(error)) throw error;
  }
  const settled: Planned<T>[] = [];
  for (const [one, plan] of zip(batch, plans)) settled.push(isChange(plan) ? await alone(planner, one) : plan);
  return settled;
}

/** Writes changes in batches and records each batch, so that no change is lost if the process is killed. */
export async function writeChanges<W extends Keyed, T extends { readonly id: string }>(
  planner: Planner<W, T>,
  changed: readonly W[],
  { book, isDryRun, isStopping, errors }: ChangeWriting,
): Promise<WrittenCounts> {
  const counts: WrittenCounts = { created: 0, updated: 0, unchanged: 0, failed: 0, keys: { created: [], updated: [] } };
  for (let first = 0; first < changed.length && !isStopping(); first += BATCH) {
    const batch = changed.slice(first, first + BATCH);
    const plans = isDryRun ? await planner.plan(batch) : await stored(planner, batch, book);
    for (const [one, plan] of zip(batch, plans)) {
      counts[plan.action] += 1;
      if (plan.action === 'created' || plan.action === 'updated') counts.keys[plan.action].push(one.key);
      if (plan.action === 'failed' && errors.length < SHOWN) errors.push(`${one.key}: ${plan.error}`);
      const known = book[planner.shelf].get(one.key);
      const entry = planner.entryOf(one, plan, known);
      if (entry !== null && !isDryRun) book.set(planner.shelf, entry);
    }
    if (!isDryRun) await book.save();
  }
  return counts;
}
