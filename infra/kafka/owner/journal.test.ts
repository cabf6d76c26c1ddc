import { expect, test } from '@jest/globals';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import { fullEvent, sampleEnriched, sampleEvent } from '#test/contract/samples.ts';
import { type BatchPage, FIRST_PAGE, fromJournal, type Output, toJournal } from './journal.ts';

const output = (topic: string, position: number, value: unknown): Output => ({
  topic,
  serial: position,
  reply: null,
  entry: { tenant: 'acme', position, value },
});

const [changed, other] = [fullEvent(1), sampleEvent(2)];
const nearOnly = (ci: string) => [{ ci, hops: 1, via: null, criticalHops: 0 }];
const enriched = [
  { ...sampleEnriched(3), near: nearOnly('near the third') },
  { ...sampleEnriched(4), near: nearOnly('near the fourth') },
];
const { arrival, upstream, settings } = enriched[1]!;

const changes: Changes = {
  recoveries: [],
  deliveries: [],
  decisions: [],
  groups: [],
  enriched,
  events: [
    { event: changed, parts: new Set(['created', 'tally'] as const) },
    { event: other, parts: new Set(['state'] as const) },
  ],
};

const page: BatchPage = {
  ...FIRST_PAGE,
  number: 7,
  resume: 3,
  next: 9,
  changes,
  outputs: [
    output('events.saved', 1, { happened: 'created', event: changed, receivedAt: 5 }),
    output('events.saved', 2, { happened: 'changed', event: other, receivedAt: 5 }),
    output('events.saved', 2, { happened: 'changed', event: { ...other, title: 'As it was before' }, receivedAt: 5 }),
    output('events.enriched', 3, enriched[0]),
    output('correlation.hits', 4, { kind: 'facts', arrival, upstream, settings }),
    output('correlation.hits', 5, {
      kind: 'facts',
      arrival: { ...arrival, position: 5 },
      upstream,
      settings,
      links: [],
    }),
    output('correlation.hits', 6, null),
  ],
};

const times = (text: string, part: string): number => text.split(part).length - 1;

test('a page comes back from the journal as it was written', () => {
  const { number, body } = toJournal(page);
  expect(number).toBe(7);
  expect(fromJournal({ number, body })).toEqual(page);
});

test('so does what people did, and a page without such entries has none', () => {
  const entry = { tenant: 'acme', kind: 'audit', id: 'a1', body: { action: 'event.updated' }, expiresAt: 9 };
  const deeds = { ...page, changes: { ...changes, records: [entry] } };
  expect(fromJournal(toJournal(deeds)).changes.records).toEqual([entry]);
  expect(fromJournal(toJournal(page)).changes).not.toHaveProperty('records');
});

test('what is saved and sent is written once', () => {
  const { body } = toJournal(page);
  expect(times(body, JSON.stringify(changed))).toBe(1);
  for (const record of enriched) expect(times(body, JSON.stringify(record.arrival))).toBe(1);
  expect(times(body, 'near the third')).toBe(1);
  expect(times(body, 'As it was before')).toBe(1);
});
