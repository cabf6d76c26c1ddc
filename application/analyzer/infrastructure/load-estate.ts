import { DISCOVERY_KINDS, type NetworkRecord } from '#application/discovery/records.ts';
import type { Page } from '#domain/page.ts';
import type { Estate, EstateCi, EstateLink, SeenProcess } from '#domain/services/communities/estate.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import type { SessionRun } from './session-run.ts';

/** Read at once: what it takes to take them over holds up nobody. */
const PAGE = 500;
const NETWORKS_AT_ONCE = 10;
/** What there is beyond these is left out, and the result says so. */
const MOST_CIS = 100_000;
const MOST_LINKS = 400_000;
const MOST_PROCESSES = 20;
/** Kept in one record. */
const CIS_PER_PART = 500;
const LINKS_PER_PART = 2_000;

/** As parts keep them. */
type KeptCi = readonly [id: string, name: string, type: string, addresses: readonly string[]];
type KeptLink = readonly [source: number, target: number, type: string, port: number | null];
type KeptProcesses = readonly [ci: number, processes: readonly SeenProcess[]];

/** Rows of each list that is read, as they were counted before. */
interface Expected {
  readonly cis: number;
  readonly relationships: number;
}

/** Tells how far the reading is, of all lists together: the part that is read now begins where the one before ended. */
class LoadProgress {
  readonly #run: SessionRun;
  readonly #expected: Expected;

  constructor(run: SessionRun, expected: Expected) {
    this.#run = run;
    this.#expected = expected;
  }

  async tell(what: keyof typeof READING, seen: number): Promise<void> {
    const { cis, relationships } = this.#expected;
    // A CI has one row of what scanners saw, at most.
    const begins = { cis: 0, relationships: cis, networks: cis + relationships }[what];
    const rows = what === 'relationships' ? relationships : cis;
    const [current, total] = [begins + Math.min(seen, rows), cis + relationships + cis];
    await this.#run.tell({ step: 'load', message: `Reading ${READING[what]}`, current, total });
  }

  done(what: keyof typeof READING): Promise<void> {
    return this.tell(what, Number.POSITIVE_INFINITY);
  }
}
const READING = { cis: 'configuration items', relationships: 'relationships', networks: 'what scanners saw' } as const;

/** Reads a list to its end, or until so many are there. */
async function readAll<T>(
  run: SessionRun,
  {
    most,
    take,
    told,
  }: {
    readonly most: number;
    readonly take: (items: readonly T[]) => void;
    readonly told: (seen: number) => Promise<void>;
  },
  read: (at: { readonly limit: number; readonly offset?: number; readonly cursor?: string }) => Promise<Page<T>>,
): Promise<void> {
  let [seen, cursor]: [number, string | null] = [0, null];
  do {
    const page: Page<T> = await read({ limit: PAGE, ...(cursor === null ? { offset: 0 } : { cursor }) });
    take(page.items);
    seen += page.items.length;
    cursor = seen >= most ? null : page.nextCursor;
    if (page.nextCursor !== null && cursor === null) run.note({ truncated: true });
    await told(seen);
    await run.giveWay();
  } while (cursor !== null);
}

const OLDEST_FIRST = { sort: 'created_at', order: 'asc' } as const;

const keptCi = (ci: Ci): KeptCi => [ci.id, ci.name, ci.type, lookupOf(ci).addresses];

async function readCis(run: SessionRun, progress: LoadProgress): Promise<readonly KeptCi[]> {
  const { ports, tenant } = run;
  const cis: KeptCi[] = [];
  const take = (items: readonly Ci[]): void => void cis.push(...items.map(keptCi));
  const told = (seen: number): Promise<void> => progress.tell('cis', seen);
  await readAll<Ci>(run, { most: MOST_CIS, take, told }, (at) =>
    ports.topology.findCis(tenant, {}, { ...OLDEST_FIRST, ...at }),
  );
  run.note({ cis: cis.length });
  return cis;
}

const portOf = ({ port }: Relationship['attributes']): number | null => {
  const number = typeof port === 'string' ? Number(port) : port;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= 65_535 ? number : null;
};

async function readRelationships(
  run: SessionRun,
  places: ReadonlyMap<string, number>,
  progress: LoadProgress,
): Promise<readonly KeptLink[]> {
  const { ports, tenant } = run;
  const links: KeptLink[] = [];
  const take = (items: readonly Relationship[]): void => {
    for (const { source, target, type, attributes } of items) {
      const [from, to] = [places.get(source), places.get(target)];
      if (from !== undefined && to !== undefined) links.push([from, to, type, portOf(attributes)]);
    }
  };
  const told = (seen: number): Promise<void> => progress.tell('relationships', seen);
  await readAll<Relationship>(run, { most: MOST_LINKS, take, told }, (at) =>
    ports.topology.findRelationships(tenant, { includeAi: false }, { ...OLDEST_FIRST, ...at }),
  );
  run.note({ relationships: links.length });
  return links;
}

/** Addresses that a single CI has, with its place. */
function placesByAddress(cis: readonly KeptCi[]): ReadonlyMap<string, number | null> {
  const places = new Map<string, number | null>();
  for (const [place, [, , , addresses]] of cis.entries())
    for (const address of addresses) places.set(address, places.has(address) ? null : place);
  return places;
}

interface Seen {
  readonly links: readonly KeptLink[];
  readonly processes: KeptProcesses | null;
}

/** What scanners saw of one CI. */
function seenOf(ci: number, { connections, listeners }: NetworkRecord, at: ReadonlyMap<string, number | null>): Seen {
  const links = connections.flatMap(({ targetIp, ports }): KeptLink[] => {
    const target = at.get(targetIp) ?? null;
    if (target === null || target === ci) return [];
    return ports.length === 0
      ? [[ci, target, 'connection', null]]
      : ports.map((port) => [ci, target, 'connection', port]);
  });
  const processes = listeners.slice(0, MOST_PROCESSES).map(({ name, port }) => ({ name, port }));
  return { links, processes: processes.length === 0 ? null : [ci, processes] };
}

/** Connections and processes that scanners saw. */
async function readNetworks(
  run: SessionRun,
  cis: readonly KeptCi[],
  {
    places,
    most,
    progress,
  }: { readonly places: ReadonlyMap<string, number>; readonly most: number; readonly progress: LoadProgress },
) {
  const { ports, tenant } = run;
  const at = placesByAddress(cis);
  const links: KeptLink[] = [];
  const processes: KeptProcesses[] = [];
  let furthest = 0;
  for (let after: string | undefined; ; ) {
    const options = { limit: NETWORKS_AT_ONCE, ...(after === undefined ? {} : { after }) };
    const page = await ports.records.list<NetworkRecord>(tenant, DISCOVERY_KINDS.network, options);
    for (const { id, body } of page) {
      const ci = places.get(id);
      if (ci === undefined) continue;
      // Rows come in the order of ids, which is about that in which CIs were made.
      furthest = Math.max(furthest, ci + 1);
      const seen = seenOf(ci, body, at);
      links.push(...seen.links);
      if (seen.processes !== null) processes.push(seen.processes);
    }
    await progress.tell('networks', furthest);
    await run.giveWay();
    after = page.at(-1)?.id;
    if (links.length > most) run.note({ truncated: true });
    if (page.length < NETWORKS_AT_ONCE || links.length > most) break;
  }
  await progress.done('networks');
  run.note({ connections: links.length });
  return { links, processes };
}

/** Read before anything else, so that the total is the same from beginning to end. */
async function expectedRows({ ports: { topology }, tenant }: SessionRun): Promise<Expected> {
  const first = { ...OLDEST_FIRST, limit: 1, offset: 0 };
  const [cis, relationships] = await Promise.all([
    topology.findCis(tenant, {}, first),
    topology.findRelationships(tenant, { includeAi: false }, first),
  ]);
  return { cis: Math.min(MOST_CIS, cis.total), relationships: Math.min(MOST_LINKS, relationships.total) };
}

const linkOf = ([source, target, type, port]: KeptLink): EstateLink => ({ source, target, type, port });

/** All that the search for services looks at, as it was when it was first read. */
export async function loadEstate(run: SessionRun): Promise<Estate> {
  const progress = new LoadProgress(run, await expectedRows(run));
  const kept = await run.kept('cis', CIS_PER_PART, () => readCis(run, progress));
  const places = new Map(kept.map(([id], place) => [id, place]));
  const related = await run.kept('relationships', LINKS_PER_PART, () => readRelationships(run, places, progress));
  const seen = await run.kept('networks', CIS_PER_PART, async () => {
    const { links, processes } = await readNetworks(run, kept, { places, most: MOST_LINKS - related.length, progress });
    return [...links, ...processes];
  });
  const processes = new Map<number, readonly SeenProcess[]>();
  const links = related.map(linkOf);
  for (const one of seen)
    if (one.length === 2) processes.set(one[0], one[1]);
    else links.push(linkOf(one));
  const cis = kept.map(([id, name, type], place): EstateCi => {
    const own = processes.get(place);
    return own === undefined ? { id, name, type } : { id, name, type, processes: own };
  });
  return { cis, links };
}
