import { amendNote } from '#application/records/amend-note.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { GROUP_AGE_NAMES } from '#domain/correlation/grouping/group-ages.ts';
import { GROUP_STATUSES } from '#domain/correlation/grouping/group-state.ts';
import { type ProcessorCounters, type ProcessorStanding, STEP_MS } from '#domain/pipeline/history.ts';
import type { Tallies } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import { logRetentionMs } from '#schemas/topics/topics.ts';
import type { EventAction } from './events/event-action.ts';
import { HEARTBEAT_KIND, type Heartbeat, listedHeartbeats } from './events/heartbeats.ts';
import { ownEnded, ownRaised, receiveOwn } from './events/own-event.ts';
import { resolveSilent } from './events/resolve-silent.ts';
import { storeSourceCounts } from './events/sources/stored-counts.ts';
import { endTests } from './events/sources/test-source.ts';
import { HOUR_MS, type Job, MINUTE_MS, SECOND_MS } from './job.ts';
import { heedPauses } from './operations/pause-sinks.ts';
import { emptyTenants } from './tenants/empty-tenants.ts';

/** A heartbeat that was silent for longer is missing. */
export const MISSING_AFTER_MS = 15 * 60_000;

/** A tenant lists at most 100; unlisted ones are removed by the next check. */
const MAX_NOTED = 1_000;

interface Check {
  /** ms. */
  readonly now: number;
  /** Silence before does not count: no beat could have been received. */
  readonly listeningSince?: number;
  readonly isStopping?: () => boolean;
}

const sourceIdOf = (id: string): string => `heartbeat/${id}`;
const raised = (id: string, { name, lastSeen }: Heartbeat, action: 'open' | 'update'): EventAction => {
  const description = `No heartbeat from ${name} since ${new Date(lastSeen).toISOString()}.`;
  return ownRaised(
    sourceIdOf(id),
    { severity: 'critical', title: `Heartbeat ${name} is missing`, description },
    action,
  );
};
const ended = (id: string): EventAction => ownEnded(sourceIdOf(id));

/** A reminder changes nothing of an event that is there, and begins one where that is resolved. */
const remind = async (ports: Ports, tenant: string, { id, body }: Noted, now: number): Promise<void> => {
  const told = await receiveOwn(ports, tenant, raised(id, body, 'update'), now);
  if (told?.outcome === 'ignored') await receiveOwn(ports, tenant, raised(id, body, 'open'), now);
};

/** Raises or ends the event first and remembers it then: after a crash in between it is counted twice, never lost. */
const report = async (ports: Ports, tenant: string, id: string, action: EventAction, now: number): Promise<void> => {
  await receiveOwn(ports, tenant, action, now);
  const missing = action.action === 'open';
  const note = { tenant, kind: HEARTBEAT_KIND, id };
  await amendNote<Heartbeat>(ports.records, note, (before) => before && { ...before, missing });
};

const checkTenant = async (ports: Ports, tenant: string, check: Check): Promise<void> => {
  const noted = await ports.records.list<Heartbeat>(tenant, HEARTBEAT_KIND, { limit: MAX_NOTED });
  if (noted.length === 0) return;
  const listed = listedHeartbeats((await correlationSettings(ports.records, tenant)).heartbeats);
  for (const { id, body } of noted) {
    if (listed.has(id)) await checkOne(ports, tenant, { id, body }, check);
    else await forget(ports, tenant, { id, body }, check);
  }
};

type Noted = Pick<StoredRecord<Heartbeat>, 'id' | 'body'>;

const checkOne = async (ports: Ports, tenant: string, { id, body }: Noted, check: Check): Promise<void> => {
  const { now, listeningSince = 0 } = check;
  const silent = (since: number): boolean => now - since > MISSING_AFTER_MS;
  if (body.missing) {
    if (silent(body.lastSeen)) await remind(ports, tenant, { id, body }, now);
    else await report(ports, tenant, id, ended(id), now);
  } else if (silent(Math.max(body.lastSeen, listeningSince)))
    await report(ports, tenant, id, raised(id, body, 'open'), now);
};

/** A heartbeat that the tenant lists no more ends its alarm, and starts as never seen when it is listed again. */
const forget = async (ports: Ports, tenant: string, { id, body }: Noted, { now }: Check): Promise<void> => {
  if (body.missing) await report(ports, tenant, id, ended(id), now);
  await ports.records.remove(tenant, HEARTBEAT_KIND, id);
};

/**
 * Raises one event per heartbeat that was received once and then not for 15 minutes, and resolves it when it is back.
 * Throws when a tenant could not be checked, after all others were.
 */
export const checkHeartbeats = (ports: Ports, check: Check): Promise<void> => {
  const { isStopping = () => false } = check;
  const failed = (count: number): string => `Couldn't check heartbeats of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, (tenant) => checkTenant(ports, tenant, check));
};

/** Measures how many groups of all tenants there are by status and age; of the resolved those of the last day. */
export const countGroups = async (
  { records, groupRows, clock, metrics }: Pick<Ports, 'records' | 'groupRows' | 'clock' | 'metrics'>,
  isStopping: () => boolean,
): Promise<void> => {
  const counts = new Map<string, number>();
  const failed = (count: number): string => `Couldn't count groups of ${count} tenants`;
  await eachActiveTenant(records, { isStopping, failed }, async (tenant) => {
    for (const { status, age, count } of await groupRows.countByAge(tenant, clock.now())) {
      const key = `${status} ${age}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  });
  if (isStopping()) return;
  for (const state of GROUP_STATUSES)
    for (const age of GROUP_AGE_NAMES)
      metrics.gauge('faultline_groups', { state, age }, counts.get(`${state} ${age}`) ?? 0);
};

type PipelinePorts = Pick<Ports, 'operations' | 'clock'> & { readonly memory: Pick<Ports['memory'], 'pipeline'> };

const IDLE: ProcessorCounters = { read: 0, emitted: 0, errors: 0, batches: 0, seconds: 0 };

/** Samples existing measurements: nothing is counted for it during ingest. */
export async function rememberPipeline({ operations, clock, memory }: PipelinePorts, tallies: Tallies): Promise<void> {
  const [reports, done] = await Promise.all([operations.pipeline(), tallies.processors()]);
  const stages = reports.map(({ name, partitions }): [string, ProcessorStanding] => [
    name,
    { tally: done.get(name) ?? IDLE, lags: new Map(partitions.map(({ partition, lag }) => [partition, lag])) },
  ]);
  memory.pipeline.look(clock.now(), new Map(stages));
}

/** Periodic work of the core. */
export const coreJobs: readonly Job[] = [
  {
    name: 'check-heartbeats',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    isLeased: true,
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports, startedAt }, isStopping) =>
      checkHeartbeats(ports, { now: ports.clock.now(), listeningSince: startedAt, isStopping }),
  },
  {
    name: 'resolve-silent',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    isLeased: true,
    timeoutMs: HOUR_MS,
    run: ({ ports, silence, clockWatch }, isStopping) =>
      resolveSilent(ports, { cursors: silence, changesAlone: !clockWatch.isSettled(), isStopping }),
  },
  {
    name: 'count-sources',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports }, isStopping) => storeSourceCounts(ports, isStopping),
  },
  {
    name: 'end-tests',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    isLeased: true,
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports }, isStopping) => endTests(ports, isStopping),
  },
  {
    name: 'count-groups',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    atStart: true,
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports }, isStopping) => countGroups(ports, isStopping),
  },
  {
    name: 'empty-tenants',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    needsClock: true,
    timeoutMs: HOUR_MS,
    // The same duration in both modes, though embedded mode stores no log.
    run: ({ ports, retentionMs }, isStopping) =>
      emptyTenants({ ports, takenMs: logRetentionMs(retentionMs), isStopping }),
  },
  {
    name: 'forget-topology',
    everyMs: HOUR_MS,
    runsIn: 'api',
    isLeased: true,
    needsClock: true,
    timeoutMs: HOUR_MS,
    async run({ ports: { history, clock, historyMs } }) {
      await history.forget(clock.now() - historyMs);
    },
  },
  {
    name: 'remember-pipeline',
    everyMs: STEP_MS,
    runsIn: 'api',
    atStart: true,
    timeoutMs: MINUTE_MS,
    run: ({ ports, tallies }) => rememberPipeline(ports, tallies),
  },
  {
    name: 'watch-tokens',
    everyMs: HOUR_MS,
    runsIn: 'api',
    atStart: true,
    timeoutMs: HOUR_MS,
    run: ({ tokens }) => tokens.look(),
  },
  {
    name: 'delete-events',
    everyMs: HOUR_MS,
    runsIn: 'everywhere',
    isLeased: true,
    needsClock: true,
    timeoutMs: 6 * HOUR_MS,
    async run({ ports, housekeeping, retentionMs, log }, isStopping) {
      const count = await housekeeping.deleteEvents(ports.clock.now() - retentionMs, isStopping);
      if (count > 0) log.info({ count, retentionDays: retentionMs / (24 * HOUR_MS) }, 'old events deleted');
    },
  },
  {
    name: 'tidy-records',
    everyMs: MINUTE_MS,
    runsIn: 'everywhere',
    timeoutMs: HOUR_MS,
    run: ({ housekeeping, clockWatch }) => housekeeping.tidyRecords(clockWatch.isSettled()),
  },
  {
    name: 'tidy-topology',
    everyMs: MINUTE_MS,
    runsIn: 'distributed',
    timeoutMs: HOUR_MS,
    run: ({ housekeeping }) => housekeeping.tidyTopology(),
  },
  {
    name: 'share-errors',
    everyMs: 5 * SECOND_MS,
    runsIn: 'distributed',
    timeoutMs: MINUTE_MS,
    run: ({ housekeeping }) => housekeeping.shareErrors(),
  },
  {
    name: 'heed-pauses',
    everyMs: 3 * SECOND_MS,
    runsIn: 'everywhere',
    timeoutMs: MINUTE_MS,
    run: ({ ports }) => heedPauses(ports),
  },
  {
    name: 'watch-clock',
    everyMs: 10 * SECOND_MS,
    runsIn: 'everywhere',
    timeoutMs: MINUTE_MS,
    run: ({ clockWatch }) => clockWatch.tick(),
  },
];
