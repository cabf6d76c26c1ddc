import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { recurrenceText } from '#domain/event/silences/recurrence.ts';
import { SILENCE_STATES, type SilenceRule, silenceState } from '#domain/event/silences/silence-rule.ts';
import { Fault } from '#domain/fault.ts';
import { uuidOf } from '#domain/texts/ulid-uuid.ts';
import { ulidOf } from '#features/alertmanager/rules/ids.ts';
import { matcherOf, writtenOf } from '#features/alertmanager/rules/matchers.ts';
import {
  GettableSilence,
  PostableSilence,
  type PostableSilenceBody,
  SILENCE_WORDS,
  SilenceId,
  SilencePath,
  SilencesQuery,
} from '#features/alertmanager/schemas/alertmanager.ts';
import { listSilences, type SilenceFilter, setSilence } from '#features/alertmanager/use-cases/silences.ts';
import { NewSilence, type NewSilenceInput } from '#features/silences/schemas/silences.ts';
import { endSilence, requireSilence } from '#features/silences/use-cases/silences.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import { iso } from '#schemas/http/time.ts';
import { EMPTY, reading } from './alert-endpoints.ts';

const writing = { ...reading, permission: 'alertmanager.silences', limit: 'standard' } as const;

interface FoundSilences {
  readonly rules: readonly SilenceRule[];
  /** ms. */
  readonly now: number;
}

const silenceView = (rule: SilenceRule, now: number) => ({
  id: uuidOf(rule.id),
  status: { state: SILENCE_WORDS[silenceState(rule, now)] },
  matchers: writtenOf(rule.matcher),
  startsAt: iso(rule.startsAt),
  endsAt: iso(rule.endsAt),
  updatedAt: iso(rule.updatedAt),
  createdBy: rule.createdBy.name,
  comment: rule.reason,
  annotations: {
    ...(rule.author !== undefined && { created_by: rule.author }),
    ...(rule.recurrence !== undefined && { recurrence: recurrenceText(rule.recurrence) }),
  },
});

const list = endpoint<SilenceFilter, FoundSilences>({
  ...reading,
  id: 'alertmanager.silences.list',
  summary: 'List silences (Alertmanager)',
  description:
    'Silences of Faultline, with those that ended in the last five days. Parts that are no labels are matchers named faultline_….',
  mounts: on.alertmanager.get('/silences', {
    query: SilencesQuery,
    reply: z.array(GettableSilence),
    read: ({ query: { filter, active, pending, expired } }): SilenceFilter => {
      const wanted = { active, planned: pending, past: expired };
      return { matchers: filter, states: new Set(SILENCE_STATES.filter((state) => wanted[state] ?? true)) };
    },
    present: ({ rules, now }) => ({ body: rules.map((rule) => silenceView(rule, now)) }),
  }),
  handle: async (filter, context) => ({ rules: await listSilences(context, filter), now: context.receivedAt }),
});

/** The same checks as at our own interface. Throws Fault `invalid`. */
const wantedOf = ({ matchers, startsAt, endsAt, comment }: PostableSilenceBody): NewSilenceInput => {
  const said = { matcher: matcherOf(matchers), startsAt, endsAt, reason: comment };
  const result = NewSilence.safeParse(said);
  if (result.success) return result.data;
  const problems = problemsOf(result.error, said);
  throw new Fault('invalid', problems.map(({ field, reason }) => `${field}: ${reason}`).join('; '), problems);
};

const set = endpoint<PostableSilenceBody, string>({
  ...writing,
  // Imports of amtool send one request for each silence, and do not repeat it.
  limit: 'webhook',
  id: 'alertmanager.silences.set',
  summary: 'Create or change a silence (Alertmanager)',
  description: 'With id, other matchers create a new silence and end the former one.',
  alsoFaults: ['not-found', 'conflict', 'unprocessable'],
  mounts: on.alertmanager.post('/silences', {
    body: PostableSilence,
    reply: SilenceId,
    read: ({ body }) => body,
    present: (id) => ({ body: { silenceID: uuidOf(id) } }),
  }),
  handle: (body, context) => {
    const { id, startsAt, createdBy } = body;
    return setSilence(context, id || undefined, {
      ...wantedOf(body),
      startsAt,
      ...(createdBy !== '' && { author: createdBy }),
    });
  },
});

const get = endpoint<string, FoundSilences>({
  ...reading,
  id: 'alertmanager.silences.get',
  summary: 'Get a silence (Alertmanager)',
  mounts: on.alertmanager.get('/silence/{id}', {
    params: SilencePath,
    reply: GettableSilence,
    read: ({ params }) => ulidOf(params.id),
    present: ({ rules: [rule], now }) => ({ body: rule && silenceView(rule, now) }),
  }),
  handle: async (id, context) => ({ rules: [await requireSilence(context, id)], now: context.receivedAt }),
});

const expire = endpoint<string, SilenceRule>({
  ...writing,
  id: 'alertmanager.silences.expire',
  summary: 'End a silence (Alertmanager)',
  mounts: on.alertmanager.delete('/silence/{id}', {
    params: SilencePath,
    reply: z.string(),
    replyType: EMPTY.type,
    read: ({ params }) => ulidOf(params.id),
    present: () => ({ body: null, raw: EMPTY }),
  }),
  handle: (id, context) => endSilence(context, id),
});

export const silenceEndpoints = [list, set, get, expire];
