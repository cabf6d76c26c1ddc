import { actorOf } from '#api/access/actor.ts';
import { askerOf, audit } from '#api/access/audit.ts';
import { everyRecord } from '#api/admin/list-records.ts';
import { type Context, endpoint, mount } from '#api/endpoint.ts';
import { NO_COUNTS, type Scan } from '#domain/discovery/scan.ts';
import { Fault, invalid, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { IdPath } from '#schemas/http/admin.ts';
import { Resolution, ReviewsQuery, ReviewView } from '#schemas/http/discovery-admin.ts';
import { reviewView } from '#schemas/http/discovery-view.ts';
import { v1List, wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { pageInfo } from '#schemas/http/paging.ts';
import { apply } from './apply.ts';
import { plan } from './reconcile-hosts.ts';
import { DISCOVERY_KINDS } from './records.ts';
import { OPEN_KEPT_MS, type Review, readReview } from './review-records.ts';
import { authorityOf } from './settings.ts';

type Query = ReturnType<typeof ReviewsQuery.parse>;
/** A review with the CIs that it names, as far as they are still there. */
interface Shown {
  readonly review: Review;
  readonly cis: readonly Ci[];
}
interface Listed {
  readonly query: Query;
  readonly shown: readonly Shown[];
  readonly total: number;
  readonly nextCursor: string | null;
}

async function withCis({ topology }: Ports, tenant: string, reviews: readonly Review[]): Promise<Shown[]> {
  const ids = [...new Set(reviews.flatMap(({ candidates }) => candidates))];
  const cis = new Map((await topology.getCis(tenant, ids)).map((ci) => [ci.id, ci]));
  return reviews.map((review) => ({ review, cis: review.candidates.flatMap((id) => cis.get(id) ?? []) }));
}

const PATH = '/discovery/reviews';
const reading = { tag: 'Discovery', permission: 'discovery.read', limit: 'standard' } as const;
const listing = {
  method: 'get',
  path: PATH,
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
  const start = cursor === undefined ? (page - 1) * limit : all.findIndex(({ id }) => id === cursor) + 1;
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

const find = async ({ tenant, ports }: Context, id: string): Promise<StoredRecord<Review>> => {
  const stored = await readReview(ports, tenant, id);
  if (stored === null) throw notFound('Review', id);
  return stored;
};

const present = (shown: Shown) => ({ body: reviewView(shown) });
const getting = {
  method: 'get',
  path: `${PATH}/{id}`,
  params: IdPath,
  read: ({ params }: { params: { id: string } }) => params.id,
  present,
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
    const { body } = await find(context, id);
    return (await withCis(context.ports, context.tenant, [body]))[0]!;
  },
});

/** The scan that the question came from, as far as its hosts need it. */
const scanOf = (review: Review, context: Context): Scan => ({
  ...{ id: review.scanId, scanType: '', scannerId: review.scannerId, seenAt: review.seenAt, status: 'completed' },
  ...{ submittedAt: 0, completedAt: null, hostsTotal: 1, hostsDone: 0, counts: NO_COUNTS, chunks: 0, error: null },
  ...askerOf(context),
});

/** Writes what the scan says of the machine into the CI, a new one when `id` is null; its id. */
async function carryOut(review: Review, id: string | null, context: Context): Promise<string> {
  const { tenant, ports } = context;
  const authority = await authorityOf(ports.records, tenant);
  const work = { ports, tenant, scan: scanOf(review, context), authority };
  const planned = await plan(work, { index: -1, host: review.host }, id, new Map());
  await apply(ports, tenant, [planned]);
  return planned.result.ci.id;
}

async function chosen(review: Review, resolution: Resolution, context: Context): Promise<string | null> {
  if ('dismiss' in resolution) return null;
  if ('create' in resolution) return carryOut(review, null, context);
  const { ci_id: id } = resolution;
  const [ci] = await context.ports.topology.getCis(context.tenant, [id]);
  if (ci === undefined) throw invalid('ci_id', `no configuration item has the id ${id}`);
  return carryOut(review, id, context);
}

interface Resolving {
  readonly id: string;
  readonly resolution: Resolution;
}

/** The review is claimed first, so that two people cannot make two CIs; the decision holds for the scans to come. */
async function resolve({ id, resolution }: Resolving, context: Context): Promise<Shown> {
  const { tenant, ports, caller } = context;
  const { body: review, revision } = await find(context, id);
  if (review.status !== 'open') throw new Fault('conflict', `Review ${id} is ${review.status} already`);
  const claim = { expected: revision, expiresAt: ports.clock.now() + OPEN_KEPT_MS };
  const expected = await ports.records.put(tenant, DISCOVERY_KINDS.review, id, review, claim);
  const ci = await chosen(review, resolution, context);
  const at = ports.clock.now();
  const status = ci === null ? 'dismissed' : 'resolved';
  const after: Review = { ...review, status, updatedAt: at, resolution: { ci, by: actorOf(caller), at } };
  await ports.records.put(tenant, DISCOVERY_KINDS.review, id, after, { expected });
  const target = { kind: 'review', id };
  await audit(context, {
    action: `review.${status}`,
    target,
    before: { status: 'open' },
    after: { status, ci_id: ci },
  });
  return (await withCis(ports, tenant, [after]))[0]!;
}

const resolving = {
  method: 'post',
  path: `${PATH}/{id}/resolve`,
  params: IdPath,
  body: Resolution,
  read: ({ params, body }: { params: { id: string }; body: Resolution }): Resolving => ({
    id: params.id,
    resolution: body,
  }),
  present,
} as const;

const resolveReview = endpoint<Resolving, Shown>({
  id: 'discovery.resolve-review',
  summary: 'Say which CI a machine is, that it is a new one, or that it is of no interest',
  tag: 'Discovery',
  permission: 'discovery.manage',
  limit: 'standard',
  mounts: [
    mount({ ...resolving, on: 'v1', reply: ReviewView }),
    mount({ ...resolving, on: 'platform', reply: wrapped(ReviewView) }),
  ],
  handle: resolve,
});

export const reviewEndpoints = [listReviews, getReview, resolveReview];
