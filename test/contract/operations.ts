import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DeadLetter, DeadLetterContent, Operations } from '#domain/ports/operations.ts';
import { topics } from '#schemas/topics/topics.ts';
import type { Opened } from './opened.ts';

const letter = (content: DeadLetterContent, topic = 'events.incoming'): DeadLetter => ({
  id: '0'.repeat(26),
  topic,
  partition: 0,
  offset: 0,
  position: 0,
  processor: 'dedup',
  reason: 'bad',
  attempts: 1,
  at: 0,
  content,
  settled: null,
});
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Requirements of every adapter of Operations, on an undisturbed pipeline of these processors. */
export const operationsContract = (
  name: string,
  processors: readonly { readonly name: string; readonly input: string }[],
  open: () => Promise<Opened<Operations>>,
): void => {
  describe(`${name} keeps the Operations contract`, () => {
    let opened: Opened<Operations>;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const reports = () => opened.store.pipeline();

    test('every processor is reported, in reading order, with what it reads', async () => {
      expect((await reports()).map((one) => [one.name, one.input])).toEqual(
        processors.map((one) => [one.name, one.input]),
      );
    });

    test('each partition has one reader, which is a member and says so; lag is what is left', async () => {
      for (const { members, partitions } of await reports()) {
        for (const { partition, member, position, end, lag } of partitions) {
          const reader = members.find(({ id }) => id === member);
          expect(reader?.partitions).toContain(partition);
          expect(lag).toBe(end - position);
        }
      }
    });

    test('what works has no trouble and no error', async () => {
      expect((await reports()).filter(({ trouble, lastError }) => trouble !== null || lastError !== null)).toEqual([]);
    });

    test('a tenant is in one of the partitions, always the same', async () => {
      const [{ partitions } = { partitions: [] }] = await reports();
      const home = opened.store.partitionOf('acme');
      expect(partitions.map(({ partition }) => partition)).toContain(home);
      expect(opened.store.partitionOf('acme')).toBe(home);
    });

    test('every topic is reported with the subject of its schema, its key and its partitions', async () => {
      const found = await opened.store.topics();
      expect(found.map(({ name, key, schema }) => [name, key, schema.subject])).toEqual(
        topics.map(({ name, key }) => [name, key, `${name}-value`]),
      );
      for (const { partitions } of found) {
        expect(partitions.length).toBeGreaterThan(0);
        for (const { first, end } of partitions) expect(first).toBeLessThanOrEqual(end);
      }
    });

    test('a record that was kept as JSON is read as it is', async () => {
      expect(await opened.store.readLetter(letter({ kind: 'json', record: { a: 1 } }))).toEqual({ a: 1 });
    });

    test.each<[string, DeadLetter]>([
      ['bytes that are no record', letter({ kind: 'avro', base64: base64('no record') })],
      ['no bytes', letter({ kind: 'avro', base64: '' })],
      ['an unknown topic', letter({ kind: 'avro', base64: base64('x') }, 'no.such')],
    ])('%s: Fault invalid', async (_, bad) => {
      await expect(opened.store.readLetter(bad)).rejects.toMatchObject({ kind: 'invalid' });
    });

    test('a letter that does not hold what the store refused cannot be saved again', async () => {
      for (const bad of [
        { kind: 'json', record: {} },
        { kind: 'document', base64: base64('{"id":"x"}') },
      ] as const) {
        expect(opened.store.whyNotSaved(letter(bad))).toEqual(expect.any(String));
        await expect(opened.store.saveAgain(letter(bad))).rejects.toMatchObject({ kind: 'invalid' });
      }
    });
  });
};
