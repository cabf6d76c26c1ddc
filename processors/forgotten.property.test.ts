import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openRunner } from '#test/setup/runner-kit.ts';
import { prepareTopology, recordsOf, type Sent, step } from '#test/setup/storm-steps.ts';
import type { DedupState } from './dedup-work.ts';
import type { EnrichState } from './enrich.ts';
import type { MergeState } from './merge-state.ts';

const FORGOTTEN = 'past';
type Kit = Awaited<ReturnType<typeof openRunner>>;

const submit = async (kit: Kit, sent: readonly Sent[]): Promise<void> => {
  for (const { tenant, record } of sent) {
    kit.clock.set(record.receivedAt);
    await kit.runner.submit(tenant, [record], 5_000);
  }
};

/** Tenants of which the folds hold anything. */
const remembered = ({ runner }: Kit): string[] => {
  const stateOf = (name: string) => runner.stages.find(({ processor }) => processor.name === name)?.state;
  const [dedup, enrich, merge] = [
    stateOf('dedup') as DedupState,
    stateOf('enrich') as EnrichState,
    stateOf('merge') as MergeState,
  ];
  return [
    ...dedup.tenants.keys(),
    ...[...dedup.repeats.values()].map(({ event }) => event.tenant),
    ...enrich.tenants.keys(),
    ...merge.tenants.keys(),
    ...[...merge.recent.values()].map(({ arrival }) => arrival.tenant),
    ...merge.arrivals.queue.slice(merge.arrivals.head).map(({ tenant }) => tenant),
  ];
};

/** All that is stored of the other tenants. */
const ofOthers = (snapshot: unknown): unknown => {
  const isOther = (one: unknown): boolean => !JSON.stringify(one).includes(`"tenant":"${FORGOTTEN}"`);
  const lists = Object.entries(snapshot as Record<string, readonly unknown[]>);
  return Object.fromEntries(lists.map(([name, list]) => [name, list.filter(isOther)]));
};

test('after its last record nothing of a tenant is in memory, and what becomes of others is the same', async () => {
  const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const sent = recordsOf(given);
      const half = Math.floor(sent.length / 2);
      const [before, after] = [sent.slice(0, half), sent.slice(half).filter(({ tenant }) => tenant !== FORGOTTEN)];
      const [kit, other] = [await openRunner(), await openRunner()];
      for (const one of [kit, other]) {
        await prepareTopology(one.topology);
        await submit(one, before);
      }
      const last = { ask: { kind: 'forgotten' }, receivedAt: kit.clock.now() } as const;
      const [receipt] = await kit.runner.submit(FORGOTTEN, [last], 5_000);
      expect(receipt).toMatchObject({ ok: true, outcome: 'changed' });
      expect(remembered(kit)).not.toContain(FORGOTTEN);
      for (const one of [kit, other]) await submit(one, after);
      expect(ofOthers(kit.snapshot())).toEqual(ofOthers(other.snapshot()));
      await kit.close();
      await other.close();
    }),
    { numRuns: 10, endOnFailure: true },
  );
}, 60_000);
