import { type MessagePort, workerData } from 'node:worker_threads';
import { errorMessage } from '#domain/fault.ts';
import type { Part } from '#domain/page.ts';
import type { NetworkRow } from '#features/analyzer/rules/communities/infrastructure-intake.ts';
import type { RowsAsked, RowsRead } from '#features/analyzer/rules/infrastructure-messages.ts';
import type { Searched } from '#features/analyzer/rules/service-searches.ts';
import type { Network } from '#features/discovery/rules/network.ts';
import { connectReader, readingOver } from '#infra/embedded/redo-log/connections.ts';
import { infrastructureCis, infrastructureLinks } from '#infra/embedded/topology/lists.ts';
import { takeWhatIsLeft } from '#infra/thread-priority.ts';

/** Handed over at once. */
const ROWS = 200;
/** Rows between two pauses, a fraction of a millisecond: Linux lets a thread that wakes retain its core for longer. */
const ROWS_AT_ONCE = 25;
/** A large estate is read within a minute nevertheless. */
const TURN_MS = 2;
/** Some are large. */
const NETWORKS = 4;
const CACHE_KIB = 16_384;

export interface InfrastructureOf extends Searched {
  readonly path: string;
  readonly port: MessagePort;
  /** Records that expire before it are left out, ms. */
  readonly now: number;
}

takeWhatIsLeft();
const { path, port, tenant, networks, now } = workerData as InfrastructureOf;
const db = connectReader(path, CACHE_KIB);
const reading = readingOver(db);

function networksAfter(cursor: string | undefined): Part<NetworkRow> {
  const found = reading
    .arrays<readonly [string, string]>(
      `SELECT id, body FROM record WHERE tenant = ? AND kind = ? AND (expires_at IS NULL OR expires_at > ?) AND id > ?
       ORDER BY id LIMIT ?`,
    )
    .all(tenant, networks, now, cursor ?? '', NETWORKS);
  return {
    items: found.map(([id, body]) => [id, JSON.parse(body) as Network]),
    nextCursor: found.length < NETWORKS ? null : (found.at(-1)?.[0] ?? null),
  };
}

const clock = new Int32Array(new SharedArrayBuffer(4));
/** No other work needs this thread, so it may block. */
function rest(began: number): void {
  Atomics.wait(clock, 0, 0, Math.max(1, TURN_MS - (performance.now() - began)));
}

function some<T>(read: (cursor?: string) => Part<T>, { cursor: from }: RowsAsked, most: number) {
  const rows: T[] = [];
  let cursor = from;
  do {
    const began = performance.now();
    const part = read(cursor ?? undefined);
    rows.push(...part.items);
    cursor = part.nextCursor;
    rest(began);
  } while (cursor !== null && rows.length < most);
  return { rows, nextCursor: cursor };
}

const page = { tenant, limit: ROWS_AT_ONCE };

function rowsOf(asked: RowsAsked): RowsRead {
  const { list } = asked;
  if (list === 'networks') return { list, ...some(networksAfter, asked, NETWORKS) };
  if (list === 'cis')
    return { list, ...some((cursor) => infrastructureCis(reading, { ...page, cursor }), asked, ROWS) };
  return { list, ...some((cursor) => infrastructureLinks(reading, { ...page, cursor }), asked, ROWS) };
}

function answer(asked: RowsAsked): RowsRead {
  try {
    return rowsOf(asked);
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

port.on('message', (asked: RowsAsked) => port.postMessage(answer(asked)));
port.on('close', () => db.close());
