import { endpoint, on } from '#api/surfaces/endpoint.ts';
import {
  type DeadLetterFilter,
  findDeadLetter,
  listDeadLetters,
  type StoredDeadLetter,
  stateOf,
} from '#application/operations/dead-letters.ts';
import { replayable } from '#application/operations/replay-dead-letter.ts';
import {
  type ResolvedManyDeadLetters,
  type ResolveManyDeadLetters,
  resolveDeadLetters,
  resolveOneDeadLetter,
} from '#application/operations/resolve-dead-letters.ts';
import type { Page } from '#domain/page.ts';
import type { DeadLetter, DeadLetterOutcome } from '#domain/ports/operations.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import {
  DeadLetterDetail,
  DeadLettersQuery,
  DeadLetterView,
  ResolveDeadLetters,
  ResolvedDeadLettersView,
} from '#schemas/http/admin/operations.ts';
import { wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

const reading = { tag: 'Operations', permission: 'pipeline.read', limit: 'standard' } as const;
const managing = { tag: 'Operations', permission: 'pipeline.manage', limit: 'standard' } as const;

const settledView = (settled: DeadLetterOutcome | null) =>
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

const listDeadLettersEndpoint = endpoint<
  DeadLetterFilter,
  { readonly limit: number; readonly found: Page<StoredDeadLetter> }
>({
  ...reading,
  id: 'admin.dead-letters.list',
  summary: 'List dead letters',
  description: 'Scans up to 1,000 dead letters per request. Continue with pagination.nextCursor. Stored for 30 days.',
  mounts: on.platform.get('/admin/dead-letters', {
    query: DeadLettersQuery,
    reply: wrappedList(DeadLetterView),
    read: ({ query }) => query,
    present: ({ limit, found: { items, total, nextCursor } }) => ({
      body: items.map(({ body }) => view(body)),
      page: { page: 1, limit, total, nextCursor },
    }),
  }),
  handle: async (filter, context) => ({ limit: filter.limit, found: await listDeadLetters(context, filter) }),
});

interface DeadLetterContents {
  readonly letter: DeadLetter;
  readonly record: unknown;
  readonly because: string | null;
}

const detail = ({ letter, record, because }: DeadLetterContents) => ({
  ...view(letter),
  record,
  not_replayable: because,
  value: letter.content.kind === 'json' ? null : letter.content.base64,
});

const getDeadLetterEndpoint = endpoint<string, DeadLetterContents>({
  ...reading,
  id: 'admin.dead-letters.get',
  summary: 'Get a dead letter',
  mounts: on.platform.get('/admin/dead-letters/{id}', {
    params: IdPath,
    reply: wrapped(DeadLetterDetail),
    read: ({ params }) => params.id,
    present: (found) => ({ body: detail(found) }),
  }),
  handle: async (id, context) => {
    const found = await findDeadLetter(context, id);
    const { record, because } = await replayable(context.ports, found);
    return { letter: found.stored.body, record, because };
  },
});

const replayDeadLetterEndpoint = endpoint<string, DeadLetter>({
  ...managing,
  id: 'admin.dead-letters.replay',
  summary: 'Replay a dead letter',
  description:
    "Re-sends the record to the processor or sink. Idempotent. Returns 409 with a reason if it can't be replayed.",
  mounts: on.platform.post('/admin/dead-letters/{id}/replay', {
    params: IdPath,
    reply: wrapped(DeadLetterView),
    read: ({ params }) => params.id,
    present: (letter) => ({ body: view(letter) }),
  }),
  handle: (id, context) => resolveOneDeadLetter(context, id, 'replayed'),
});

const discardDeadLetterEndpoint = endpoint<string, DeadLetter>({
  ...managing,
  id: 'admin.dead-letters.discard',
  summary: 'Discard a dead letter',
  mounts: on.platform.delete('/admin/dead-letters/{id}', {
    params: IdPath,
    reply: wrapped(DeadLetterView),
    read: ({ params }) => params.id,
    present: (letter) => ({ body: view(letter) }),
  }),
  handle: (id, context) => resolveOneDeadLetter(context, id, 'discarded'),
});

const SHOWN_FAILURES = 100;

const many = (verb: 'replay' | 'discard', state: DeadLetterOutcome['state'], summary: string) =>
  endpoint<ResolveManyDeadLetters, ResolvedManyDeadLetters>({
    ...managing,
    id: `admin.dead-letters.${verb}-many`,
    takesLong: true,
    summary,
    description: 'Up to 1,000 per request, oldest first; `more` indicates that more match.',
    mounts: on.platform.post(`/admin/dead-letters/${verb}`, {
      body: ResolveDeadLetters,
      reply: wrapped(ResolvedDeadLettersView),
      read: ({ body }) => body,
      present: ({ settled, failures, more }) => ({
        body: { settled, failed: failures.length, failures: failures.slice(0, SHOWN_FAILURES), more },
      }),
    }),
    handle: (asked, context) => resolveDeadLetters(context, asked, state),
  });

export const deadLetterEndpoints = [
  listDeadLettersEndpoint,
  getDeadLetterEndpoint,
  replayDeadLetterEndpoint,
  discardDeadLetterEndpoint,
  many('replay', 'replayed', 'Replay dead letters in bulk'),
  many('discard', 'discarded', 'Discard dead letters in bulk'),
];
