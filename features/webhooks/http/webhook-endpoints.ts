import { z } from 'zod';
import { both, bothLinked, onBoth, onBothList } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { entityTag } from '#application/records/if-match.ts';
import type { Page } from '#domain/page.ts';
import { ListedWebhook, listedWebhook, WebhookDetail } from '#features/webhooks/schemas/deliveries.ts';
import {
  NewWebhook,
  type NewWebhookInput,
  SecretRotation,
  WebhookBody,
  WebhookReplacement,
  WebhookWithSecret,
  webhookBody,
} from '#features/webhooks/schemas/webhooks.ts';
import {
  type ListedWebhook as Found,
  listWatched,
  readWebhook,
  type WatchedWebhook,
} from '#features/webhooks/use-cases/managing/manage-deliveries.ts';
import {
  createWebhook,
  removeWebhook,
  replaceWebhook,
  rotateSecret,
  type SecretChange,
  type SecretWebhook,
  type StoredWebhook,
  type WebhookChange,
} from '#features/webhooks/use-cases/webhooks.ts';
import { Message } from '#schemas/http/common.ts';
import { type Paging, pageFields, pageInfo, withinWindow } from '#schemas/http/paging.ts';
import { managing, presentWatched, WebhookPath, type WebhookRequest } from './managing.ts';

const Query = z.strictObject(pageFields({ limit: 20, max: 100 })).check(withinWindow);
interface WebhooksPage {
  readonly paging: Paging;
  readonly found: Page<Found>;
}
const listWebhooks = endpoint<Paging, WebhooksPage>({
  ...managing,
  id: 'webhooks.list',
  summary: 'List webhooks',
  mounts: onBothList.get('/webhooks', ListedWebhook, {
    query: Query,
    read: ({ query }) => query,
    present: ({ paging, found }: WebhooksPage, { receivedAt }: Context) => ({
      body: found.items.map((one) => listedWebhook(one, receivedAt)),
      page: pageInfo(paging, found),
    }),
  }),
  handle: async (paging, context) => ({ paging, found: await listWatched(context, paging) }),
});

const present = ({ body, revision }: StoredWebhook, { receivedAt }: Context) => ({
  body: webhookBody(body, receivedAt),
  headers: { ETag: entityTag(revision) },
});
const presentSecret = (one: SecretWebhook, context: Context, message: string) => ({
  body: { ...webhookBody(one.body, context.receivedAt), secret: one.secret, message },
  headers: { ETag: entityTag(one.revision), 'Cache-Control': 'no-store' },
});

const created = {
  method: 'post',
  path: '/webhooks',
  status: 201,
  replyHeaders: ['Location', 'ETag'],
  body: NewWebhook,
  read: ({ body }: { body: NewWebhookInput }) => body,
} as const;
const presentCreated = (prefix: string) => (one: SecretWebhook, context: Context) => {
  const { body, headers } = presentSecret(one, context, "Webhook created. Save the secret; it won't be shown again");
  return { status: 201, body, headers: { ...headers, Location: `${prefix}/webhooks/${one.body.id}` } };
};
const addWebhook = endpoint<NewWebhookInput, SecretWebhook>({
  ...managing,
  id: 'webhooks.create',
  summary: 'Create a webhook',
  description:
    'Format `pagerduty` uses the header `X-Routing-Key` for the integration key. Up to 20 webhooks per tenant.',
  secretFields: ['secret'],
  mounts: bothLinked(created, WebhookWithSecret, presentCreated),
  handle: (input, context) => createWebhook(context, input),
});

const one = { path: '/webhooks/{id}', params: WebhookPath, replyHeaders: ['ETag'] } as const;
const getWebhook = endpoint<string, WatchedWebhook>({
  ...managing,
  id: 'webhooks.get',
  summary: 'Get a webhook',
  mounts: both(
    { ...one, method: 'get', read: ({ params }: WebhookRequest) => params.id, present: presentWatched },
    WebhookDetail,
  ),
  handle: (id, context) => readWebhook(context, id),
});

const updateWebhook = endpoint<WebhookChange, StoredWebhook>({
  ...managing,
  conditional: true,
  id: 'webhooks.update',
  summary: 'Replace a webhook',
  description: 'The secret is unchanged, as are omitted headers. `active: true` re-enables the webhook.',
  mounts: both(
    {
      ...one,
      method: 'put',
      body: WebhookReplacement,
      read: ({ params, body }: WebhookRequest & { body: WebhookChange['input'] }) => ({ id: params.id, input: body }),
      present,
    },
    WebhookBody,
  ),
  handle: (change, context) => replaceWebhook(context, change),
});

const rotated = {
  ...one,
  method: 'post',
  path: '/webhooks/{id}/rotate-secret',
  body: SecretRotation,
  read: ({ params, body }: WebhookRequest & { body: { grace: string } }) => ({ id: params.id, grace: body.grace }),
  present: (rotation: SecretWebhook, context: Context) =>
    presentSecret(rotation, context, 'Secret rotated. New deliveries are signed with it'),
} as const;
const rotate = endpoint<SecretChange, SecretWebhook>({
  ...managing,
  conditional: true,
  id: 'webhooks.rotate-secret',
  summary: 'Rotate the webhook secret',
  description: 'During the grace period, each delivery has two signatures: one per secret.',
  secretFields: ['secret'],
  mounts: both(rotated, WebhookWithSecret),
  handle: (change, context) => rotateSecret(context, change),
});

const deleteWebhook = endpoint<string, void>({
  ...managing,
  conditional: true,
  id: 'webhooks.delete',
  summary: 'Delete a webhook',
  mounts: onBoth.delete('/webhooks/{id}', Message, {
    params: WebhookPath,
    read: ({ params }: WebhookRequest) => params.id,
    present: () => ({ body: { message: 'Webhook deleted' } }),
  }),
  handle: (id, context) => removeWebhook(context, id),
});

export const registrationEndpoints = [listWebhooks, addWebhook, getWebhook, updateWebhook, rotate, deleteWebhook];
