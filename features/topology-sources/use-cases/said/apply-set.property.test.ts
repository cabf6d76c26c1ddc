import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { edgeKey, type WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { systemCrypto } from '#infra/system/crypto.ts';
import { type EventWorld, NOW, openEventWorld } from '#test/setup/event-world.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { applySet, type SetApplication } from './apply-set.ts';

/* Whatever sets follow each other, and wherever a process dies in between, the CMDB ends up with the last set. */

let world: EventWorld;
let ports: EventWorld['ports'];
beforeEach(async () => {
  world = await openEventWorld();
  ports = { ...world.ports, crypto: systemCrypto };
});
afterEach(() => world.close());

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
interface Wish {
  readonly cis: readonly { readonly name: string; readonly rack: number }[];
  readonly edges: readonly (readonly [string, string])[];
  /** Writes after which the process dies; many: it does not. */
  readonly dies: number;
}
const wish: fc.Arbitrary<Wish> = fc.record({
  cis: fc.uniqueArray(fc.record({ name: fc.constantFrom(...NAMES), rack: fc.nat(2) }), {
    selector: ({ name }) => name,
  }),
  edges: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES)), { maxLength: 6 }),
  dies: fc.oneof(fc.constant(1_000), fc.nat(6)),
});

const keyOf = (tenant: string, name: string): string => `${tenant}/${name}`;
const setOf = (tenant: string, { cis, edges }: Wish): WantedSet => {
  const names = new Set(cis.map(({ name }) => name));
  const fit = edges.filter(([one, other]) => one !== other && names.has(one) && names.has(other));
  return {
    cis: cis.map(({ name, rack }) => ({
      key: keyOf(tenant, name),
      line: { external_key: keyOf(tenant, name), name, type: 'server', attributes: { rack } },
    })),
    edges: fit.map(([one, other]) => {
      const [source, target] = [{ text: keyOf(tenant, one) }, { text: keyOf(tenant, other) }];
      return { key: edgeKey('uses', source, target), line: { type: 'uses' }, source, target };
    }),
  };
};

class Killed extends Error {}
/** Dies after so many writes. */
const mortal = (all: EventWorld['ports'], writes: number): EventWorld['ports'] => {
  let left = writes;
  const dying =
    <A extends readonly unknown[], R>(write: (...all: A) => Promise<R>) =>
    async (...all: A): Promise<R> => {
      if (left-- <= 0) throw new Killed();
      return write(...all);
    };
  return {
    ...all,
    cis: { ...all.cis, put: dying(all.cis.put) },
    relationships: { ...all.relationships, put: dying(all.relationships.put), remove: dying(all.relationships.remove) },
    records: {
      ...all.records,
      put: dying(all.records.put) as typeof all.records.put,
      remove: dying(all.records.remove),
    },
  };
};

const HOW: SetApplication = {
  source: 'erp',
  sources: ['erp'],
  isWhole: true,
  graceMs: 0,
  isDryRun: false,
  isConfirmed: true,
  isAllOrNothing: false,
  at: NOW,
  notesSeen: false,
  isStopping: () => false,
};

let tenants = 0;
test(
  'sets that follow each other, with kills between the writes, leave the last set',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 5 }), async (wishes) => {
        const tenant = `t${++tenants}`;
        for (const [index, one] of wishes.entries()) {
          const how = { ...HOW, at: NOW + index };
          await applySet({ ports: mortal(ports, one.dies), tenant }, setOf(tenant, one), how).catch((error) => {
            if (!(error instanceof Killed)) throw error;
          });
        }
        const last = setOf(tenant, wishes.at(-1) as Wish);
        const done = await applySet({ ports, tenant }, last, { ...HOW, at: NOW + 100 });
        expect(done.errors).toEqual([]);
        const again = await applySet({ ports, tenant }, last, { ...HOW, at: NOW + 101 });
        expect([again.cis.created, again.cis.updated, again.cis.ended]).toEqual([0, 0, 0]);
        expect([again.relationships.created, again.relationships.updated, again.relationships.ended]).toEqual([
          0, 0, 0,
        ]);
        const page = { sort: 'name', order: 'asc', limit: 100, offset: 0 } as const;
        const found = (await ports.topology.findCis(tenant, { statuses: ['active'] }, page)).items;
        const wanted = last.cis.map(({ line }) => [line.name, line.attributes]);
        expect(found.map(({ name, attributes }) => [name, attributes])).toEqual(wanted.sort());
        const edges = await ports.topology.findRelationships(
          tenant,
          { includeAi: true },
          { sort: 'created_at', order: 'asc', limit: 100, offset: 0 },
        );
        expect(edges.items).toHaveLength(new Set(last.edges.map(({ key }) => key)).size);
      }),
      { numRuns: runs({ short: 40, long: 4_000 }) },
    );
  },
  longest(60_000),
);
