import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import type { Trial } from '#features/trials/rules/trial.ts';
import { StartTrial, TrialBody, trialView } from '#features/trials/schemas/trials.ts';
import { listTrials, showTrial } from '#features/trials/use-cases/records.ts';
import { startTrial, type TrialAsked } from '#features/trials/use-cases/start-trial.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const PATH = '/admin/settings/correlation/trials';
const LISTED = 50;
const trying = { tag: 'Administration', permission: 'settings.manage' } as const;

const postTrial = endpoint<TrialAsked, Trial>({
  ...trying,
  limit: 'standard',
  id: 'admin.settings.correlation.trials.start',
  summary: 'Start a settings simulation',
  description:
    'Replays stored events with the current and the given settings. Read-only. ' +
    "One simulation per tenant at a time, up to 50,000 events; stored for 7 days. Deduplication settings can't be simulated.",
  alsoFaults: ['conflict'],
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: PATH,
      body: StartTrial,
      status: 202,
      replyHeaders: ['Location'],
      reply: wrapped(TrialBody),
      read: ({ body }) => body,
      present: (trial) => ({ status: 202, headers: { Location: `/api${PATH}/${trial.id}` }, body: trialView(trial) }),
    }),
  ],
  handle: (asked, context) => startTrial(context, asked),
});

const getTrial = endpoint<string, Trial>({
  ...trying,
  limit: 'query',
  id: 'admin.settings.correlation.trials.get',
  summary: 'Get a settings simulation',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: `${PATH}/{id}`,
      params: z.object({ id: z.string() }),
      reply: wrapped(TrialBody),
      read: ({ params }) => params.id,
      present: (trial) => ({ body: trialView(trial) }),
    }),
  ],
  handle: (id, context) => showTrial(context, id),
});

const getTrials = endpoint<void, readonly Trial[]>({
  ...trying,
  limit: 'query',
  id: 'admin.settings.correlation.trials.list',
  summary: 'List settings simulations',
  description: `Newest ${LISTED} simulations.`,
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: PATH,
      reply: wrapped(z.array(TrialBody).max(LISTED)),
      read: () => undefined,
      present: (trials) => ({ body: trials.map(trialView) }),
    }),
  ],
  handle: (_, context) => listTrials(context, LISTED),
});

export const trialEndpoints = [postTrial, getTrials, getTrial];
