import { expect, test } from '@jest/globals';
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
    ],
  ],
] as const)('jobs of a process: %s, a worker: %s', (mode, isWorker, names) => {
  expect(namesOf(jobsOf(mode, isWorker))).toEqual(names);
});
