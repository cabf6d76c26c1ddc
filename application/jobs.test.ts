import { expect, test } from '@jest/globals';
import type { JobWork } from './job.ts';
import { jobs, jobsOf } from './jobs.ts';

const namesOf = (list: typeof jobs): string[] => list.map(({ name }) => name);

test('every job is in the list once, has a plain name and ends long after its period', () => {
  expect(new Set(namesOf(jobs)).size).toBe(jobs.length);
  for (const { name, everyMs, timeoutMs } of jobs) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(timeoutMs).toBeGreaterThanOrEqual(everyMs);
  }
});

const API = [
  'discovery',
  'analyse-infrastructure',
  'make-reports',
  'try-settings',
  'deliver-webhooks',
  'check-heartbeats',
  'resolve-silent',
  'count-sources',
  'load-demo',
  'end-tests',
  'lift-silences',
  'count-silences',
  'count-groups',
  'analyse-incidents',
  'analyse-left',
  'word-analyses',
  'index-search',
  'fill-search',
  'embed-search',
  'empty-tenants',
  'forget-topology',
  'remember-pipeline',
  'watch-tokens',
];

test.each([
  [
    'embedded',
    false,
    [
      ...API,
      'store-rules-answers',
      'sum-ai-usage',
      'judge-decisions',
      'delete-events',
      'tidy-records',
      'heed-pauses',
      'watch-clock',
    ],
  ],
  [
    'distributed',
    false,
    [
      ...API,
      'store-rules-answers',
      'sum-ai-usage',
      'judge-decisions',
      'delete-events',
      'tidy-records',
      'tidy-topology',
      'share-errors',
      'heed-pauses',
      'watch-clock',
    ],
  ],
  [
    'distributed',
    true,
    [
      'word-analyses',
      'store-rules-answers',
      'delete-events',
      'tidy-records',
      'tidy-topology',
      'share-errors',
      'heed-pauses',
      'watch-clock',
    ],
  ],
] as const)('jobs of a process: %s, a worker: %s', (mode, isWorker, names) => {
  expect(namesOf(jobsOf(mode, isWorker))).toEqual(names);
});

test('what deletes or ends something for good by the wall clock waits for a clock that is sure', () => {
  expect(namesOf(jobs.filter(({ needsClock }) => needsClock))).toEqual([
    'empty-tenants',
    'forget-topology',
    'sum-ai-usage',
    'judge-decisions',
    'delete-events',
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
