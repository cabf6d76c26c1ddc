import { expect, test } from '@jest/globals';
import type { Fetched } from '#infra/kafka/owner/wire.ts';
import { DecodedValueCache } from './decoded-value-cache.ts';

const ENRICHED = 'events.enriched';
const THREE = [ENRICHED, ENRICHED, ENRICHED, 'events.saved'];

/** Each decoding makes another object. */
const openCodec = () => {
  const decoded: string[] = [];
  return {
    decoded,
    decode(bytes: Buffer) {
      decoded.push(bytes.toString());
      if (bytes.toString() === 'poison') throw new Error('This is no record');
      return { text: bytes.toString() };
    },
  };
};

const record = (offset: number, timestamp = 1_000): Fetched => ({
  offset: String(offset),
  timestamp: String(timestamp),
  key: null,
  value: null,
});

test('all readers of a record get the value that the first has decoded', () => {
  const { decode, decoded } = openCodec();
  const shared = new DecodedValueCache(THREE);
  const values = [1, 2, 3].map(() => shared.reader(ENRICHED, 2, decode)(Buffer.from('a'), record(7)));
  expect(values[1]).toBe(values[0]);
  expect(values[2]).toBe(values[0]);
  expect(decoded).toEqual(['a']);
});

test('when all have read it, nothing is kept of it', () => {
  const { decode, decoded } = openCodec();
  const read = new DecodedValueCache(THREE).reader(ENRICHED, 2, decode);
  const values = [1, 2, 3, 4].map(() => read(Buffer.from('a'), record(7)));
  expect(values[3]).not.toBe(values[0]);
  expect(decoded).toEqual(['a', 'a']);
});

test('another partition, offset or append time is another record', () => {
  const { decode, decoded } = openCodec();
  const shared = new DecodedValueCache(THREE);
  shared.reader(ENRICHED, 2, decode)(Buffer.from('a'), record(7));
  shared.reader(ENRICHED, 3, decode)(Buffer.from('b'), record(7));
  shared.reader(ENRICHED, 2, decode)(Buffer.from('c'), record(8));
  shared.reader(ENRICHED, 2, decode)(Buffer.from('d'), record(7, 2_000));
  expect(decoded).toEqual(['a', 'b', 'c', 'd']);
});

test('what one processor alone reads is not kept', () => {
  const { decode } = openCodec();
  const read = new DecodedValueCache(THREE).reader('events.saved', 2, decode);
  expect(read(Buffer.from('a'), record(7))).not.toBe(read(Buffer.from('a'), record(7)));
});

test('a value that cannot be decoded is refused to every reader', () => {
  const { decode, decoded } = openCodec();
  const read = new DecodedValueCache(THREE).reader(ENRICHED, 2, decode);
  for (const _ of [1, 2]) expect(() => read(Buffer.from('poison'), record(7))).toThrow('This is no record');
  expect(decoded).toEqual(['poison', 'poison']);
});

test('beyond the budget the oldest is decoded again', () => {
  const { decode, decoded } = openCodec();
  const read = new DecodedValueCache(THREE, 10).reader(ENRICHED, 2, decode);
  for (const offset of [1, 2, 2, 1]) read(Buffer.from(`${offset}-long`), record(offset));
  expect(decoded).toEqual(['1-long', '2-long', '1-long']);
});
