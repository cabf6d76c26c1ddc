import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type ClockConfirmation, confirmClock } from '#application/operations/clock-watch.ts';
import { ClockView } from '#schemas/http/admin/operations.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

export const clockConfirmation = endpoint<void, ClockConfirmation>({
  id: 'admin.clock.confirm',
  summary: 'Confirm the system clock after it was set',
  description:
    'Jobs that delete or expire data are paused for an hour after the system clock was set. They run again within 10 s in every process whose clock agrees with the clock of the process that answers. Platform administrators only.',
  tag: 'Operations',
  permission: 'pipeline.manage',
  limit: 'standard',
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: '/admin/pipeline/clock/confirm',
      reply: wrapped(ClockView),
      read: () => undefined,
      present: ({ at }) => ({ body: { confirmed_at: iso(at) } }),
    }),
  ],
  handle: (_, context) => confirmClock(context),
});
