import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openEmbedded } from '#test/setup/embedded.ts';
import { runs } from '#test/setup/runs.ts';

/* A table whose changes wait for the writer, against one whose changes are in the file at once. */

const NOW = 1_000;
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', '\u{10348}', '\uffee');
const expiresAt = fc.constantFrom(undefined, NOW - 1, NOW + 1);
const change = fc.oneof(
  fc.record({ is: fc.constant('put' as const), id, expiresAt, along: fc.option(id) }),
  fc.record({ is: fc.constant('remove' as const), id }),
  fc.record({ is: fc.constant('apply' as const) }),
  fc.record({ is: fc.constant('fail' as const), id }),
);
const listed = fc.record({ after: fc.option(id), limit: fc.integer({ min: 1, max: 8 }), descending: fc.boolean() });

test('lists and look-ups show what was submitted, whether it is in the file or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), listed, async (changes, { after, ...rest }) => {
      const [waits, isThere] = [openEmbedded('file'), openEmbedded('memory')];
      const [late, now] = [waits.tables.records, isThere.tables.records];
      const options = { ...rest, ...(after === null ? {} : { after }), now: NOW };
      const both = <T>(read: (records: typeof late) => T): readonly [T, T] => [read(late), read(now)];
      const same = ([a, b]: readonly [unknown, unknown]): void => expect(a).toEqual(b);
      for (const [n, one] of changes.entries()) {
        if (one.is === 'apply') await waits.database.applied();
        else if (one.is === 'fail')
          await expect(
            (async () =>
              waits.database.submit(() => {
                late.put('t', 'k', one.id, 'never', { now: NOW });
                throw new Error('refused');
              }))(),
          ).rejects.toThrow('refused');
        else {
          const make = (records: typeof late): unknown => {
            if (one.is === 'remove') return records.remove('t', 'k', one.id, NOW);
            const along = one.along === null ? [] : [{ tenant: 't', kind: 'k', id: one.along, body: `with ${n}` }];
            const given = one.expiresAt === undefined ? {} : { expiresAt: one.expiresAt };
            return records.put('t', 'k', one.id, n, { now: NOW, ...given, sideRecords: along });
          };
          await waits.database.submit(() => void make(late));
          make(now);
        }
        same(both((records) => records.list('t', 'k', options)));
        if ('id' in one) same(both((records) => records.get('t', 'k', one.id, NOW)));
      }
      await waits.database.applied();
      same(both((records) => records.list('t', 'k', options)));
      await Promise.all([waits.close(), isThere.close()]);
    }),
    { numRuns: runs({ short: 10, long: 500 }) },
  );
});
