import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  findLetter,
  type LetterFilter,
  listLetters,
  type StoredLetter,
  stateOf,
} from '#application/operations/dead-letters.ts';
import { replayable } from '#application/operations/replay-letter.ts';
import { type SettledMany, type SettleMany, settleMany, settleOne } from '#application/operations/settle-letters.ts';
import type { Page } from '#domain/page.ts';
import type { DeadLetter, Settled } from '#domain/ports/operations.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { LetterDetail, LettersQuery, LetterView, SettledView, SettleLetters } from '#schemas/http/admin/operations.ts';
import { wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

const reading = { tag: 'Operations', permission: 'pipeline.read', limit: 'standard' } as const;
const managing = { tag: 'Operations', permission: 'pipeline.manage', limit: 'standard' } as const;

const settledView = (settled: Settled | null) =>
  settled === null ? null : { at: iso(settled.at), by: settled.by, outcome: settled.outcome };
const view = (letter: DeadLetter) => {
  const { id, at, processor, reason, topic, partition, offset, position, attempts, settled } = letter;
  return {
    id,
    at: iso(at),
    processor,
    reason,
    topic,
    partition,
    offset,
    position,
    attempts,
    state: stateOf(letter),
    settled: settledView(settled),
  };
};

const listDeadLetters = endpoint<LetterFilter, { readonly limit: number; readonly found: Page<StoredLetter> }>({
  ...reading,
  id: 'admin.dead-letters.list',
  summary: 'List records that a processor could not handle, newest first',
  description:
    'At most 1,000 are looked at per request; pagination.nextCursor goes on from there. They wait for 30 days.',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/dead-letters',
      query: LettersQuery,
      reply: wrappedList(LetterView),
      read: ({ query }) => query,
      present: ({ limit, found: { items, total, nextCursor } }) => ({
        body: items.map(({ body }) => view(body)),
        page: { page: 1, limit, total, nextCursor },
      }),
    }),
  ],
  handle: async (filter, context) => ({ limit: filter.limit, found: await listLetters(context, filter) }),
});

interface Detail {
  readonly letter: DeadLetter;
  readonly record: unknown;
  readonly because: string | null;
}

const detail = ({ letter, record, because }: Detail) => ({
  ...view(letter),
  record,
  not_replayable: because,
  value: letter.content.kind === 'json' ? null : letter.content.base64,
});

const getDeadLetter = endpoint<string, Detail>({
  ...reading,
  id: 'admin.dead-letters.get',
  summary: 'Show a dead letter with the record as it was received',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/dead-letters/{id}',
      params: IdPath,
      reply: wrapped(LetterDetail),
      read: ({ params }) => params.id,
      present: (found) => ({ body: detail(found) }),
    }),
  ],
  handle: async (id, context) => {
    const found = await findLetter(context, id);
    const { record, because } = await replayable(context.ports, found);
    return { letter: found.stored.body, record, because };
  },
});

const replayDeadLetter = endpoint<string, DeadLetter>({
  ...managing,
  id: 'admin.dead-letters.replay',
  summary: 'Append the record of a dead letter anew',
  description:
    'What a sink could not take is given to it once more. Again: the same answer, and nothing is done. 409 with the reason when the record cannot be replayed.',
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: '/admin/dead-letters/{id}/replay',
      params: IdPath,
      reply: wrapped(LetterView),
      read: ({ params }) => params.id,
      present: (letter) => ({ body: view(letter) }),
    }),
  ],
  handle: (id, context) => settleOne(context, id, 'replayed'),
});

const discardDeadLetter = endpoint<string, DeadLetter>({
  ...managing,
  id: 'admin.dead-letters.discard',
  summary: 'Discard a dead letter; it stays to be read for 7 days',
  mounts: [
    mount({
      on: 'platform',
      method: 'delete',
      path: '/admin/dead-letters/{id}',
      params: IdPath,
      reply: wrapped(LetterView),
      read: ({ params }) => params.id,
      present: (letter) => ({ body: view(letter) }),
    }),
  ],
  handle: (id, context) => settleOne(context, id, 'discarded'),
});

const SHOWN_FAILURES = 100;

const many = (verb: 'replay' | 'discard', state: Settled['state'], summary: string) =>
  endpoint<SettleMany, SettledMany>({
    ...managing,
    id: `admin.dead-letters.${verb}-many`,
    takesLong: true,
    summary,
    description: 'At most 1,000 at a time, the oldest first; `more` says whether further ones match.',
    mounts: [
      mount({
        on: 'platform',
        method: 'post',
        path: `/admin/dead-letters/${verb}`,
        body: SettleLetters,
        reply: wrapped(SettledView),
        read: ({ body }) => body,
        present: ({ settled, failures, more }) => ({
          body: { settled, failed: failures.length, failures: failures.slice(0, SHOWN_FAILURES), more },
        }),
      }),
    ],
    handle: (asked, context) => settleMany(context, asked, state),
  });

export const deadLetterEndpoints = [
  listDeadLetters,
  getDeadLetter,
  replayDeadLetter,
  discardDeadLetter,
  many('replay', 'replayed', 'Replay waiting dead letters by processor or reason'),
  many('discard', 'discarded', 'Discard waiting dead letters by processor or reason'),
];
