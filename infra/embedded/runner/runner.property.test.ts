import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { diskFull, NOON, openRunner, type RunnerKit } from '#test/setup/runner-kit.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { prepareTopology, recordsOf, type Sent, step } from '#test/setup/storm-steps.ts';

/**
 * One call per record, some at once: how many share a batch is the runner's business. The writer is held back meanwhile, so that
 * two batches are in flight where there are more than `atOnce`. The clock is never ahead of a record.
 */
const sendAll = async (kit: RunnerKit, sent: readonly Sent[], atOnce = 1_000) => {
  kit.clock.set(sent[0]?.record.receivedAt ?? NOON);
  kit.faults.hold = sent.length > atOnce;
  const answers: Promise<boolean>[] = [];
  for (const [index, { tenant, record }] of sent.entries()) {
    const answer = kit.runner.submit(tenant, [record], 5_000);
    answers.push(answer.then(() => true).catch(() => false));
    if (index % atOnce === atOnce - 1) for (let turn = 0; turn < 3; turn++) await setImmediate();
  }
  kit.release();
  return Promise.all(answers);
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
  /** Records sent at once; 16 or more do not wait for company. */
  atOnce: fc.integer({ min: 16, max: 60 }),
  ends: fc.constantFrom('well', 'well', 'refused', 'unanswered', 'restart', 'killed'),
});

const running = async ({ runner }: RunnerKit) => {
  for (let tries = 0; runner.status.state !== 'running'; tries++) {
    if (tries > 2_000) throw new Error(`still ${runner.status.state}: ${runner.status.lastError}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

/** Sends one part until all of it is acknowledged, regardless of failed commits. */
const sendPart = async (kit: RunnerKit, sent: readonly Sent[], atOnce: number, ends: string): Promise<void> => {
  let faults = ends === 'refused' || ends === 'unanswered' || ends === 'killed' ? 1 : 0;
  const fail = () => {
    if (faults-- > 0) throw diskFull();
  };
  if (ends === 'refused') kit.faults.commit = fail;
  else kit.faults.afterCommit = fail;
  for (let left = sent; left.length > 0; ) {
    const answered = await sendAll(kit, left, atOnce);
    left = left.filter((_, index) => !answered[index]);
    if (ends === 'killed' && left.length > 0) return sendPart(kit, left, atOnce, 'reopen');
    await running(kit);
  }
};

test(
  'batches, refused commits, lost answers and restarts change neither events nor groups nor their ids',
  async () => {
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
            const { size, atOnce, ends } = parts[n % parts.length] as { size: number; atOnce: number; ends: string };
            await sendPart(kit, sent.slice(from, from + size), atOnce, ends);
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
      { numRuns: runs({ short: 2, long: 100 }), endOnFailure: true },
    );
  },
  longest(60_000),
);
