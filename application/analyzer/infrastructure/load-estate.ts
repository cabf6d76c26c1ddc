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

/** Reads a list to its end, or until so many are there. */
async function readAll<T>(
  run: SessionRun,
  { most, what, take }: { readonly most: number; readonly what: string; readonly take: (items: readonly T[]) => void },
  read: (at: { readonly limit: number; readonly offset?: number; readonly cursor?: string }) => Promise<Page<T>>,
): Promise<void> {
  let [seen, cursor]: [number, string | null] = [0, null];
  do {
    const page: Page<T> = await read({ limit: PAGE, ...(cursor === null ? { offset: 0 } : { cursor }) });
    take(page.items);
    seen += page.items.length;
    cursor = seen >= most ? null : page.nextCursor;
    if (page.nextCursor !== null && cursor === null) run.note({ truncated: true });
    const total = Math.max(seen, Math.min(most, page.total));
    await run.tell({ step: 'load', message: `Reading ${what}`, current: seen, total });
    await run.giveWay();
  } while (cursor !== null);
}

const OLDEST_FIRST = { sort: 'created_at', order: 'asc' } as const;

const keptCi = (ci: Ci): KeptCi => [ci.id, ci.name, ci.type, lookupOf(ci).addresses];

async function readCis(run: SessionRun): Promise<readonly KeptCi[]> {
  const { ports, tenant } = run;
  const cis: KeptCi[] = [];
  const take = (items: readonly Ci[]): void => void cis.push(...items.map(keptCi));
  await readAll<Ci>(run, { most: MOST_CIS, what: 'configuration items', take }, (at) =>
    ports.topology.findCis(tenant, {}, { ...OLDEST_FIRST, ...at }),
  );
  run.note({ cis: cis.length });
  return cis;
}

const portOf = ({ port }: Relationship['attributes']): number | null => {
  const number = typeof port === 'string' ? Number(port) : port;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= 65_535 ? number : null;
};

async function readRelationships(run: SessionRun, places: ReadonlyMap<string, number>): Promise<readonly KeptLink[]> {
  const { ports, tenant } = run;
  const links: KeptLink[] = [];
  const take = (items: readonly Relationship[]): void => {
    for (const { source, target, type, attributes } of items) {
      const [from, to] = [places.get(source), places.get(target)];
      if (from !== undefined && to !== undefined) links.push([from, to, type, portOf(attributes)]);
    }
  };
  await readAll<Relationship>(run, { most: MOST_LINKS, what: 'relationships', take }, (at) =>
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
  places: ReadonlyMap<string, number>,
  most: number,
) {
  const { ports, tenant } = run;
  const at = placesByAddress(cis);
  const links: KeptLink[] = [];
  const processes: KeptProcesses[] = [];
  for (let after: string | undefined; ; ) {
    const options = { limit: NETWORKS_AT_ONCE, ...(after === undefined ? {} : { after }) };
    const page = await ports.records.list<NetworkRecord>(tenant, DISCOVERY_KINDS.network, options);
    for (const { id, body } of page) {
      const ci = places.get(id);
      if (ci === undefined) continue;
      const seen = seenOf(ci, body, at);
      links.push(...seen.links);
      if (seen.processes !== null) processes.push(seen.processes);
    }
    await run.giveWay();
    after = page.at(-1)?.id;
    if (links.length > most) run.note({ truncated: true });
    if (page.length < NETWORKS_AT_ONCE || links.length > most) break;
  }
  run.note({ connections: links.length });
  return { links, processes };
}

const linkOf = ([source, target, type, port]: KeptLink): EstateLink => ({ source, target, type, port });

/** All that the search for services looks at, as it was when it was first read. */
export async function loadEstate(run: SessionRun): Promise<Estate> {
  const kept = await run.kept('cis', CIS_PER_PART, () => readCis(run));
  const places = new Map(kept.map(([id], place) => [id, place]));
  const related = await run.kept('relationships', LINKS_PER_PART, () => readRelationships(run, places));
  const seen = await run.kept('networks', CIS_PER_PART, async () => {
    const { links, processes } = await readNetworks(run, kept, places, MOST_LINKS - related.length);
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
