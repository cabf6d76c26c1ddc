import { STEP_MS } from '#domain/pipeline/history.ts';
import { logKeptMs } from '#schemas/topics/topics.ts';
import { checkHeartbeats } from './events/check-heartbeats.ts';
import { resolveSilent } from './events/resolve-silent.ts';
import { storeSourceCounts } from './events/sources/stored-counts.ts';
import { endTests } from './events/sources/test-source.ts';
import { countGroups } from './groups/count-groups.ts';
import { HOUR_MS, type Job, MINUTE_MS, SECOND_MS } from './job.ts';
import { heedPauses } from './operations/pause-sinks.ts';
import { rememberPipeline } from './operations/remember-pipeline.ts';
import { emptyTenants } from './tenants/empty-tenants.ts';

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
    // As long in both modes, though embedded mode keeps no log.
    run: ({ ports, retentionMs }, isStopping) => emptyTenants({ ports, takenMs: logKeptMs(retentionMs), isStopping }),
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
