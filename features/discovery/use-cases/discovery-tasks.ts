import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { SECOND_MS } from '#application/job.ts';
import { leaveLeft } from '#application/services/leave-services.ts';
import { LetGo, type StoredTasks, type StoredTaskTurn } from '#application/tasks/task.ts';
import { MAX_WINDOW_MS } from '#domain/correlation/settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import { counted, finishedStatus, type HostOutcome, NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import { applyJoined, takeLeft } from './joined.ts';
import { moveEvents } from './move-events.ts';
import { noteTenants, rebindDue, sweepSome } from './rebind.ts';
import { type JoinedCis, REBINDER, type Rebinder } from './rebinder.ts';
import { type PlacedHost, type Reconciling, reconcileHosts } from './reconcile-hosts.ts';
import {
  type ChunkOutcome,
  chunkId,
  DISCOVER,
  DISCOVERY_KINDS,
  findScan,
  type HostChunk,
  SCANS_KEPT_MS,
  saveScan,
} from './records.ts';
import { authorityOf } from './settings.ts';

const placed = ({ first, hosts }: HostChunk) => {
  const good: PlacedHost[] = [];
  const bad: HostOutcome[] = [];
  for (const [i, given] of hosts.entries()) {
    const index = first + i;
    if ('host' in given) good.push({ index, host: given.host });
    else {
      const { bad: reason, hostname, ipAddress } = given;
      bad.push({ index, hostname, ipAddress, action: 'failed', ci: null, by: null, reason, review: null });
    }
  }
  return { good, bad };
};

/** Does one chunk unless it is done. */
async function processChunk(work: Reconciling, n: number): Promise<readonly HostOutcome[]> {
  const { ports, tenant, scan } = work;
  const id = chunkId(scan.id, n);
  const done = await ports.records.get<ChunkOutcome>(tenant, DISCOVERY_KINDS.outcome, id);
  if (done !== null) return done.body.hosts;
  const chunk = await ports.records.get<HostChunk>(tenant, DISCOVERY_KINDS.chunk, id);
  if (chunk === null) throw new Fault('internal', 'Scan hosts are missing');
  const { good, bad } = placed(chunk.body);
  const hosts = [...bad, ...(await reconcileHosts(work, good))].sort((a, b) => a.index - b.index);
  const expiresAt = scan.submittedAt + SCANS_KEPT_MS;
  await ports.records.put<ChunkOutcome>(tenant, DISCOVERY_KINDS.outcome, id, { hosts }, { expiresAt });
  return hosts;
}

/** Resumes a scan, and processes it to its end. */
async function processScan({ ports, task, thing: { body: scan }, signal }: StoredTaskTurn<Scan>): Promise<void> {
  const { tenant } = task;
  const work = { ports, tenant, scan, authority: await authorityOf(ports.records, tenant) };
  let [counts, hostsDone] = [NO_COUNTS, 0];
  for (let n = 0; n < scan.chunks; n++) {
    signal.throwIfAborted();
    if (await isBeingDeleted(ports.records, tenant)) throw new LetGo('The tenant is being deleted');
    const hosts = await processChunk(work, n);
    counts = counted(counts, hosts);
    hostsDone += hosts.length;
    if (hostsDone > scan.hostsDone) await saveScan(ports, tenant, { ...scan, counts, hostsDone });
  }
  const status = finishedStatus({ hostsTotal: scan.hostsTotal, counts });
  const error = status === 'failed' ? 'No valid hosts in the scan' : null;
  await saveScan(ports, tenant, { ...scan, counts, hostsDone, status, error, completedAt: ports.clock.now() });
}

/** Limits of one burst: CIs with open events, and the newest events of each and of all together that it returns. */
const MAX_CIS = 200;
const MAX_PER_CI = 50;
const MAX_TOLD = 500;
/** Events notified at once: new events wait for that time. */
const TOLD = 25;

/** The open events on the CI that windows still reach, newest first. */
async function recentOn({ events, clock }: Ports, tenant: string, ciId: string): Promise<readonly Event[]> {
  const filter = { ciId, statuses: ['open', 'acknowledged'], from: clock.now() - MAX_WINDOW_MS } as const;
  const found = await events.part(tenant, filter, { sort: 'createdAt', order: 'desc', limit: MAX_PER_CI });
  return found.items;
}

async function rewire(ports: Ports, { tenant, ciIds }: JoinedCis): Promise<void> {
  await ports.sweeps.refresh();
  const open = [...(await ports.eventCounts.openOn(tenant, ciIds)).keys()].slice(0, MAX_CIS);
  const ids: string[] = [];
  for (const ciId of open) for (const { id } of await recentOn(ports, tenant, ciId)) ids.push(id);
  const receivedAt = ports.clock.now();
  const told = ids.slice(0, MAX_TOLD).map((eventId): Incoming => ({ ask: { kind: 'rewired', eventId }, receivedAt }));
  for (const some of slices(told, TOLD)) await ports.eventLog.append(tenant, some);
}

/**
 * Open events on CIs that got a relationship arrive again with their surroundings of now: an import amid a fault may not leave it in
 * pieces. The record is settled last: a process that dies leaves it.
 */
async function finish(ports: Ports, joined: JoinedCis): Promise<void> {
  if (!(await isBeingDeleted(ports.records, joined.tenant))) await rewire(ports, joined);
  await applyJoined(ports, joined);
}

/** Relationships that this process has added. Throws the first error after everything had its turn; failed ones are left for later. */
export async function rewireDue(ports: Ports, rebinder: Rebinder, isStopping: () => boolean): Promise<void> {
  const errors: unknown[] = [];
  for (let taken = rebinder.takeJoined(); taken !== null && !isStopping(); taken = rebinder.takeJoined())
    await finish(ports, taken).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Work that this or another process has noted and not done. Throws the first error after everything had its turn. */
export async function rewireLeft(ports: Ports, isStopping: () => boolean): Promise<void> {
  const errors: unknown[] = [];
  for await (const taken of takeLeft(ports)) {
    await finish(ports, taken).catch((error) => errors.push(error));
    if (isStopping()) return;
  }
  if (errors.length > 0) throw errors[0];
}

const rebinderOf = ({ memory }: Ports) => memory.of(REBINDER);
const sweep = (ports: Ports, isStopping: () => boolean) => sweepSome(ports, rebinderOf(ports), isStopping);

/** Scans, and beside them events that find their CI later, and those whose CI gets relationships. */
export const discoveryTasks: StoredTasks<Scan> = {
  name: DISCOVER,
  everyMs: 5 * SECOND_MS,
  bindsEvents: true,
  failure: 'discovery failed, retrying',
  about: DISCOVERY_KINDS.scan,
  places: 'queue',
  atOnce: 1,
  tries: { most: 5, counted: 'failed' },
  sources: [
    (ports, isStopping) => rebindDue(ports, rebinderOf(ports), isStopping),
    moveEvents,
    (ports, isStopping) => rewireDue(ports, rebinderOf(ports), isStopping),
    leaveLeft,
  ],
  looks: [
    async (ports) => {
      if (rebinderOf(ports).remind(ports.clock.now())) await noteTenants(ports, rebinderOf(ports));
    },
    sweep,
    async (ports, isStopping) => {
      if (rebinderOf(ports).looksForLeft(ports.clock.now())) await rewireLeft(ports, isStopping);
    },
  ],
  unfinished: { isLeft: (ports) => rebinderOf(ports).isSweeping, some: sweep },
  find: findScan,
  isOpen: ({ status }) => status === 'running',
  run: processScan,
  async giveUp({ ports, task: { tenant }, thing: { body } }, error) {
    await saveScan(ports, tenant, { ...body, status: 'failed', error, completedAt: ports.clock.now() });
  },
};
