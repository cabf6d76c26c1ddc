import { MINUTE_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { inboxEndpoints } from './http/inbox.ts';
import { mailInboxes } from './use-cases/mail-inbox.ts';

export const inbox = feature({
  id: 'inbox',
  uses: ['silent-sources', 'on-call'],
  endpoints: inboxEndpoints,
  jobs: [
    {
      name: 'mail-inboxes',
      everyMs: MINUTE_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => mailInboxes(ports, isStopping),
    },
  ],
});
