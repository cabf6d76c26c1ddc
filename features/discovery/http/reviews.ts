import { both, bothList } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { pageFrom, recordChunks } from '#application/records/list-records.ts';
import { invalid } from '#domain/fault.ts';
import { firstItem } from '#domain/known.ts';
import { ReviewsQuery, ReviewView } from '#features/discovery/schemas/discovery-admin.ts';
import { reviewView } from '#features/discovery/schemas/review-view.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import { type Review, readReview } from '#features/discovery/use-cases/review-records.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { pageInfo } from '#schemas/http/paging.ts';
import { resolveReview } from './resolve-review.ts';
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

type ReviewKey = Pick<Review, 'id' | 'createdAt'>;

/** Where those of a status stand, the newest question first; a host may be large, so only the places are kept. */
async function reviewKeys({ tenant, ports }: Context, status: Query['status']): Promise<ReviewKey[]> {
  const places: ReviewKey[] = [];
  for await (const chunk of recordChunks<Review>(ports.records, tenant, DISCOVERY_KINDS.review))
    for (const { body } of chunk)
      if (status === 'all' || body.status === status) places.push({ id: body.id, createdAt: body.createdAt });
  return places.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

/** A cursor is the id of the last one shown. */
async function list(query: Query, context: Context): Promise<Listed> {
  const { tenant, ports } = context;
  const { status, page, limit, cursor } = query;
  const all = await reviewKeys(context, status);
  const end = cursor === undefined ? null : all.findIndex(({ id }) => id === cursor);
  if (end === -1) throw invalid('cursor', 'expected a nextCursor');
  const { items, total, nextCursor } = pageFrom(all, end === null ? (page - 1) * limit : end + 1, limit);
  const found = await Promise.all(items.map(({ id }) => readReview(ports, tenant, id)));
  const reviews = found.flatMap((stored) => stored?.body ?? []);
  return { query, shown: await withCis(ports, tenant, reviews), total, nextCursor };
}

const listReviews = endpoint<Query, Listed>({
  ...reading,
  id: 'discovery.list-reviews',
  summary: 'List machines that scans could not tell from others for sure',
  mounts: bothList(listing, ReviewView),
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
  mounts: both(getting, ReviewView),
  async handle(id, context) {
    const { body } = await findReview(context, id);
    return firstItem(await withCis(context.ports, context.tenant, [body]));
  },
});

export const reviewEndpoints = [listReviews, getReview, resolveReview];
