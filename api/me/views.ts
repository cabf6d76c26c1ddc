import { z } from 'zod';
import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  changeView,
  createView,
  deleteView,
  listViews,
  type ShownView,
  type ViewDraft,
} from '#application/console/views.ts';
import { Message } from '#schemas/http/common.ts';
import { NewView, View, ViewPath, viewBody } from '#schemas/http/console.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const common = { tag: 'Console', permission: null, anyCredential: true, limit: 'standard' } as const;
const VIEWS = { on: 'platform', path: '/views' } as const;
const ONE = { on: 'platform', path: '/views/{id}', params: ViewPath } as const;
const shown = ({ view, shared }: ShownView, { caller }: Context) => viewBody(view, shared, caller.id);
const present = (view: ShownView, context: Context) => ({ body: shown(view, context) });

const list = endpoint<void, readonly ShownView[]>({
  ...common,
  id: 'me.views.list',
  summary: 'List your views and shared views',
  mounts: mount({
    ...VIEWS,
    method: 'get',
    reply: wrapped(z.array(View)),
    read: () => undefined,
    present: (views, context) => ({ body: views.map((view) => shown(view, context)) }),
  }),
  handle: (_, context) => listViews(context),
});

const create = endpoint<ViewDraft, ShownView>({
  ...common,
  id: 'me.views.create',
  summary: 'Create a saved view',
  description: 'Up to 50 own views and 200 shared views. `shared: true` also requires events.write; otherwise 403.',
  alsoFaults: ['conflict'],
  mounts: mount({
    ...VIEWS,
    method: 'post',
    status: 201,
    replyHeaders: ['Location'],
    body: NewView,
    reply: wrapped(View),
    read: ({ body }) => body,
    present: (view, context) => ({ ...present(view, context), headers: { Location: `/api/views/${view.view.id}` } }),
  }),
  handle: (draft, context) => createView(context, draft),
});

interface ViewChange {
  readonly id: string;
  readonly draft: ViewDraft;
}
const change = endpoint<ViewChange, ShownView>({
  ...common,
  id: 'me.views.update',
  summary: 'Replace a view',
  description:
    'Shared views can be changed by their owner or with settings.manage. `shared: true` also requires events.write.',
  alsoFaults: ['conflict'],
  mounts: mount({
    ...ONE,
    method: 'put',
    body: NewView,
    reply: wrapped(View),
    read: ({ params, body }) => ({ id: params.id, draft: body }),
    present,
  }),
  handle: ({ id, draft }, context) => changeView(context, id, draft),
});

const remove = endpoint<string, void>({
  ...common,
  id: 'me.views.delete',
  summary: 'Delete a view',
  mounts: mount({
    ...ONE,
    method: 'delete',
    reply: wrapped(Message),
    read: ({ params }) => params.id,
    present: () => ({ body: { message: 'View deleted' } }),
  }),
  handle: (id, context) => deleteView(context, id),
});

export const viewEndpoints = [list, create, change, remove];
