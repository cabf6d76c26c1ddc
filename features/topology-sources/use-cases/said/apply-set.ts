import type { TenantContext } from '#application/access/context.ts';
import { inSteps } from '#application/tasks/in-steps.ts';
import type { Stepwise } from '#domain/ports/clock.ts';
import { type RunChanges, runChanges } from '#features/topology-sources/rules/changes.ts';
import { differenceOf, isDue, type SetDifference } from '#features/topology-sources/rules/difference.ts';
import { type HeldEndings, heldEndings, needsConfirmation } from '#features/topology-sources/rules/guard.ts';
import type { SetCounts } from '#features/topology-sources/rules/source.ts';
import type { SaidEntry, WantedCi, WantedEdge, WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { type EndingRun, endCis, endEdges } from './end-missing.ts';
import { ciPlanner } from './plan-cis.ts';
import { edgePlanner } from './plan-edges.ts';
import type { Printed } from './planner.ts';
import { SaidBook } from './said-book.ts';
import { type WrittenCounts, writeChanges } from './write-changes.ts';

/** Options for applying a set to the CMDB. */
export interface SetApplication {
  readonly source: string;
  /** All sources of the tenant. */
  readonly sources: readonly string[];
  /** The set is complete: anything it lacks is missing. */
  readonly isWhole: boolean;
  readonly graceMs: number;
  readonly isDryRun: boolean;
  /** Endings beyond the guard were confirmed. */
  readonly isConfirmed: boolean;
  /** If the guard rejects endings, nothing is applied; otherwise only the endings wait. */
  readonly isAllOrNothing: boolean;
  /** ms. */
  readonly at: number;
  /** Updates `last_seen` of all CIs. */
  readonly notesSeen: boolean;
  readonly isStopping: () => boolean;
}

export interface AppliedSet {
  readonly cis: SetCounts;
  readonly relationships: SetCounts;
  readonly changes: RunChanges;
  readonly held: HeldEndings | null;
  /** The first few errors. */
  readonly errors: readonly string[];
  /** Earliest time at which a missing item may end, ms; null: nothing is missing. */
  readonly endsAt: number | null;
}

/** Length of a content hash. */
const PRINT = 16;

function* printed<T extends object>(context: TenantContext, all: readonly T[]): Stepwise<Printed<T>[]> {
  const found: Printed<T>[] = [];
  for (const one of all) {
    yield;
    found.push({ ...one, print: context.ports.crypto.sha256(JSON.stringify(one)).slice(0, PRINT) });
  }
  return found;
}

/** Prefix of external keys in rows of a sync. */
const SENT = 'key ';

const keysOf = (entries: readonly SaidEntry[]): readonly string[] => entries.map(({ key }) => key);

/** Finds the ID of a reported CI by external key; `planned`: CIs that a dry run would create. */
function idsOf(book: SaidBook, planned: readonly WantedCi[]): (end: string) => string | undefined {
  const made = new Set(planned.map(({ key }) => key));
  return (end) => {
    const keys = [end, SENT + end.toLowerCase()];
    const said = keys.map((key) => book.ci.get(key)).find((one) => one !== undefined);
    return said?.id ?? keys.find((key) => made.has(key));
  };
}

interface Differences {
  readonly cis: SetDifference<Printed<WantedCi>>;
  readonly edges: SetDifference<Printed<WantedEdge>>;
}

/** Returns missing items: all of them for a complete set, only already missing ones for a partial set. */
const missingOf = (
  said: ReadonlyMap<string, SaidEntry>,
  missing: readonly SaidEntry[],
  isWhole: boolean,
): readonly SaidEntry[] => (isWhole ? missing : [...said.values()].filter(({ missingSince }) => missingSince !== null));

const earliest = (missing: readonly SaidEntry[], at: number, graceMs: number): number | null =>
  missing.length === 0
    ? null
    : missing.reduce((first, { missingSince }) => Math.min(first, missingSince ?? at), at) + graceMs;

const countsOf = (
  { created, updated, unchanged, failed }: WrittenCounts,
  rest: Pick<SetCounts, 'total' | 'ended' | 'missing'> & { readonly same: number },
): SetCounts => ({
  total: rest.total,
  created,
  updated,
  unchanged: unchanged + rest.same,
  ended: rest.ended,
  missing: rest.missing,
  failed,
});

interface MissingEntries {
  readonly cis: readonly SaidEntry[];
  readonly edges: readonly SaidEntry[];
}

/** The record of a source compared with its current set. */
interface Comparison {
  readonly book: SaidBook;
  readonly differences: Differences;
  readonly missing: MissingEntries;
  readonly due: MissingEntries;
  readonly held: HeldEndings | null;
}

function* differencesOf(
  context: TenantContext,
  wanted: WantedSet,
  book: SaidBook,
  isWhole: boolean,
): Stepwise<Differences> {
  return {
    cis: yield* differenceOf(book.ci, yield* printed(context, wanted.cis), isWhole),
    edges: yield* differenceOf(book.edge, yield* printed(context, wanted.edges), isWhole),
  };
}

async function compared(context: TenantContext, wanted: WantedSet, how: SetApplication): Promise<Comparison> {
  const { source, isWhole, graceMs, isConfirmed, isAllOrNothing, at } = how;
  const book = await SaidBook.open(context.ports.records, context.tenant, source);
  const differences = await inSteps(differencesOf(context, wanted, book, isWhole), context.ports.clock);
  const missing = {
    cis: missingOf(book.ci, differences.cis.missing, isWhole),
    edges: missingOf(book.edge, differences.edges.missing, isWhole),
  };
  const isEnding = ({ missingSince }: SaidEntry): boolean => isDue({ missingSince: missingSince ?? at }, at, graceMs);
  const due = { cis: missing.cis.filter(isEnding), edges: missing.edges.filter(isEnding) };
  const endings = {
    cis: missing.cis.length,
    ofCis: book.ci.size,
    edges: missing.edges.length,
    ofEdges: book.edge.size,
  };
  const asking = isAllOrNothing ? missing : due;
  const isHeld = !isConfirmed && asking.cis.length + asking.edges.length > 0 && needsConfirmation(endings);
  const keys = missing.cis.map(({ key }) => key);
  return { book, differences, missing, due, held: isHeld ? heldEndings(endings, keys, at) : null };
}

const NOTHING_WRITTEN: WrittenCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  keys: { created: [], updated: [] },
};

interface DoneChanges {
  readonly cis: WrittenCounts;
  readonly edges: WrittenCounts;
  /** Keys of the ended ones. */
  readonly endedCis: readonly string[];
  readonly endedEdges: readonly string[];
  readonly errors: readonly string[];
}

async function written(
  context: TenantContext,
  wanted: WantedSet,
  { book, differences, due, held }: Comparison,
  { source, sources, isDryRun, at, notesSeen, isStopping }: SetApplication,
): Promise<DoneChanges> {
  const errors: string[] = [];
  const writing = { book, isDryRun, isStopping, errors };
  const cis = await writeChanges(ciPlanner(context, source, at), differences.cis.changed, writing);
  const idOf = idsOf(book, isDryRun ? wanted.cis : []);
  const edges = await writeChanges(edgePlanner(context, { source, at, idOf }), differences.edges.changed, writing);
  if (!isDryRun) await noteMissing(book, differences, at);
  if (!isDryRun && notesSeen) await noteSeen(context, book, at);
  if (isDryRun || held !== null) return { cis, edges, endedCis: [], endedEdges: [], errors };
  const ending: EndingRun = { source, sources, book, at, isStopping };
  const endedEdges = await endEdges(context, due.edges, ending);
  return { cis, edges, endedCis: await endCis(context, due.cis, ending), endedEdges, errors };
}

/**
 * Applies the set of a source to the CMDB; missing CIs and relationships end after the grace period, unless a user or
 * another source reports them.
 */
export async function applySet(context: TenantContext, wanted: WantedSet, how: SetApplication): Promise<AppliedSet> {
  const { isDryRun, isAllOrNothing, graceMs, at } = how;
  const comparison = await compared(context, wanted, how);
  const { book, differences, missing, due, held } = comparison;
  const isRefused = held !== null && isAllOrNothing && !isDryRun;
  const done = isRefused
    ? { cis: NOTHING_WRITTEN, edges: NOTHING_WRITTEN, endedCis: [], endedEdges: [], errors: [] }
    : await written(context, wanted, comparison, how);
  const gone = new Set([...due.cis, ...due.edges]);
  const isLeft = isDryRun || held !== null;
  const left = (shelf: 'cis' | 'edges'): readonly SaidEntry[] =>
    isLeft ? missing[shelf] : missing[shelf].filter((one) => !gone.has(one));
  const [leftCis, leftEdges] = [left('cis'), left('edges')];
  return {
    cis: countsOf(done.cis, {
      total: isDryRun ? wanted.cis.length : book.ci.size - leftCis.length,
      same: differences.cis.unchanged,
      ended: done.endedCis.length,
      missing: leftCis.length,
    }),
    relationships: countsOf(done.edges, {
      total: isDryRun ? wanted.edges.length : book.edge.size - leftEdges.length,
      same: differences.edges.unchanged,
      ended: done.endedEdges.length,
      missing: leftEdges.length,
    }),
    changes: runChanges(
      { ...done.cis.keys, missing: keysOf(leftCis), ended: done.endedCis },
      { ...done.edges.keys, missing: keysOf(leftEdges), ended: done.endedEdges },
    ),
    held,
    errors: done.errors,
    endsAt: earliest([...leftCis, ...leftEdges], at, graceMs),
  };
}

async function noteMissing(book: SaidBook, { cis, edges }: Differences, at: number): Promise<void> {
  for (const [shelf, { missing }] of [
    ['ci', cis],
    ['edge', edges],
  ] as const) {
    for (const one of missing) if (one.missingSince === null) book.set(shelf, { ...one, missingSince: at });
  }
  await book.save();
}

const SEEN_AT_ONCE = 500;
/** Updates `last_seen`; drops deleted CIs from the record, so that the next run creates them again. */
async function noteSeen({ ports, tenant }: TenantContext, book: SaidBook, at: number): Promise<void> {
  const said = [...book.ci.values()].filter(({ missingSince }) => missingSince === null);
  const ids = said.map(({ id }) => id);
  const there = new Set<string>();
  for (let first = 0; first < ids.length; first += SEEN_AT_ONCE) {
    const found = await ports.topology.getCis(tenant, ids.slice(first, first + SEEN_AT_ONCE));
    for (const { id } of found) there.add(id);
    await ports.cis.seen(
      tenant,
      found.map(({ id }) => ({ ci: id, at })),
    );
  }
  for (const { key, id } of said) if (!there.has(id)) book.drop('ci', key);
  await book.save();
}
