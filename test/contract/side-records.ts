import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { NOON } from './samples.ts';
import { aCi, aRelationship, TENANT } from './topology-samples.ts';

export interface Stores extends TopologyPorts {
  readonly records: RecordStore;
}
export const note = (id: string, body: unknown = id): SideRecord => ({ tenant: TENANT, kind: 'note', id, body });

/** Guarantees of stores for side records of a change. */
export function sideRecordsContract(name: string, open: () => Promise<Stores>): void {
  describe(`${name} keeps what goes along with a change`, () => {
    let records: RecordStore;
    let stores: Stores;
    beforeEach(async () => {
      stores = await open();
      ({ records } = stores);
      await stores.cis.put(TENANT, [aCi('a', { externalKey: 'k' }), aCi('b'), aCi('c')]);
      await stores.relationships.put(TENANT, [aRelationship('r', 'a', 'b')]);
    });
    const notes = async () => (await records.list(TENANT, 'note', { limit: 9 })).map(({ id }) => id);
    const refused = (change: Promise<unknown>) => expect(change).rejects.toMatchObject({ name: 'Fault' });

    test('of records, when it is made', async () => {
      const body = { n: 1 };
      await records.put(TENANT, 'thing', 't', 1, { sideRecords: [note('1', body), { ...note('2'), tenant: 'other' }] });
      expect(await records.get(TENANT, 'note', '1')).toEqual({ id: '1', revision: 1, body });
      expect([await notes(), (await records.get('other', 'note', '2'))?.body]).toEqual([['1'], '2']);
      await refused(records.put(TENANT, 'thing', 't', 2, { expected: 0, sideRecords: [note('3')] }));
      await records.remove(TENANT, 'thing', 't', [note('4')]);
      await records.remove(TENANT, 'thing', 't', [note('5')]);
      expect(await notes()).toEqual(['1', '4']);
    });

    test('of CIs', async () => {
      const puts = [
        stores.cis.put(TENANT, [aCi('d')], [note('1')]),
        stores.cis.put(TENANT, [aCi('e', { externalKey: 'k' })], [note('2')]),
        stores.cis.put(TENANT, [aCi('f')], [note('3'), note('4')]),
      ];
      expect((await Promise.allSettled(puts)).map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(await notes()).toEqual(['1', '3', '4']);
      await refused(stores.cis.remove(TENANT, 'a', 200, { sideRecords: () => [note('5')] }));
      const sideRecords = ({ ci, relationships }: { ci: { id: string }; relationships: readonly unknown[] }) => [
        note('6', `${ci.id} ${relationships.length}`),
      ];
      await stores.cis.remove(TENANT, 'a', 200, { cascade: true, sideRecords });
      expect(await stores.cis.remove(TENANT, 'nobody', 200, { sideRecords: () => [note('7')] })).toBeNull();
      expect([await notes(), (await records.get(TENANT, 'note', '6'))?.body]).toEqual([['1', '3', '4', '6'], 'a 1']);
    });

    test('of CIs that are merged', async () => {
      const merge = (id: string, revision: number, ...names: string[]) => ({
        into: aCi('b', { formerly: ['a'], revision, updatedAt: 300 }),
        from: { id, revision: 1 },
        at: 300,
        by: 'me',
        sideRecords: () => names.map((name) => note(name)),
      });
      await refused(stores.cis.merge(TENANT, merge('a', 1, '1')));
      expect(await stores.cis.merge(TENANT, merge('nobody', 2, '2'))).toBeNull();
      expect(await stores.cis.merge(TENANT, merge('a', 2, '3', '4'))).toMatchObject({ ended: 1, moved: 0 });
      expect(await notes()).toEqual(['3', '4']);
    });

    test('of relationships', async () => {
      await stores.relationships.put(TENANT, [aRelationship('s', 'b', 'c')], [note('1')]);
      await refused(stores.relationships.put(TENANT, [aRelationship('t', 'b', 'c')], [note('2')]));
      await refused(stores.relationships.remove(TENANT, 's', 200, { revision: 7, sideRecords: () => [note('3')] }));
      await stores.relationships.remove(TENANT, 's', 200, { sideRecords: ({ target }) => [note('4', target)] });
      expect(await stores.relationships.remove(TENANT, 's', 200, { sideRecords: () => [note('5')] })).toBeNull();
      expect([await notes(), (await records.get(TENANT, 'note', '4'))?.body]).toEqual([['1', '4'], 'c']);
    });

    test('and lets it expire', async () => {
      await records.put(TENANT, 'thing', 't', 1, { sideRecords: [{ ...note('1'), expiresAt: NOON }, note('2')] });
      expect(await notes()).toEqual(['2']);
    });
  });
}
