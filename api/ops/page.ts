import { z } from 'zod';
import { type Context, endpoint, on, type Raw } from '#api/surfaces/endpoint.ts';

interface Page {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly type: string;
  readonly content: (context: Context) => Promise<Raw['content']>;
}

/** A text at the root that needs no credential. */
export const page = ({ id, path, summary, type, content }: Page) =>
  endpoint({
    id,
    summary,
    tag: 'Operations',
    permission: null,
    limit: 'none',
    mounts: on.ops.get(path, {
      reply: type.startsWith('application/json') ? z.looseObject({}) : z.string(),
      replyType: type,
      read: () => undefined,
      present: (text: Raw['content']) => ({ raw: { type, content: text }, body: undefined }),
    }),
    handle: (_, context) => content(context),
  });
