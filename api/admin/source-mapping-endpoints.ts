import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  dropMapping,
  type MappingTrial,
  putMapping,
  readMapping,
  type StoredMapping,
  type Tried,
  tryMapping,
} from '#application/events/sources/mappings.ts';
import { entityTag } from '#application/records/if-match.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import { MappingBody, MappingTried, MappingTry } from '#schemas/http/admin/source-mapping.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { isoOrNull } from '#schemas/http/time.ts';
import { MAPPED_NAME, SourceMapping } from '#sources/generic/mapping.ts';

const reading = { tag: 'Administration', permission: 'settings.read', limit: 'standard' } as const;
const writing = { tag: 'Administration', permission: 'settings.manage', limit: 'standard' } as const;
const PATH = '/admin/sources/{name}/mapping';
const common = {
  on: 'platform',
  path: PATH,
  params: z.object({ name: z.string().meta({ pattern: MAPPED_NAME.source }) }),
} as const;

interface SourceMappingView {
  readonly name: string;
  readonly kept: StoredMapping;
}
const shown = {
  reply: wrapped(MappingBody),
  replyHeaders: ['ETag'],
  present: ({ name, kept }: SourceMappingView) => ({
    body: { name, mapping: kept.mapping },
    headers: { ETag: entityTag(kept.revision) },
  }),
} as const;

const get = endpoint<string, SourceMappingView>({
  ...reading,
  id: 'admin.sources.mapping.get',
  summary: 'Get a source mapping',
  mounts: mount({ ...common, ...shown, method: 'get', read: ({ params }) => params.name }),
  handle: async (name, context) => ({ name, kept: await readMapping(name, context) }),
});

const put = endpoint<{ readonly name: string; readonly mapping: SourceMapping }, SourceMappingView>({
  ...writing,
  conditional: true,
  id: 'admin.sources.mapping.put',
  summary: 'Replace a source mapping',
  description:
    'For monitoring systems without built-in support. The system then posts to /api/events/webhook/{name}. Replaces an existing mapping.',
  mounts: mount({
    ...common,
    ...shown,
    method: 'put',
    body: SourceMapping,
    read: ({ params, body }) => ({ name: params.name, mapping: body }),
  }),
  handle: async ({ name, mapping }, context) => ({ name, kept: await putMapping(name, mapping, context) }),
});

const remove = endpoint<string, void>({
  ...writing,
  conditional: true,
  id: 'admin.sources.mapping.delete',
  summary: 'Delete a source mapping',
  mounts: mount({
    ...common,
    method: 'delete',
    reply: wrapped(Message),
    read: ({ params }) => params.name,
    present: () => ({ body: { message: 'Mapping deleted' } }),
  }),
  handle: dropMapping,
});

const NO_EVENT = { action: null, sourceId: null, event: null } as const;

const toldView = (draft: EventDraft) => ({
  title: draft.title,
  severity: draft.severity,
  status: draft.status ?? 'open',
  description: draft.description ?? null,
  hostname: draft.hostname ?? null,
  ipAddress: draft.ipAddress ?? null,
  service: draft.service ?? null,
  application: draft.application ?? null,
  environment: draft.environment ?? null,
  category: draft.category ?? null,
  timestamp: isoOrNull(draft.timestamp ?? null),
  tags: [...(draft.tags ?? [])],
});

const triedView = (tried: Tried) => {
  const missing = [...tried.missing];
  if (!tried.ok) return { ...NO_EVENT, reason: tried.error, missing };
  const { action } = tried;
  const draft = 'draft' in action ? action.draft : undefined;
  return {
    action: action.action,
    sourceId: 'sourceId' in action ? action.sourceId : (draft?.sourceId ?? null),
    event: draft === undefined ? null : toldView(draft),
    reason: action.action === 'ignore' ? action.reason : null,
    missing,
  };
};

const tryOut = endpoint<MappingTrial, readonly Tried[]>({
  ...writing,
  id: 'admin.sources.mapping.try',
  summary: 'Preview a source mapping',
  mounts: mount({
    ...common,
    method: 'post',
    path: `${PATH}/try`,
    body: MappingTry,
    reply: wrapped(MappingTried),
    read: ({ params, body }): MappingTrial => ({ name: params.name, mapping: body.mapping, sample: body.sample }),
    present: (tried) => ({ body: { results: tried.map(triedView) } }),
  }),
  handle: tryMapping,
});

export const sourceMappingEndpoints = [get, put, remove, tryOut];
