import { Fault, isConflict, isOvertaken } from '#domain/fault.ts';
import type { Planned } from '#domain/topology/import.ts';
import { zip } from '#domain/zip.ts';
import type { Planner } from './planner.ts';
import type { SaidBook } from './said-book.ts';

/** Things that are looked up and written together. */
const BATCH = 500;
/** Errors that are shown. */
const SHOWN = 20;

export interface WrittenCounts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

export interface ChangeWriting {
  readonly book: SaidBook;
  readonly isDryRun: boolean;
  readonly isStopping: () => boolean;
  /** Filled with the first few. */
  readonly errors: string[];
}

const isOfRecord = (error: unknown): error is Fault =>
  error instanceof Fault && ['conflict', 'precondition', 'invalid', 'unprocessable'].includes(error.kind);

const isChange = <T>(plan: Planned<T>): plan is Exclude<Planned<T>, { action: 'failed' | 'unchanged' }> =>
  plan.action === 'created' || plan.action === 'updated';

type Keyed = { readonly key: string; readonly print: string };

/** Writes one entry, planned again on the current state. */
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

/** Hash that no content has, so that the next run checks the entry again. */
const PENDING = '';

/** Changes are in the book before they are stored: the run after a process that dies in between looks at them again. */
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

/** Writes a batch; if it is rejected, writes its entries one by one. */
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

/** Writes all changes in batches, and records each batch, so that a kill loses nothing. */
export async function writeChanges<W extends Keyed, T extends { readonly id: string }>(
  planner: Planner<W, T>,
  changed: readonly W[],
  { book, isDryRun, isStopping, errors }: ChangeWriting,
): Promise<WrittenCounts> {
  const counts: WrittenCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (let first = 0; first < changed.length && !isStopping(); first += BATCH) {
    const batch = changed.slice(first, first + BATCH);
    const plans = isDryRun ? await planner.plan(batch) : await stored(planner, batch, book);
    for (const [one, plan] of zip(batch, plans)) {
      counts[plan.action] += 1;
      if (plan.action === 'failed' && errors.length < SHOWN) errors.push(`${one.key}: ${plan.error}`);
      const known = book[planner.shelf].get(one.key);
      const entry = planner.entryOf(one, plan, known);
      if (entry !== null && !isDryRun) book.set(planner.shelf, entry);
    }
    if (!isDryRun) await book.save();
  }
  return counts;
}
