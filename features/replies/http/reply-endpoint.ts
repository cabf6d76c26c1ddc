import { z } from 'zod';
import { endpoint, mount, type RawRequest } from '#api/surfaces/endpoint.ts';
import { invalid } from '#domain/fault.ts';
import { REPLY_ACTIONS } from '#features/replies/rules/read-reply.ts';
import { type ReplyInput, takeReply } from '#features/replies/use-cases/take-reply.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const MAX_BYTES = 256 * 1_024;

/** Schema for readers of the document: what programs of users send. */
const WebhookReplyBody = z
  .looseObject({
    action: z.enum(REPLY_ACTIONS),
    group: z.string().optional(),
    event: z.string().optional(),
    by: z.string().optional().meta({ description: 'User, for the audit log' }),
    note: z.string().optional(),
    at: z.string().optional().meta({ description: 'Time of the action; default: now' }),
  })
  .meta({ id: 'WebhookReplyBody', example: { action: 'acknowledge', group: 'COR-1763604849000-7q3k9d', by: 'ann' } });

interface UnreadReply extends Omit<ReplyInput, 'reply'> {
  readonly headers: ReplyInput['reply']['headers'];
  readonly body: AsyncIterable<Uint8Array> | undefined;
}

type StreamedReply = RawRequest<{ readonly id: string }, { readonly tenant: string }, unknown>;

/** The bytes themselves are signed. */
const textOf = async (body: UnreadReply['body']): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  if (chunks.length === 0) throw invalid('body', 'required');
  return Buffer.concat(chunks).toString('utf8');
};

export const replyEndpoint = endpoint<UnreadReply, boolean>({
  id: 'webhooks.reply',
  summary: 'Submit a reply to a webhook',
  description:
    'Acknowledgements, resolutions, notes, silences and verdicts from PagerDuty (webhooks V3), Slack (buttons) and other programs. The signature is the credential; see docs/webhooks.md.',
  tag: 'Webhooks',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'unprocessable'],
  mounts: mount({
    on: 'platform',
    method: 'post',
    path: '/webhooks/{id}/replies',
    params: z.object({ id: z.string().min(1).max(64) }),
    query: z.strictObject({ tenant: z.string().min(1).max(64).default('default') }),
    bodyKind: 'stream',
    maxBytes: MAX_BYTES,
    bodyTypes: { 'application/json': WebhookReplyBody },
    reply: wrapped(z.object({ done: z.boolean().meta({ description: 'false: known, overtaken or not applicable' }) })),
    read: ({ params, query, headers, body }: StreamedReply): UnreadReply => ({
      webhookId: params.id,
      tenant: query.tenant,
      headers,
      body: body as UnreadReply['body'],
    }),
    present: (done) => ({ body: { done } }),
  }),
  handle: async ({ headers, body, ...input }, context) =>
    takeReply(context, { ...input, reply: { headers, text: await textOf(body) } }),
});
