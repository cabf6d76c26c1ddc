import { everyRecord } from '#api/admin/list-records.ts';
import { type Context, endpoint, mount } from '#api/endpoint.ts';
import { invalid } from '#domain/fault.ts';
import { IdPath } from '#schemas/http/admin.ts';
import { ReviewsQuery, ReviewView } from '#schemas/http/discovery-admin.ts';
import { v1List, wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { pageInfo } from '#schemas/http/paging.ts';
import { reviewView } from '#schemas/http/review-view.ts';
import { DISCOVERY_KINDS } from './records.ts';
import { resolveReview } from './resolve-review.ts';
import type { Review } from './review-records.ts';
import { findReview, presentReview, REVIEWS, type Shown, withCis } from './show-review.ts';

type Query = ReturnType<typeof ReviewsQuery.parse>;
interface Listed {
  readonly query: Query;
  readonly shown: readonly Shown[];
  readonly total: number;
  readonly nextCursor: string | null;
}

const reading = { tag: 'Discovery', permission: 'discovery.read', limit: 'standard' } as const;
const listing = {
  method: 'get',
  path: REVIEWS,
  query: ReviewsQuery,
  read: ({ query }: { query: Query }) => query,
  present: ({ query, shown, total, nextCursor }: Listed) => ({
    body: shown.map(reviewView),
    page: pageInfo(query, { items: shown, total, nextCursor }),
  }),
} as const;

/** The newest question first; a cursor is the id of the last one shown. */
async function list(query: Query, { tenant, ports }: Context): Promise<Listed> {
  const { status, page, limit, cursor } = query;
  const every = await everyRecord<Review>(ports.records, tenant, DISCOVERY_KINDS.review);
  const all = every
    .filter((review) => status === 'all' || review.status === status)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
  const end = cursor === undefined ? null : all.findIndex(({ id }) => id === cursor);
  if (end === -1) throw invalid('cursor', 'expected a nextCursor');
  const start = end === null ? (page - 1) * limit : end + 1;
  const items = all.slice(start, start + limit);
  const nextCursor = start + limit < all.length ? items.at(-1)!.id : null;
  return { query, shown: await withCis(ports, tenant, items), total: all.length, nextCursor };
}

const listReviews = endpoint<Query, Listed>({
  ...reading,
  id: 'discovery.list-reviews',
  summary: 'List machines that scans could not tell from others for sure',
  mounts: [
    mount({ ...listing, on: 'v1', reply: v1List(ReviewView) }),
    mount({ ...listing, on: 'platform', reply: wrappedList(ReviewView) }),
  ],
  handle: list,
});

const getting = {
  method: 'get',
  path: `${REVIEWS}/{id}`,
  params: IdPath,
  read: ({ params }: { params: { id: string } }) => params.id,
  present: presentReview,
} as const;

const getReview = endpoint<string, Shown>({
  ...reading,
  id: 'discovery.get-review',
  summary: 'Show one machine that scans could not tell from others for sure',
  mounts: [
    mount({ ...getting, on: 'v1', reply: ReviewView }),
    mount({ ...getting, on: 'platform', reply: wrapped(ReviewView) }),
  ],
  async handle(id, context) {
    const { body } = await findReview(context, id);
    return (await withCis(context.ports, context.tenant, [body]))[0]!;
  },
});

export const reviewEndpoints = [listReviews, getReview, resolveReview];
