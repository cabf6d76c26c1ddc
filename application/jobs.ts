import { STEP_MS } from '#domain/pipeline/history.ts';
import { judgeDecisions } from '#features/agents/use-cases/judge.ts';
import { storeRulesAnswers } from '#features/ai/use-cases/usage/rules-count.ts';
import { sumUsage } from '#features/ai/use-cases/usage/sum-usage.ts';
import { analyseIncidents } from '#features/analysis/use-cases/incidents.ts';
import { analyseLeft } from '#features/analysis/use-cases/left.ts';
import { wordAnalyses } from '#features/analysis/use-cases/word.ts';
import { loadDemo } from '#features/demo/use-cases/load-demo.ts';
import { fillIndex } from '#features/search/use-cases/fill-index.ts';
import { indexDue } from '#features/search/use-cases/index-due.ts';
import { embedDue } from '#features/search/use-cases/meaning/embed-due.ts';
import { countSilences } from '#features/silences/use-cases/count-silences.ts';
import { liftSilences } from '#features/silences/use-cases/lift-silences.ts';
import { logKeptMs } from '#schemas/topics/topics.ts';
import { checkHeartbeats } from './events/check-heartbeats.ts';
import { resolveSilent } from './events/resolve-silent.ts';
import { storeSourceCounts } from './events/sources/stored-counts.ts';
import { endTests } from './events/sources/test-source.ts';
import { countGroups } from './groups/count-groups.ts';
import type { Job } from './job.ts';
import { heedPauses } from './operations/pause-sinks.ts';
import { rememberPipeline } from './operations/remember-pipeline.ts';
import { emptyTenants } from './tenants/empty-tenants.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** All periodic work. */
export const jobs: readonly Job[] = [
  {
    name: 'discovery',
    everyMs: 5 * SECOND_MS,
    runsIn: 'api',
    timeoutMs: HOUR_MS,
    run: ({ discovery }) => discovery.tick(),
  },
  {
    name: 'analyse-infrastructure',
    everyMs: 5 * SECOND_MS,
    runsIn: 'api',
    atStart: true,
    timeoutMs: HOUR_MS,
    run: ({ analyses }) => analyses.tick(),
  },
  {
    name: 'make-reports',
    everyMs: 5 * SECOND_MS,
    runsIn: 'api',
    atStart: true,
    timeoutMs: HOUR_MS,
    run: ({ reports }) => reports.tick(),
  },
  {
    name: 'try-settings',
    everyMs: 5 * SECOND_MS,
    runsIn: 'api',
    atStart: true,
    timeoutMs: HOUR_MS,
    run: ({ trials }) => trials.tick(),
  },
  {
    name: 'deliver-webhooks',
    everyMs: SECOND_MS,
    runsIn: 'api',
    timeoutMs: HOUR_MS,
    run: ({ deliverer }) => deliverer.tick(),
  },
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
    name: 'load-demo',
    everyMs: SECOND_MS,
    runsIn: 'api',
    isLeased: true,
    timeoutMs: 30 * MINUTE_MS,
    run: ({ ports }, isStopping) => loadDemo(ports, isStopping),
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
    name: 'lift-silences',
    everyMs: SECOND_MS,
    runsIn: 'api',
    isLeased: true,
    atStart: true,
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports, lifting }, isStopping) => liftSilences(ports, lifting, isStopping),
  },
  {
    name: 'count-silences',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    atStart: true,
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports }, isStopping) => countSilences(ports, isStopping),
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
    name: 'analyse-incidents',
    everyMs: 5 * SECOND_MS,
    runsIn: 'api',
    isLeased: true,
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports }, isStopping) => analyseIncidents(ports, isStopping),
  },
  {
    name: 'analyse-left',
    everyMs: 30 * SECOND_MS,
    runsIn: 'api',
    isLeased: true,
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports }, isStopping) => analyseLeft(ports, isStopping),
  },
  {
    name: 'word-analyses',
    everyMs: 5 * SECOND_MS,
    runsIn: 'everywhere',
    timeoutMs: HOUR_MS,
    run: ({ ports }, isStopping) => wordAnalyses(ports, isStopping),
  },
  {
    name: 'index-search',
    everyMs: 2 * SECOND_MS,
    runsIn: 'api',
    timeoutMs: HOUR_MS,
    run: ({ ports }, isStopping) => indexDue(ports, isStopping),
  },
  {
    name: 'fill-search',
    everyMs: MINUTE_MS,
    runsIn: 'api',
    isLeased: true,
    atStart: true,
    timeoutMs: HOUR_MS,
    run: ({ ports, filled }, isStopping) => fillIndex(ports, filled, isStopping),
  },
  {
    name: 'embed-search',
    everyMs: 30 * SECOND_MS,
    runsIn: 'api',
    isLeased: true,
    timeoutMs: HOUR_MS,
    run: ({ ports }, isStopping) => embedDue(ports, isStopping),
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
    name: 'store-rules-answers',
    everyMs: MINUTE_MS,
    runsIn: 'everywhere',
    timeoutMs: 10 * MINUTE_MS,
    run: ({ ports }, isStopping) => storeRulesAnswers(ports, isStopping),
  },
  {
    name: 'sum-ai-usage',
    everyMs: HOUR_MS,
    runsIn: 'api',
    isLeased: true,
    needsClock: true,
    timeoutMs: HOUR_MS,
    run: ({ ports }, isStopping) => sumUsage(ports, isStopping),
  },
  {
    name: 'judge-decisions',
    everyMs: HOUR_MS,
    runsIn: 'api',
    isLeased: true,
    needsClock: true,
    timeoutMs: HOUR_MS,
    run: ({ ports }, isStopping) => judgeDecisions(ports, isStopping),
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

/** The jobs of a process. */
export const jobsOf = (mode: 'embedded' | 'distributed', isWorker: boolean): readonly Job[] =>
  jobs.filter(({ runsIn }) => runsIn === 'everywhere' || runsIn === mode || (runsIn === 'api' && !isWorker));
