import { pause } from '#application/records/pause.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { isRecord } from '#domain/record-of.ts';
import {
  authorization,
  failureOfStatus,
  failureWithout,
  SourceError,
  withoutSlash,
} from '#features/topology-sources/rules/connection.ts';
import {
  NETBOX_LIST_NAMES,
  NETBOX_LISTS,
  type NetboxList,
  type NetboxRow,
} from '#features/topology-sources/rules/netbox/lists.ts';
import { NetboxTopology } from '#features/topology-sources/rules/netbox/topology.ts';
import type { TopologySource } from '#features/topology-sources/rules/source.ts';
import type { WantedSet } from '#features/topology-sources/rules/wanted.ts';

type NetboxPorts = Pick<Ports, 'outbound'>;

/** Objects per page; NetBox allows up to 1,000 by default. */
const PAGE = 500;
/** Shorter than the lease of a run, which is renewed between requests. */
const TIMEOUT_MS = 40_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Limits of a whole source. */
const MAX_OBJECTS = 1_000_000;
const MAX_ROWS = 5_000_000;
/** Waits before the next attempt, ms. */
const RETRIES: readonly number[] = [250, 1_000, 4_000];
const isTemporary = (status: number): boolean => status === 429 || status >= 500;

/** Failures that the next attempt would repeat; the next run tries again. */
const LASTING: ReadonlySet<unknown> = new Set(['refused address', 'unknown host', 'connection refused', 'tls']);
const isLasting = (error: Error): boolean => 'class' in error && LASTING.has(error.class);

/** NetBox returns `{ "detail": … }`. */
function detailIn(body: string): string {
  try {
    const reply: unknown = JSON.parse(body);
    return isRecord(reply) && typeof reply.detail === 'string' ? `: ${reply.detail.slice(0, 200)}` : '';
  } catch {
    return '';
  }
}

async function requested(ports: NetboxPorts, address: string, auth: TopologySource['auth']): Promise<string> {
  const { host, pathname } = new URL(address);
  for (let tries = 0; ; tries++) {
    const wait = RETRIES[tries];
    const reply = await ports.outbound
      .read(address, {
        headers: { accept: 'application/json', ...authorization(auth) },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      })
      .catch((error: Error) => error);
    if (!(reply instanceof Error) && reply.status === 200) return reply.body;
    const isFinal = reply instanceof Error ? isLasting(reply) : !isTemporary(reply.status);
    if (wait === undefined || isFinal)
      throw new SourceError(
        reply instanceof Error
          ? `Couldn't read ${host}${pathname}: ${reply.message}`
          : `HTTP ${reply.status} from ${host}${pathname}${detailIn(reply.body)}`,
        reply instanceof Error ? failureWithout(reply) : failureOfStatus(reply.status),
      );
    await pause(wait);
  }
}

interface NetboxPage {
  readonly rows: readonly NetboxRow[];
  /** Query of the next page; null: the last one. */
  readonly next: string | null;
}

/** The address of the next page may name an internal host, so only its query is used. */
function pageIn(body: string, address: string): NetboxPage {
  try {
    const reply: unknown = JSON.parse(body);
    if (!isRecord(reply) || !Array.isArray(reply.results)) throw new Error('no results');
    const next = typeof reply.next === 'string' ? new URL(reply.next).search : null;
    return { rows: reply.results.filter(isRecord), next };
  } catch {
    throw new SourceError(`${new URL(address).host} didn't respond like a NetBox server`, 'wrong_url');
  }
}

/** Position of a page: NetBox before 4.6 knows offsets only, later versions also the first ID. */
const positionOf = (query: string): number => {
  const asked = new URLSearchParams(query);
  return Number(asked.get('offset') ?? asked.get('start') ?? 0);
};

async function* pages(ports: NetboxPorts, { url, auth }: TopologySource, list: NetboxList): AsyncGenerator<NetboxPage> {
  const [path, filter, fields] = NETBOX_LISTS[list];
  const base = `${withoutSlash(url ?? '')}/api/${path}`;
  let query: string | null = `?${filter}${filter && '&'}fields=${fields}&limit=${PAGE}&start=0`;
  while (query !== null) {
    const address = base + query;
    const page: NetboxPage = pageIn(await requested(ports, address, auth), address);
    yield page;
    if (page.next !== null && positionOf(page.next) <= positionOf(query))
      throw new SourceError(`${new URL(base).host} repeats a page of ${path}`);
    query = page.next;
  }
}

/** Reads all lists page by page. Throws SourceError. */
export async function readNetbox(
  ports: NetboxPorts,
  source: TopologySource,
  isStopping: () => boolean,
): Promise<WantedSet> {
  const topology = new NetboxTopology(source.name, source.roles ?? []);
  let rows = 0;
  for (const list of NETBOX_LIST_NAMES) {
    for await (const page of pages(ports, source, list)) {
      for (const row of page.rows) topology.add(list, row);
      rows += page.rows.length;
      if (topology.size > MAX_OBJECTS || rows > MAX_ROWS)
        throw new SourceError(`The NetBox server has more than ${MAX_OBJECTS} objects`);
      if (isStopping()) throw new SourceError('The run was stopped');
    }
  }
  return topology.set();
}
