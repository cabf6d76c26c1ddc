import { expect, test } from '@jest/globals';
import { ulidTime } from '#domain/access/ulid-time.ts';
import { Fault } from '#domain/fault.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openRecordTable } from '#infra/embedded/records/table.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { refusedDocuments, rejectedInput } from './bad-record.ts';
import { openEmitter } from './emitter.ts';
import type { Input } from './owner.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const place = { processor: { name: 'dedup', input: 'events.incoming' }, partition: 3, at: NOON + 50 };
const input = (offset: number, tenant = 'acme'): Input => ({
  offset,
  at: NOON,
  writer: 'api00001',
  serial: 1,
  reply: null,
  fault: 'broken',
  entry: { tenant, position: 100 + offset, value: null },
  raw: Buffer.from('raw'),
});
const rejected = (offset: number, tenant?: string) => rejectedInput(place, input(offset, tenant), new Error('broken'));

test('the id of a dead letter is made of its place, so that it is one however often the record is rejected', () => {
  const later = rejectedInput({ ...place, at: NOON + 9_000 }, input(7), new Error('broken again'));
  expect(later.id).toBe(rejected(7).id);
  const others = [
    rejected(8),
    rejectedInput({ ...place, partition: 4 }, input(7), new Error('broken')),
    rejectedInput({ ...place, processor: { name: 'enrich', input: 'events.incoming' } }, input(7), new Error('broken')),
  ];
  expect(new Set([later, ...others].map(({ id }) => id)).size).toBe(4);
  expect(ulidTime(later.id)).toBe(NOON);
  expect(later.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
});

test('documents that the store refuses are told apart by id, and come with the event that they would have been', () => {
  const refused = ['a', 'b'].map((id) => ({ key: { tenant: 'acme', id }, reason: 'too long' }));
  const fault = new Fault('unprocessable', 'refused', [], { data: { refused } });
  const changes = { events: [], recoveries: [], deliveries: [], enriched: [], decisions: [], groups: [] };
  const page = { number: 5, next: 12, at: NOON, changes };
  const [a, b] = refusedDocuments(place, page, fault);
  expect(a?.id).not.toBe(b?.id);
  expect(a).toMatchObject({ offset: 11, isDocument: true, reason: 'The store rejected a of batch 5: too long' });
  expect(refusedDocuments(place, page, fault)).toEqual([a, b]);
});

const emitterOn = (records: RecordStore) => {
  const sent: unknown[] = [];
  const codecs = { encode: (_topic: string, value: unknown) => value } as unknown as Codecs;
  const producer = {
    send: async (_topic: string, _partition: number, list: readonly unknown[]) => void sent.push(...list),
    close: async () => {},
  } as never;
  return { sent, emitter: openEmitter({ producer, codecs, records, writer: '@dedup' }) };
};

test('a dead letter that is rejected again keeps what was done about it; one without a tenant is kept for the system', async () => {
  using database = Object.assign(memoryDatabase(), { [Symbol.dispose]: () => database.close() });
  const records = openRecordStore(database, openRecordTable(database), setClock(NOON));
  const { emitter, sent } = emitterOn(records);
  await emitter.reject(3, [rejected(7), rejected(8, '')]);
  const { id } = rejected(7);
  const kept = await records.get<object>('acme', 'dead-letter', id);
  expect(kept?.body).toEqual({
    id,
    topic: 'events.incoming',
    partition: 3,
    offset: 7,
    position: 107,
    processor: 'dedup',
    attempts: 1,
    reason: 'broken',
    at: NOON + 50,
    settled: null,
    content: { kind: 'avro', base64: Buffer.from('raw').toString('base64') },
  });
  await records.put('acme', 'dead-letter', id, { ...kept?.body, settled: { state: 'replayed' } });
  await emitter.reject(3, [rejected(7)]);
  expect((await records.get('acme', 'dead-letter', id))?.body).toMatchObject({ settled: { state: 'replayed' } });
  expect(await records.list(SYSTEM_TENANT, 'dead-letter', { limit: 9 })).toHaveLength(1);
  expect(sent).toHaveLength(3);
  expect(sent[0]).toMatchObject({ key: 'acme', value: { offset: 7, value: Buffer.from('raw') } });
});
