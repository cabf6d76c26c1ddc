import { expect, test } from '@jest/globals';
import type { JobWork } from '#application/job.ts';
import { pipeline } from '#processors/pipeline.ts';
import { flows } from '#schemas/topics/flows.ts';
import { jobs, jobsOf, sinks } from './whole.ts';

const namesOf = (list: typeof jobs): string[] => list.map(({ name }) => name);

test('every job is in the list once, has a plain name and ends long after its period', () => {
  expect(new Set(namesOf(jobs)).size).toBe(jobs.length);
  for (const { name, everyMs, timeoutMs } of jobs) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(timeoutMs).toBeGreaterThanOrEqual(everyMs);
  }
});

const EVERYWHERE = ['delete-events', 'tidy-records', 'heed-pauses', 'watch-clock'];
const DISTRIBUTED = ['tidy-topology', 'share-errors'];
const API = [
  'analyse-incidents',
  'analyse-infrastructure',
  'analyse-left',
  'check-heartbeats',
  'check-sign-ins',
  'count-groups',
  'count-silences',
  'count-sources',
  'delete-ended-cis',
  'deliver-webhooks',
  'discovery',
  'embed-search',
  'empty-tenants',
  'end-expired-alerts',
  'end-tests',
  'fill-search',
  'forget-topology',
  'index-search',
  'judge-decisions',
  'lift-silences',
  'load-demo',
  'make-reports',
  'push-alerts',
  'remember-pipeline',
  'resolve-silent',
  'run-topology-sources',
  'schedule-reports',
  'sum-ai-usage',
  'tell-silences',
  'try-settings',
  'escalate',
  'read-rotas',
  'mail-inboxes',
  'watch-sources',
  'watch-tokens',
];
const ALSO_WORKERS = ['store-rules-answers', 'word-analyses', ...EVERYWHERE];

test.each([
  ['embedded', false, [...API, ...ALSO_WORKERS]],
  ['distributed', false, [...API, ...ALSO_WORKERS, ...DISTRIBUTED]],
  ['distributed', true, [...ALSO_WORKERS, ...DISTRIBUTED]],
] as const)('jobs of a process: %s, a worker: %s', (mode, isWorker, names) => {
  expect(namesOf(jobsOf(mode, isWorker)).sort()).toEqual([...names].sort());
});

test('what deletes or ends something for good by the wall clock waits for a clock that is sure', () => {
  expect(namesOf(jobs.filter(({ needsClock }) => needsClock)).sort()).toEqual([
    'delete-ended-cis',
    'delete-events',
    'empty-tenants',
    'end-expired-alerts',
    'forget-topology',
    'judge-decisions',
    'sum-ai-usage',
  ]);
});

test('what expires is not deleted while the clock is not sure, and what every sink has taken is', async () => {
  const asked: boolean[] = [];
  const housekeeping = { tidyRecords: async (byTime: boolean) => void asked.push(byTime) };
  const tidy = jobs.find(({ name }) => name === 'tidy-records');
  for (const isSettled of [true, false])
    await tidy?.run({ housekeeping, clockWatch: { isSettled: () => isSettled } } as unknown as JobWork, () => false);
  expect(asked).toEqual([true, false]);
});

test('every processor, of the core and of features, has its flow in the AsyncAPI document', () => {
  const known = ['api', ...[...pipeline, ...sinks].map(({ name }) => name)];
  expect(flows.map(({ name }) => name).sort()).toEqual(known.sort());
});
