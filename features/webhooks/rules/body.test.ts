import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fitted, MAX_BODY_BYTES, standardBody } from './body.ts';
import { bodyOf, deliveryWith, webhookWith } from './samples-for-tests.ts';

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const outgoing = { kind: 'event.status_changed', resource: { kind: 'event', id: 'e' }, sequence: 7, at: 0 } as const;

test('has kind, time, data, ids and sequence as documented', () => {
  const delivery = deliveryWith({ outgoing: { ...outgoing, previousStatus: 'open' } });
  expect(standardBody({ webhook: webhookWith(), delivery, data: { event: { eventId: 'EVT-1' } } })).toEqual({
    event: 'event.status_changed',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: { event: { eventId: 'EVT-1' }, previous_status: 'open' },
    webhook_id: webhookWith().id,
    delivery_id: delivery.id,
    sequence: 7,
  });
});

test('details go first, and what is left is whole', () => {
  const event = { eventId: 'EVT-1', title: 't', details: { dump: 'x'.repeat(30_000) }, description: 'd'.repeat(5_000) };
  const body = fitted(bodyOf('event.created', { event }));
  const { details: _, ...rest } = event;
  expect(body).toEqual({ ...bodyOf('event.created', { event: rest }), truncated: true });
});

test.each([
  [
    'attributes of a CI',
    { ci: { id: 'a', attributes: { dump: 'x'.repeat(30_000) }, name: 'db' } },
    'ci',
    { id: 'a', name: 'db' },
  ],
  [
    'a long list',
    { event: { eventId: 'E', tags: Array.from({ length: 5_000 }, () => 'tag') } },
    'event',
    { eventId: 'E' },
  ],
  ['a long text', { event: { eventId: 'E', description: 'é'.repeat(32_768) } }, 'event', { eventId: 'E' }],
  [
    'too many fields',
    { ci: { id: 'a', ...Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, n])) } },
    'ci',
    { id: 'a' },
  ],
])('%s: cut, and its ids stay', (_name, data, resource, kept) => {
  const body = fitted(bodyOf('event.created', data));
  expect(body.truncated).toBe(true);
  expect(sizeOf(body)).toBeLessThanOrEqual(MAX_BODY_BYTES);
  expect(body.data[resource]).toMatchObject(kept);
});

test('a body that fits is as it was', () => {
  const body = bodyOf('event.created', { event: { details: { a: 1 } } });
  expect(fitted(body)).toBe(body);
});

test('whatever the data is, the body has at most 20 KB', () => {
  const texts = fc.string({ maxLength: 20_000, size: 'max', unit: 'binary' });
  const resource = fc.dictionary(fc.string({ maxLength: 300 }), fc.oneof(texts, fc.jsonValue()), {
    maxKeys: 20,
    size: 'max',
  });
  fc.assert(
    fc.property(resource, (event) => {
      expect(sizeOf(fitted(bodyOf('event.created', { event, previous_status: 'open' })))).toBeLessThanOrEqual(
        MAX_BODY_BYTES,
      );
    }),
    { numRuns: 15 },
  );
});
