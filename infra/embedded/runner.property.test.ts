import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { diskFull, NOON, openRunner, type RunnerKit } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { prepareTopology, recordsOf, type Sent, step } from '#test/setup/storm-steps.ts';

/** One call per record, at once: how many share a batch is the runner's business. The clock is never ahead of a record. */
const sendAll = (kit: RunnerKit, sent: readonly Sent[]) => {
  kit.clock.set(sent[0]?.record.receivedAt ?? NOON);
  return Promise.all(
    sent.map(({ tenant, record }) =>
      kit.runner.submit(tenant, [record], 5_000).then(
        () => true,
        () => false,
      ),
    ),
  );
};

let reference: (sent: readonly Sent[]) => Promise<unknown>;
beforeAll(() => {
  reference = async (sent) => {
    const kit = await openRunner({ clock: setClock(NOON) });
    await prepareTopology(kit.topology);
    for (const one of sent) await sendAll(kit, [one]);
    const snapshot = kit.snapshot();
    await kit.close();
    return snapshot;
  };
});

const directories: ReturnType<typeof temporaryDirectory>[] = [];
afterAll(() => {
  for (const directory of directories) directory.remove();
});

const part = fc.record({
  size: fc.integer({ min: 1, max: 60 }),
  ends: fc.constantFrom('well', 'well', 'refused', 'unanswered', 'restart', 'killed'),
});

const running = async ({ runner }: RunnerKit) => {
  for (let tries = 0; runner.status.state !== 'running'; tries++) {
    if (tries > 2_000) throw new Error(`still ${runner.status.state}: ${runner.status.lastError}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

/** Sends one part until all of it is acknowledged, whatever happens to its commits. */
const sendPart = async (kit: RunnerKit, sent: readonly Sent[], ends: string): Promise<void> => {
  let faults = ends === 'refused' || ends === 'unanswered' || ends === 'killed' ? 1 : 0;
  const fail = () => {
    if (faults-- > 0) throw diskFull();
  };
  if (ends === 'refused') kit.faults.commit = fail;
  else kit.faults.afterCommit = fail;
  for (let left = sent; left.length > 0; ) {
    const answered = await sendAll(kit, left);
    left = left.filter((_, index) => !answered[index]);
    if (ends === 'killed' && left.length > 0) return sendPart(kit, left, 'reopen');
    await running(kit);
  }
};

test('batches, refused commits, lost answers and restarts change neither events nor groups nor their ids', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 60, maxLength: 260, size: 'max' }),
      fc.array(part, { minLength: 3, maxLength: 12, size: 'max' }),
      async (steps, parts) => {
        const sent = recordsOf(steps);
        const directory = temporaryDirectory();
        directories.push(directory);
        const clock = setClock(NOON);
        let kit = await openRunner({ path: directory.path, clock });
        await prepareTopology(kit.topology);
        for (let from = 0, n = 0; from < sent.length; n++) {
          const { size, ends } = parts[n % parts.length] as { size: number; ends: string };
          await sendPart(kit, sent.slice(from, from + size), ends);
          from += size;
          if (ends === 'restart' || ends === 'killed') {
            await kit.close();
            kit = await openRunner({ path: directory.path, clock });
          }
        }
        const snapshot = kit.snapshot();
        await kit.close();
        expect(snapshot).toEqual(await reference(sent));
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
}, 60_000);
