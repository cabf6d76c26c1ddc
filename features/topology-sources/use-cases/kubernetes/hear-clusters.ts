import { receive } from '#application/events/receive.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { sameJson } from '#domain/same-json.ts';
import type { ClusterWatch, HeardEvents } from '#features/topology-sources/rules/kubernetes/clusters.ts';
import {
  type ClusterAction,
  Hearing,
  type OpenProblem,
  type OpenProblems,
  resolved,
} from '#features/topology-sources/rules/kubernetes/hear.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import { DEFAULT_CLUSTER } from '#features/topology-sources/rules/source.ts';
import { findSource } from '#features/topology-sources/use-cases/stored/source-store.ts';

/** Number of actions to send together. */
const BATCH = 200;
/** Events of a list are new if they are later than the last one minus this time, ms: clocks of nodes differ. */
const OVERLAP_MS = 60_000;

interface HeardRecord {
  /** Null before the first list. */
  readonly version: string | null;
  /** Time of the last event, ms. */
  readonly at: number;
  readonly open: readonly (readonly [string, OpenProblem])[];
}
interface HeardCluster {
  readonly open: OpenProblems;
  version: string | null;
  at: number;
  /** Last place of the objects that were looked at. */
  place: number;
  /** Actions to send before any further event is read. */
  waiting: readonly ClusterAction[];
  isSaved: boolean;
}

const HEARD: MemorySlot<WeakMap<ClusterWatch, HeardCluster>> = { name: 'topology-heard', open: () => new WeakMap() };

async function load({ records }: Pick<Ports, 'records'>, { tenant, source }: ClusterWatch): Promise<HeardCluster> {
  const stored = (await records.get<HeardRecord>(tenant, SOURCE_RECORDS.heard, source.name))?.body;
  // The objects are listed again after a start, so they are later than any stored problem.
  const open = (stored?.open ?? []).map(([id, problem]): [string, OpenProblem] => [id, { ...problem, place: -1 }]);
  return {
    open: new Map(open),
    version: stored?.version ?? null,
    at: stored?.at ?? 0,
    place: -1,
    waiting: [],
    isSaved: true,
  };
}

const sharedOf = (open: Iterable<readonly [string, OpenProblem]>): ReadonlySet<string> =>
  new Set([...open].map(([, { shared }]) => shared));

/** One at a time in this process: the end of a source waits while its events are received. */
const inTurn = <T>({ memory }: Ports, tenant: string, name: string, work: () => Promise<T>): Promise<T> =>
  memory.turns.take(`${SOURCE_RECORDS.heard} ${tenant} ${name}`, work);

async function endAll(ports: Ports, tenant: string, name: string): Promise<void> {
  const stored = await ports.records.get<HeardRecord>(tenant, SOURCE_RECORDS.heard, name);
  const actions = [...sharedOf(stored?.body.open ?? [])].map((id) => resolved(id, { notes: 'source deleted' }));
  await send(ports, tenant, { waiting: actions });
  await ports.records.remove(tenant, SOURCE_RECORDS.heard, name);
}

/** Ends all problems of a source that is deleted. */
export const endHeard = (ports: Ports, tenant: string, name: string): Promise<void> =>
  inTurn(ports, tenant, name, () => endAll(ports, tenant, name));

/** Returns the actions of problems that are still open: the first list also has problems that are long over. */
const begun = (actions: readonly ClusterAction[], open: OpenProblems): ClusterAction[] => {
  const last = new Map(actions.flatMap((one) => (one.action === 'open' ? [[one.draft.sourceId, one] as const] : [])));
  const left = sharedOf(open);
  return [...last].flatMap(([id, action]) => (left.has(id) ? [action] : []));
};

function told(
  heard: HeardCluster,
  watch: ClusterWatch,
  now: number,
  { events, isListed }: HeardEvents,
): readonly ClusterAction[] {
  const cluster = watch.source.cluster ?? DEFAULT_CLUSTER;
  const { objects, place } = watch;
  const hearing = new Hearing({ cluster, objects, place, now }, heard.open);
  const isFirst = isListed && heard.version === null;
  for (const event of events) {
    if (isListed && event.at < heard.at - OVERLAP_MS) continue;
    hearing.event(event);
    heard.at = Math.max(heard.at, Math.min(event.at, now));
  }
  if (watch.isCurrent && place !== heard.place) {
    for (const [kind, rows] of [
      ['node', objects.nodes],
      ['pod', objects.pods],
    ] as const)
      for (const found of rows.values()) {
        if ((found.row.health?.problems.length ?? 0) === 0) continue;
        const { namespace = '', [kind]: name = '' } = found.row.labels;
        hearing.state({ kind, namespace, name }, found);
      }
    heard.place = place;
  }
  if (watch.isCurrent) hearing.sweep();
  return isFirst ? begun(hearing.actions, heard.open) : hearing.actions;
}

async function send(ports: Ports, tenant: string, heard: Pick<HeardCluster, 'waiting'>): Promise<void> {
  while (heard.waiting.length > 0) {
    const batch = heard.waiting.slice(0, BATCH);
    await receive(ports, batch, { tenant, receivedAt: ports.clock.now(), idempotencyKey: null });
    heard.waiting = heard.waiting.slice(batch.length);
  }
}

async function hear(ports: Ports, watch: ClusterWatch, heard: HeardCluster): Promise<void> {
  await send(ports, watch.tenant, heard);
  const { tenant, source } = watch;
  const taken = watch.events(heard.version);
  const actions = told(heard, watch, ports.clock.now(), taken);
  if (actions.length > 0 || taken.version !== heard.version) heard.isSaved = false;
  heard.version = taken.version;
  heard.waiting = actions;
  await send(ports, watch.tenant, heard);
  if (heard.isSaved) return;
  const { version, at, open } = heard;
  const body: HeardRecord = { version, at, open: [...open] };
  await ports.records.put(tenant, SOURCE_RECORDS.heard, source.name, body);
  heard.isSaved = true;
  // Another process may have deleted the source before this was stored.
  if ((await findSource(ports.records, tenant, source.name)) === null) await endAll(ports, tenant, source.name);
}

/** False once the source is deleted, paused or has another address. */
async function isWatched({ records }: Pick<Ports, 'records'>, { tenant, source }: ClusterWatch): Promise<boolean> {
  const stored = (await findSource(records, tenant, source.name))?.body;
  if (stored === undefined || stored.paused) return false;
  const { url, auth, ca, cluster } = source;
  return sameJson(
    { url, auth, ca, cluster },
    { url: stored.url, auth: stored.auth, ca: stored.ca, cluster: stored.cluster },
  );
}

async function hearOne(ports: Ports, watch: ClusterWatch): Promise<void> {
  if (!(await isWatched(ports, watch))) {
    watch.close();
    return;
  }
  const known = ports.memory.of(HEARD);
  const heard = known.get(watch) ?? (await load(ports, watch));
  known.set(watch, heard);
  await hear(ports, watch, heard);
}

/**
 * Receives events of the watched clusters, and throws the first error at the end. A position is stored after its events are received, so after a kill some are
 * received again, which their delivery IDs make known.
 */
export async function hearClusters(ports: Ports, isStopping: () => boolean): Promise<void> {
  const errors: unknown[] = [];
  for (const watch of ports.clusters.live()) {
    if (isStopping()) break;
    const heard = inTurn(ports, watch.tenant, watch.source.name, () => hearOne(ports, watch));
    await heard.catch((error) => void errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
