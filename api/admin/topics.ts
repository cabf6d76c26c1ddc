import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { isPlatformAdmin } from '#application/operations/platform-admin.ts';
import type { TopicReport } from '#domain/ports/operations.ts';
import { ShortListQuery } from '#schemas/http/admin/admin.ts';
import { TopicView } from '#schemas/http/admin/operations.ts';
import { wrappedList } from '#schemas/http/envelope.ts';
import type { Paging } from '#schemas/http/paging.ts';

interface Shown {
  readonly paging: Paging;
  readonly topics: readonly TopicReport[];
  /** Whether offsets are shown, which tell of the records of all tenants. */
  readonly whole: boolean;
}

const viewOf =
  (whole: boolean) =>
  ({ name, key, storage, compacted, retentionMs, schema, partitions }: TopicReport) => ({
    name,
    key,
    storage,
    compacted,
    retention_ms: retentionMs,
    schema,
    partitions: partitions.length,
    offsets: whole ? partitions : [],
  });

export const listTopics = endpoint<Paging, Shown>({
  id: 'admin.topics.list',
  summary: 'List the topics with their partitions, retention and schemas',
  description: 'The schemas themselves are in /asyncapi.json.',
  tag: 'Operations',
  permission: 'pipeline.read',
  limit: 'standard',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/topics',
      query: ShortListQuery,
      reply: wrappedList(TopicView),
      read: ({ query }) => query,
      present: ({ paging: { page, limit }, topics, whole }) => ({
        body: topics.slice((page - 1) * limit, page * limit).map(viewOf(whole)),
        page: { page, limit, total: topics.length },
      }),
    }),
  ],
  handle: async (paging, context) => ({
    paging,
    topics: await context.ports.operations.topics(),
    whole: isPlatformAdmin(context),
  }),
});
