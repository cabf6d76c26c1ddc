import { SECOND_MS } from '#application/job.ts';
import type { StoredTasks } from '#application/tasks/task.ts';
import { analyseInfrastructure } from './analyse-infrastructure.ts';
import { type AnalysisSession, findSession } from './records.ts';
import { SessionRun } from './session-run.ts';

/** Infrastructure analyses that were asked for, one after the other. */
export const analysisTasks: StoredTasks<AnalysisSession> = {
  name: 'analyse-infrastructure',
  everyMs: 5 * SECOND_MS,
  atStart: true,
  failure: 'infrastructure analysis failed',
  stuck: 'infrastructure analysis failed, retrying',
  about: 'analysis',
  places: 'tenant',
  atOnce: 1,
  tries: { most: 3, counted: 'failed' },
  find: findSession,
  isOpen: ({ status }) => status === 'running',
  async run(turn) {
    const session = await SessionRun.open(turn);
    await session.complete(await analyseInfrastructure(session));
  },
  async giveUp(turn, reason) {
    const session = await SessionRun.open(turn);
    await session.fail(reason);
  },
};
