import type { InfrastructureList } from '#features/analyzer/rules/communities/infrastructure-intake.ts';
import type { ServiceSearch } from '#features/analyzer/rules/service-searches.ts';
import type { SessionRun } from './session-run.ts';

/** Limits of the read; the result states any excess. */
const MAX_CIS = 100_000;
const MAX_LINKS = 400_000;
/** Time per row with the pause, ms: requests have priority, and a large environment is read within a minute. */
const ROW_MS = { cis: 0.09, links: 0.09, networks: 0.4 } as const;
/** Rows written at once, at least: requests wait for each write to the disk. */
const CIS_AT_ONCE = 2_000;
const LINKS_AT_ONCE = 8_000;
/** Minimum number of rows in one record. */
const CIS_PER_PART = 500;
const LINKS_PER_PART = 2_000;

/** Rows of each list that is read, as they were counted before. */
interface Expected {
  readonly cis: number;
  readonly relationships: number;
}

/** Reports the progress over all lists: the current list continues at the end of the previous one. */
class LoadProgress {
  readonly #run: SessionRun;
  readonly #expected: Expected;

  constructor(run: SessionRun, expected: Expected) {
    this.#run = run;
    this.#expected = expected;
  }

  async tell(list: InfrastructureList, seen: number): Promise<void> {
    const { cis, relationships } = this.#expected;
    // A CI has at most one row of scan data.
    const begins = { cis: 0, links: cis, networks: cis + relationships }[list];
    const rows = list === 'links' ? relationships : cis;
    const [current, total] = [begins + Math.min(seen, rows), cis + relationships + cis];
    await this.#run.tell({ step: 'load', message: `Reading ${READING[list]}`, current, total });
  }
}
const READING = { cis: 'configuration items', links: 'relationships', networks: 'scan data' } as const;
/** Names for counts and for stored parts. */
const COUNTED = { cis: 'cis', links: 'relationships', networks: 'connections' } as const;
const KEPT = { cis: 'cis', links: 'relationships', networks: 'networks' } as const;

/** Texts stored together in one record. */
type Texts = readonly string[];
interface ListPlan {
  readonly list: InfrastructureList;
  /** Rows of the list that are read, at most. */
  readonly most: number;
  readonly perPart: number;
  readonly atOnce: number;
}

/** Reads a list to its end, or to its limit. Yields the rows of one write together. */
async function* read(
  { run, search, progress }: Loading,
  { list, most, perPart, atOnce }: ListPlan,
): AsyncGenerator<readonly Texts[]> {
  let [parts, part]: [Texts[], string[]] = [[], []];
  let [inParts, inPart, count, seen]: [number, number, number, number] = [0, 0, 0, 0];
  const endPart = (): void => {
    if (part.length > 0) parts.push(part);
    [inParts, inPart, part] = [inParts + inPart, 0, []];
  };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const rows = await search.read(list, cursor);
    part.push(rows.text);
    count += rows.count;
    inPart += rows.count;
    seen = list === 'networks' ? Math.max(seen, rows.reached) : seen + rows.rows;
    const isEnough = (list === 'networks' ? count : seen) >= most;
    cursor = isEnough ? null : rows.nextCursor;
    if (isEnough && rows.nextCursor !== null) run.note({ truncated: true });
    await progress.tell(list, seen);
    await run.giveWay(rows.rows * ROW_MS[list]);
    if (inPart >= perPart) endPart();
    if (inParts < atOnce) continue;
    yield parts;
    [parts, inParts] = [[], 0];
  }
  endPart();
  if (parts.length > 0) yield parts;
  await progress.tell(list, Number.POSITIVE_INFINITY);
  run.note({ [COUNTED[list]]: count });
}

interface Loading {
  readonly run: SessionRun;
  readonly search: ServiceSearch;
  readonly progress: LoadProgress;
}

async function load(loading: Loading, reading: ListPlan): Promise<void> {
  const { list } = reading;
  await loading.run.parts<Texts>(
    KEPT[list],
    () => read(loading, reading),
    (part) => {
      for (const text of part) loading.search.again(list, text);
    },
  );
}

/** Read before anything else, so that the total is the same from beginning to end. */
async function expectedRows({ ports: { topology }, tenant }: SessionRun): Promise<Expected> {
  const first = { sort: 'created_at', order: 'asc', limit: 1, offset: 0 } as const;
  const [cis, relationships] = await Promise.all([
    topology.findCis(tenant, {}, first),
    topology.findRelationships(tenant, { includeAi: false }, first),
  ]);
  return { cis: Math.min(MAX_CIS, cis.total), relationships: Math.min(MAX_LINKS, relationships.total) };
}

/** Has the search read all that it looks at, as it was when it was first read. Resolves with the number of CIs. */
export async function loadInfrastructure(run: SessionRun, search: ServiceSearch): Promise<number> {
  const loading = { run, search, progress: new LoadProgress(run, await expectedRows(run)) };
  await load(loading, { list: 'cis', most: MAX_CIS, perPart: CIS_PER_PART, atOnce: CIS_AT_ONCE });
  const links = { perPart: LINKS_PER_PART, atOnce: LINKS_AT_ONCE };
  await load(loading, { list: 'links', most: MAX_LINKS, ...links });
  await load(loading, { list: 'networks', most: MAX_LINKS - run.counts.relationships, ...links });
  return run.counts.cis;
}
