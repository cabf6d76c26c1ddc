import { DISCOVERY_KINDS, type NetworkRecord } from '#application/discovery/records.ts';
import type { Page } from '#domain/page.ts';
import type { ServiceSearch } from '#domain/ports/services/service-searches.ts';
import type { EstateLink, SeenProcess } from '#domain/services/communities/estate.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import type { SessionRun } from './session-run.ts';

/** Read at once: reading them and taking them over are a fraction of a millisecond each. Requests notice longer work, however rare it is. */
const PAGE = 20;
/** Some are large, most are small. */
const NETWORKS_AT_ONCE = 10;
const NETWORKS_TURN_MS = 4;
/** More than these are left out, and the result says so. */
const MOST_CIS = 100_000;
const MOST_LINKS = 400_000;
const MOST_PROCESSES = 20;
/** Kept in one record, at least. */
const CIS_PER_PART = 400;
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

/** Reads a list to its end, or until so many are there, page by page. */
async function* pages<T>(
  run: SessionRun,
  most: number,
  read: (at: { readonly limit: number; readonly offset?: number; readonly cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<{ readonly items: readonly T[]; readonly seen: number }> {
  let [seen, cursor]: [number, string | null] = [0, null];
  do {
    const page: Page<T> = await read({ limit: PAGE, ...(cursor === null ? { offset: 0 } : { cursor }) });
    seen += page.items.length;
    cursor = seen >= most ? null : page.nextCursor;
    if (page.nextCursor !== null && cursor === null) run.note({ truncated: true });
    yield { items: page.items, seen };
    await run.giveWay();
  } while (cursor !== null);
}

/** Joins what is found to parts of so many, at least; the last one may have fewer. */
async function* inParts<T>(found: AsyncIterable<readonly T[]>, least: number): AsyncGenerator<readonly T[]> {
  let part: T[] = [];
  for await (const items of found) {
    for (const item of items) part.push(item);
    if (part.length < least) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

const OLDEST_FIRST = { sort: 'created_at', order: 'asc' } as const;

const keptCi = (ci: Ci): KeptCi => [ci.id, ci.name, ci.type, lookupOf(ci).addresses];

async function* readCis(run: SessionRun, progress: LoadProgress): AsyncGenerator<readonly KeptCi[]> {
  const { ports, tenant } = run;
  let count = 0;
  const read = pages<Ci>(run, MOST_CIS, (at) => ports.topology.findCis(tenant, {}, { ...OLDEST_FIRST, ...at }));
  for await (const { items, seen } of read) {
    count += items.length;
    await progress.tell('cis', seen);
    yield items.map(keptCi);
  }
  run.note({ cis: count });
}

const portOf = ({ port }: Relationship['attributes']): number | null => {
  const number = typeof port === 'string' ? Number(port) : port;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= 65_535 ? number : null;
};

async function* readRelationships(
  run: SessionRun,
  places: ReadonlyMap<string, number>,
  progress: LoadProgress,
): AsyncGenerator<readonly KeptLink[]> {
  const { ports, tenant } = run;
  let count = 0;
  const read = pages<Relationship>(run, MOST_LINKS, (at) =>
    ports.topology.findRelationships(tenant, { includeAi: false }, { ...OLDEST_FIRST, ...at }),
  );
  for await (const { items, seen } of read) {
    const links = items.flatMap(({ source, target, type, attributes }): KeptLink[] => {
      const [from, to] = [places.get(source), places.get(target)];
      return from === undefined || to === undefined ? [] : [[from, to, type, portOf(attributes)]];
    });
    count += links.length;
    await progress.tell('relationships', seen);
    yield links;
  }
  run.note({ relationships: count });
}

interface Seen {
  readonly links: readonly KeptLink[];
  readonly processes: KeptProcesses | null;
}

/** Observations of scanners about one CI. */
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

/** Where CIs stand, by their ids, and by addresses that a single one has. */
interface Places {
  readonly byId: Map<string, number>;
  readonly byAddress: Map<string, number | null>;
}

/** Connections and processes that scanners saw. */
async function* readNetworks(
  run: SessionRun,
  { byId, byAddress }: Places,
  { most, progress }: { readonly most: number; readonly progress: LoadProgress },
): AsyncGenerator<readonly (KeptLink | KeptProcesses)[]> {
  const { ports, tenant } = run;
  let [furthest, connections] = [0, 0];
  for (let after: string | undefined; ; ) {
    const options = { limit: NETWORKS_AT_ONCE, ...(after === undefined ? {} : { after }) };
    const page = await ports.records.list<NetworkRecord>(tenant, DISCOVERY_KINDS.network, options);
    const found: (KeptLink | KeptProcesses)[] = [];
    for (const { id, body } of page) {
      const ci = byId.get(id);
      if (ci === undefined) continue;
      // Rows come in the order of ids, which is about that in which CIs were made.
      furthest = Math.max(furthest, ci + 1);
      const { links, processes } = seenOf(ci, body, byAddress);
      found.push(...links, ...(processes === null ? [] : [processes]));
      connections += links.length;
    }
    await progress.tell('networks', furthest);
    await run.giveWay(NETWORKS_TURN_MS);
    after = page.at(-1)?.id;
    yield found;
    if (connections > most) run.note({ truncated: true });
    if (page.length < NETWORKS_AT_ONCE || connections > most) break;
  }
  await progress.done('networks');
  run.note({ connections });
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
const isLink = (one: KeptLink | KeptProcesses): one is KeptLink => one.length === 4;

/** Hands the search all that it looks at, as it was when it was first read. Resolves with the number of CIs. */
export async function loadEstate(run: SessionRun, search: ServiceSearch): Promise<number> {
  const progress = new LoadProgress(run, await expectedRows(run));
  const places: Places = { byId: new Map(), byAddress: new Map() };
  const { byId, byAddress } = places;
  await run.parts(
    'cis',
    () => inParts(readCis(run, progress), CIS_PER_PART),
    (part) => {
      for (const [id, , , addresses] of part) {
        const place = byId.size;
        byId.set(id, place);
        for (const address of addresses) byAddress.set(address, byAddress.has(address) ? null : place);
      }
      search.add({ cis: part.map(([id, name, type]) => ({ id, name, type })) });
    },
  );
  let related = 0;
  await run.parts(
    'relationships',
    () => inParts(readRelationships(run, byId, progress), LINKS_PER_PART),
    (part) => {
      related += part.length;
      search.add({ links: part.map(linkOf) });
    },
  );
  await run.parts(
    'networks',
    () => inParts(readNetworks(run, places, { most: MOST_LINKS - related, progress }), LINKS_PER_PART),
    (part) =>
      search.add({
        links: part.filter(isLink).map(linkOf),
        processes: part.filter((one): one is KeptProcesses => !isLink(one)),
      }),
  );
  return byId.size;
}
