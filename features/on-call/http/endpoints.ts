import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { TeamOnCall } from '#features/on-call/rules/on-call.ts';
import { OnCallBody, OnCallPutBody, onCallBody } from '#features/on-call/schemas/on-call.ts';
import { listOnCall, type OnCallPut, putOnCall } from '#features/on-call/use-cases/policies.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { wrapped } from '#schemas/http/envelope.ts';

interface OnCallAt<Shown> {
  readonly shown: Shown;
  /** ms. */
  readonly now: number;
}

const list = endpoint<undefined, OnCallAt<readonly TeamOnCall[]>>({
  tag: 'Administration',
  permission: 'events.read',
  limit: 'standard',
  id: 'on-call.list',
  summary: 'List teams with their on-call settings',
  mounts: on.platform.get('/on-call', {
    reply: wrapped(z.array(OnCallBody)),
    read: (): undefined => undefined,
    present: ({ shown, now }) => ({ body: shown.map((one) => onCallBody(one, now)) }),
  }),
  handle: async (_, context) => ({ shown: await listOnCall(context), now: context.receivedAt }),
});

interface OnCallUpdate {
  readonly id: string;
  readonly put: OnCallPut;
}
const update = endpoint<OnCallUpdate, OnCallAt<TeamOnCall>>({
  tag: 'Administration',
  permission: 'users.manage',
  limit: 'standard',
  id: 'on-call.update',
  summary: 'Replace the on-call settings of a team',
  description: 'Groups that the team has not acknowledged in time are assigned to the next team.',
  mounts: on.platform.put('/on-call/{id}', {
    params: IdPath,
    body: OnCallPutBody,
    reply: wrapped(OnCallBody),
    read: ({ params, body }): OnCallUpdate => ({
      id: params.id,
      put: { calendar: body.calendar, afterMinutes: body.after_minutes, next: body.next_team },
    }),
    present: ({ shown, now }) => ({ body: onCallBody(shown, now) }),
  }),
  handle: async ({ id, put }, context) => ({ shown: await putOnCall(context, id, put), now: context.receivedAt }),
});

export const onCallEndpoints = [list, update];
