import { SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { TRIAL_KINDS } from '#features/trials/rules/trial.ts';
import { trialEndpoints } from './http/trial-endpoints.ts';
import { TRY_SETTINGS } from './use-cases/records.ts';
import { Trials } from './use-cases/trials.ts';

export const trials = feature({
  id: 'trials',
  uses: [],
  endpoints: trialEndpoints,
  background: [
    {
      name: TRY_SETTINGS,
      everyMs: 5 * SECOND_MS,
      atStart: true,
      failure: 'A trial of settings has failed',
      open: (ports, options) => new Trials(ports, options),
    },
  ],
  ownedRecords: { kinds: [TRIAL_KINDS.queue], leases: [TRIAL_KINDS.lease] },
});
