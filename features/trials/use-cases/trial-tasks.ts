import { SECOND_MS } from '#application/job.ts';
import { pause } from '#application/records/pause.ts';
import type { StoredTasks, StoredTaskTurn } from '#application/tasks/task.ts';
import { Fault } from '#domain/fault.ts';
import { TRIAL, type Trial } from '#features/trials/rules/trial.ts';
import { findTrial, putTrial } from './records.ts';
import { runTrial } from './run-trial.ts';

/** Longer than any trial. */
const MAX_MS = 600_000;
const PAUSE_MS = 1;
/** Interval of progress reports. */
const TOLD_MS = 1_000;

const STOPPED = 'The server restarted during the simulation. Start it again';

async function tryOut({ ports, task: { tenant }, thing, signal }: StoredTaskTurn<Trial>): Promise<void> {
  let { body: trial, revision } = thing;
  const save = async (change: Partial<Trial>): Promise<void> => {
    trial = { ...trial, ...change };
    revision = await putTrial(ports.records, tenant, trial, revision);
  };
  await save({ state: 'running' });
  const beganAt = ports.clock.now();
  let toldAt = beganAt;
  const giveWay = async (done: number): Promise<void> => {
    await pause(PAUSE_MS);
    const now = ports.clock.now();
    if (now - beganAt > MAX_MS) throw new Fault('unprocessable', 'The simulation exceeded 10 minutes');
    if (now - toldAt < TOLD_MS) return;
    toldAt = now;
    if (signal.aborted) throw new Fault('unprocessable', STOPPED);
    await save({ done: Math.floor(done * 100) / 100 });
  };
  const result = await runTrial({ ports, tenant, giveWay }, trial);
  await save({ state: 'completed', done: 1, result, endedAt: ports.clock.now() });
}

/** Requested trials of settings, one after the other. One that a process has left is not resumed: it has failed. */
export const trialTasks: StoredTasks<Trial> = {
  name: 'try-settings',
  everyMs: 5 * SECOND_MS,
  atStart: true,
  failure: 'settings simulation failed',
  about: TRIAL,
  places: 'tenant',
  atOnce: 1,
  tries: { most: 1, counted: 'begun', unended: STOPPED },
  find: findTrial,
  isOpen: ({ endedAt }) => endedAt === null,
  run: tryOut,
  async giveUp({ ports: { records, clock }, task: { tenant }, thing: { body, revision } }, error) {
    await putTrial(records, tenant, { ...body, state: 'failed', error, endedAt: clock.now() }, revision);
  },
};
