import { z } from 'zod';
import { endpoint, mount, on } from '#api/surfaces/endpoint.ts';
import type { SilenceMatcher, SilenceState } from '#domain/event/silences/silence-rule.ts';
import type { Page } from '#domain/page.ts';
import {
  NewSilence,
  type NewSilenceInput,
  PreviewBody,
  previewBody,
  SilenceBody,
  SilencePreview,
  SilencePut,
  type SilencePutInput,
  SilencesQuery,
  silenceBody,
} from '#features/silences/schemas/silences.ts';
import {
  changedSilence,
  listSilences,
  type ShownSilence,
  showSilence,
} from '#features/silences/use-cases/list-silences.ts';
import { type Previewed, previewSilence } from '#features/silences/use-cases/preview-silence.ts';
import { changeSilence, createSilence, endSilence, requireSilence } from '#features/silences/use-cases/silences.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { succeeded, succeededPage } from '#schemas/http/envelope.ts';
import { type Paging, pageInfo } from '#schemas/http/paging.ts';

const reading = { tag: 'Events', permission: 'events.read', limit: 'query' } as const;
const writing = { tag: 'Events', permission: 'events.write', limit: 'standard' } as const;
const ALL = { on: 'events', path: '/silences' } as const;
const ONE = { on: 'events', path: '/silences/{id}', params: IdPath } as const;
const reply = succeeded({ silence: SilenceBody });
const present = (shown: ShownSilence) => ({ body: { silence: silenceBody(shown) } });
const readId = ({ params }: { params: { id: string } }) => params.id;

interface SilencesRequest {
  readonly state: SilenceState | undefined;
  readonly paging: Paging;
}
interface SilencesPage extends SilencesRequest {
  readonly found: Page<ShownSilence>;
}

const list = endpoint<SilencesRequest, SilencesPage>({
  ...reading,
  id: 'events.silences.list',
  summary: 'List silences',
  mounts: mount({
    ...ALL,
    method: 'get',
    query: SilencesQuery,
    reply: succeededPage({ silences: z.array(SilenceBody) }),
    read: ({ query }): SilencesRequest => ({ state: query.state, paging: query }),
    present: ({ found, paging }) => ({
      body: { silences: found.items.map(silenceBody) },
      page: pageInfo(paging, found),
    }),
  }),
  handle: async (asked, context) => ({ ...asked, found: await listSilences(context, asked.state, asked.paging) }),
});

export const createSilenceEndpoint = endpoint<NewSilenceInput, ShownSilence>({
  ...writing,
  id: 'events.silences.create',
  summary: 'Create a silence',
  description:
    "Matching events are stored and can join groups but don't create them. When it ends, events still firing are reopened.",
  alsoFaults: ['unprocessable'],
  mounts: mount({
    ...ALL,
    method: 'post',
    status: 201,
    replyHeaders: ['Location'],
    body: NewSilence,
    reply,
    read: ({ body }) => body,
    present: (shown) => {
      const body = { silence: silenceBody(shown) };
      return { body, headers: { Location: `/api/events/silences/${body.silence.id}` } };
    },
  }),
  handle: async (input, context) => changedSilence(context, await createSilence(context, input), 0),
});

const get = endpoint<string, ShownSilence>({
  ...reading,
  id: 'events.silences.get',
  summary: 'Get a silence',
  mounts: mount({ ...ONE, method: 'get', reply, read: readId, present }),
  handle: async (id, context) => showSilence(context, await requireSilence(context, id)),
});

interface SilenceUpdate {
  readonly id: string;
  readonly patch: SilencePutInput;
}

const update = endpoint<SilenceUpdate, ShownSilence>({
  ...writing,
  id: 'events.silences.update',
  summary: 'Update a silence',
  description: 'Omitted fields are unchanged; the matcher is replaced. Events that no longer match are reopened.',
  alsoFaults: ['conflict'],
  mounts: mount({
    ...ONE,
    method: 'put',
    body: SilencePut,
    reply,
    read: ({ params, body }): SilenceUpdate => ({ id: params.id, patch: body }),
    present,
  }),
  async handle({ id, patch }, context) {
    const { caught } = await showSilence(context, await requireSilence(context, id));
    return changedSilence(context, await changeSilence(context, id, patch), caught);
  },
});

const end = endpoint<string, ShownSilence>({
  ...writing,
  id: 'events.silences.end',
  summary: 'End a silence',
  description: 'Ended silences remain listed. No effect on a silence that has already ended.',
  mounts: mount({ ...ONE, method: 'delete', reply, read: readId, present }),
  async handle(id, context) {
    const { caught } = await showSilence(context, await requireSilence(context, id));
    return changedSilence(context, await endSilence(context, id), caught);
  },
});

const preview = endpoint<SilenceMatcher, Previewed>({
  ...reading,
  id: 'events.silences.preview',
  summary: 'Preview a silence',
  mounts: on.events.post('/silences/preview', {
    body: SilencePreview,
    reply: succeeded(PreviewBody),
    read: ({ body }) => body.matcher,
    present: (previewed) => ({ body: previewBody(previewed) }),
  }),
  handle: (matcher, context) => previewSilence(context, matcher),
});

export const silenceEndpoints = [list, createSilenceEndpoint, preview, get, update, end];
