import { expect, test } from '@jest/globals';
import { meaningIn, rankRecords, type Written } from './rank-records.ts';

const record = (text: string, about = '', hint = ''): Written => ({ text, about, hint });
const ROWS = [
  record('Compressor 2 makes noise, spare is ordered', '"Temperature high" on cool-1'),
  record('Deployment of basket 7.3.0 started', 'basket'),
  record('replace compressor 2', 'cool-1 hardware', 'planned change'),
  record('Ask the vendor before a restart', 'storage array', 'runbook'),
  record('firmware is being rolled out', 'sw-4'),
];
const best = (question: string): string | undefined => {
  const [first] = rankRecords(meaningIn(question), ROWS);
  return first === undefined || first.covered === 0 ? undefined : first.record.text;
};

const FOUND: readonly (readonly [question: string, text: string])[] = [
  ['is the spare on its way', 'Compressor 2 makes noise, spare is ordered'],
  ['which rollout of basket was it', 'Deployment of basket 7.3.0 started'],
  ['what about basket 7.3', 'Deployment of basket 7.3.0 started'],
  ['when do they swap the compresor', 'replace compressor 2'],
  ['got a runbook for the storage array', 'Ask the vendor before a restart'],
  ['anything on the firmwares', 'firmware is being rolled out'],
];
test.each(FOUND)('finds the record for: %s', (question, text) => expect(best(question)).toBe(text));

test('words that no record has find nothing, and lower the share of the others', () => {
  expect(best('where is the coffee')).toBe(undefined);
  const [one] = rankRecords(meaningIn('is the spare for the zeppelin ordered'), ROWS);
  expect(one !== undefined && one.covered > 0.5 && one.covered < 1).toBe(true);
});

test('a rare word counts more than a common one, and a bonus breaks ties', () => {
  const rows = [...Array.from({ length: 9 }, () => record('latency is high')), record('latency by the backup')];
  expect(rankRecords(meaningIn('latency of the backup'), rows)[0]?.record.text).toBe('latency by the backup');
  const liked = rankRecords(meaningIn('latency'), rows, ({ text }) => Number(text.includes('backup')));
  expect(liked[0]?.record.text).toBe('latency by the backup');
});

test('a long question over many records is ranked', () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => record(`event ${at} on host-${at} has latency`, `host-${at}`));
  expect(rankRecords(meaningIn('latency of the backup '.repeat(500)), rows).length).toBe(2_000);
});
