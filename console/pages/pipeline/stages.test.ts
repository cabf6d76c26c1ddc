import { expect, test } from '@jest/globals';
import type { PipelineHistoryData, Processor } from '#console/api/pipeline.ts';
import { columnsOf, msWords, paceOf, pipelineWords, rateWords, stageName } from './stages.ts';

const processor = (name: string, input: string, more: Partial<Processor> = {}): Processor =>
  ({ name, input, kind: 'fold', status: 'running', lag: 0, ...more }) as Processor;

const PROCESSORS = [
  processor('dedup', 'events.incoming'),
  processor('enrich', 'events.saved'),
  processor('correlate.temporal', 'events.enriched'),
  processor('correlate.topology', 'events.enriched'),
  processor('merge', 'correlation.hits'),
  processor('notify', 'events.saved', { kind: 'sink' }),
];

test('processors that read the same do one step together; sinks come last, whatever they read', () => {
  expect(columnsOf(PROCESSORS).map(({ words, stages }) => [words, ...stages.map(({ name }) => name)])).toEqual([
    ['Deduplicate', 'dedup'],
    ['Enrich', 'enrich'],
    ['Correlate', 'correlate.temporal', 'correlate.topology'],
    ['Group', 'merge'],
    ['Outputs', 'notify'],
  ]);
});

test.each([
  ['dedup', 'Deduplicate'],
  ['correlate.topology', 'Topology'],
  ['standing', 'Group status by member'],
  ['heed-pauses', 'Apply processor pauses'],
  ['some-new_one', 'Some new one'],
])('%s is called %s', (name, words) => {
  expect(stageName(name)).toBe(words);
});

test.each([
  [{}, 'good', 'All 6 processors running. No backlog.'],
  [{ lag: 1_204 }, 'good', 'All 6 processors running. Backlog up to 1,204 records.'],
  [{ status: 'behind' }, 'caution', 'Deduplicate: lagging.'],
  [{ status: 'failing' }, 'bad', 'Deduplicate: failing.'],
  [{ status: 'paused' }, 'caution', 'No backlog; Deduplicate paused.'],
] as const)('with %j it is %s: %s', (first, kind, words) => {
  const [dedup, ...others] = PROCESSORS as [Processor, ...Processor[]];
  expect(pipelineWords([{ ...dedup, ...first }, ...others])).toEqual({ kind, words });
});

test('pace is the mean of the last minute, errors are of the hour', () => {
  const eight = <T>(value: T): T[] => Array.from({ length: 8 }, () => value);
  const stage = {
    name: 'dedup',
    lag: eight(0),
    read_per_second: [900, 900, 10, 20, 30, 40, 50, 60],
    emitted_per_second: eight(null),
    errors: [3, 0, 0, 0, 0, 0, 0, 1],
    batch_ms: [8, ...Array.from({ length: 7 }, () => null)],
  };
  const history = { step_seconds: 10, at: [], stages: [stage] } as unknown as PipelineHistoryData;
  expect(paceOf(history, 'dedup')).toEqual({ read: 35, emitted: null, batchMs: 8, errors: 4 });
  expect(paceOf(history, 'enrich')).toEqual({ read: null, emitted: null, batchMs: null, errors: null });
});

test('numbers are as long as they need to be', () => {
  expect([rateWords(null), rateWords(0), rateWords(0.1234), rateWords(1_234.5), msWords(6.91)]).toEqual([
    '–',
    '0/s',
    '0.12/s',
    '1,235/s',
    '6.9 ms',
  ]);
});
