import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fault } from '#domain/fault.ts';
import type { SinkEvent } from '#domain/ports/sink.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { NOON, openRunner, type RunnerKit } from '#test/setup/runner-kit.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { sayer, saying, type TestSink, testSink } from '#test/setup/sink-kit.ts';
import { until } from '#test/setup/until.ts';

const directories: ReturnType<typeof temporaryDirectory>[] = [];
afterAll(() => {
  for (const directory of directories) directory.remove();
});

const part = fc.record({
  /** Sizes of requests that are sent at once. */
  sizes: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 3 }),
  trouble: fc.constantFrom('none', 'down', 'late', 'half'),
  waits: fc.boolean(),
  tidies: fc.boolean(),
  ends: fc.constantFrom('well', 'well', 'restart', 'killed'),
});
type Part = typeof part extends fc.Arbitrary<infer P> ? P : never;

const TENANTS = ['t', 'u', 'v'];

/** Fails at some batches, and at each batch of every 97th event: before it has an effect, or after a part of it. */
const trouble = (sink: TestSink, kind: Part['trouble']) => {
  let turn = 0;
  sink.trouble = (batch, signal) => {
    if (batch.some(({ position }) => position % 97 === 0)) throw new TypeError('cannot read it');
    if (kind === 'none' || turn++ % 3 !== 0) return;
    if (kind === 'half') sink.taken.push(...batch.slice(0, batch.length / 2));
    if (kind !== 'late') throw new Fault('unavailable', 'down');
    return new Promise((_, reject) => signal.addEventListener('abort', reject));
  };
};

/** Returns the first delivery of each event, per tenant. */
const firstTimes = (taken: readonly SinkEvent[]) =>
  TENANTS.map((tenant) => [...new Set(taken.filter((one) => one.tenant === tenant).map(({ position }) => position))]);

const say = async ({ runner }: RunnerKit, sizes: readonly number[], said: { count: number }) => {
  const requests = sizes.map((size) => {
    const tenant = TENANTS[size % TENANTS.length]!;
    const words = Array.from({ length: size }, () => ({
      tenant,
      id: `E${said.count++}`,
      happened: 'created' as const,
    }));
    return runner.submit(tenant, words.map(saying), 5_000);
  });
  await Promise.all(requests);
};

const end = async (kit: RunnerKit, how: Part['ends']): Promise<boolean> => {
  if (how === 'well') return false;
  await (how === 'killed' ? kit.kill() : kit.close());
  return true;
};

test(
  'every happening is taken at least once and in the order of its tenant, or is a dead letter',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 8 }), async (parts) => {
        const directory = temporaryDirectory();
        directories.push(directory);
        const [clock, said] = [setClock(NOON), { count: 0 }];
        const sinks = [testSink('one'), testSink('two')];
        const open = () =>
          openRunner({ path: directory.path, clock, sinks, stages: [sayer], timeoutMs: 20, saveMs: 5 });
        let kit = await open();
        for (const { sizes, waits, tidies, ends, ...rest } of parts) {
          for (const sink of sinks) trouble(sink, rest.trouble);
          await say(kit, sizes, said);
          if (waits) await kit.sinks.idle();
          if (tidies) await kit.sinks.tidy();
          if (await end(kit, ends)) kit = await open();
        }
        for (const sink of sinks) trouble(sink, 'none');
        await until(async () => {
          await kit.sinks.idle();
          return kit.sinks.loops.every(({ status }) => status.lag === 0);
        });
        await kit.database.applied();
        const letters = TENANTS.flatMap((tenant) => kit.rejected(tenant));
        for (const { name, taken } of sinks) {
          const bad = letters.filter(({ processor }) => processor === name).map(({ position }) => position);
          const all = Array.from({ length: said.count }, (_, index) => index + 1);
          const good = all.filter((position) => position % 97 !== 0);
          expect(new Set(bad)).toEqual(new Set(all.filter((position) => position % 97 === 0)));
          expect(new Set(taken.map(({ position }) => position))).toEqual(new Set(good));
          for (const positions of firstTimes(taken)) expect(positions).toEqual(positions.toSorted((a, b) => a - b));
        }
        await kit.close();
      }),
      { numRuns: runs({ short: 2, long: 100 }) },
    );
  },
  longest(120_000),
);
