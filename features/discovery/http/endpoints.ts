import { onBoth, onBothList } from '#api/surfaces/both.ts';
import { type AnyEndpoint, type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import { actorOf } from '#application/access/actor.ts';
import { askerOf, audited } from '#application/access/audit.ts';
import { pageFrom, recordChunks } from '#application/records/list-records.ts';
import {
  patchOverrides,
  readSettings,
  type SettingsPlace,
  type StoredTenantSettings,
} from '#application/tenants/settings.ts';
import { firstItem } from '#domain/assert.ts';
import { Fault, invalid, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { type Authority, absorbed, DEFAULT_AUTHORITY, type Provenance } from '#features/discovery/rules/provenance.ts';
import { NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import {
  DiscoverySettings,
  DiscoverySettingsPatch,
  Resolution,
  ReviewsQuery,
  ReviewView,
} from '#features/discovery/schemas/discovery-admin.ts';
import { claimView, ProvenanceView } from '#features/discovery/schemas/discovery-view.ts';
import { reviewView } from '#features/discovery/schemas/review-view.ts';
import { apply, type PlannedCi } from '#features/discovery/use-cases/apply.ts';
import { plan } from '#features/discovery/use-cases/reconcile-hosts.ts';
import { DISCOVERY_KINDS, standingOf } from '#features/discovery/use-cases/records.ts';
import { OPEN_KEPT_MS, type Review, readReview } from '#features/discovery/use-cases/review-records.ts';
import { authorityOf, DISCOVERY_SETTINGS } from '#features/discovery/use-cases/settings.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { pageInfo } from '#schemas/http/paging.ts';
import { getScan } from './get-scan.ts';
import { listScanData, listScans } from './list-scans.ts';
import { mergeCi } from './merge-cis.ts';
import { listeningProcess, processConnections } from './network.ts';
import { submitScan } from './submit-scan.ts';
import { discoveryTokenEndpoints } from './tokens.ts';
import { listUnboundHosts } from './unbound-hosts.ts';

const REVIEWS = '/discovery/reviews';

/** A review with the CIs that it names, as far as they are still there. */
interface FullReview {
  readonly review: Review;
  readonly cis: readonly Ci[];
}

async function withCis({ topology }: Ports, tenant: string, reviews: readonly Review[]): Promise<FullReview[]> {
  const ids = [...new Set(reviews.flatMap(({ candidates }) => candidates))];
  const cis = new Map((await topology.getCis(tenant, ids)).map((ci) => [ci.id, ci]));
  return reviews.map((review) => ({ review, cis: review.candidates.flatMap((id) => cis.get(id) ?? []) }));
}

/** Throws Fault `not-found`. */
async function findReview({ tenant, ports }: Context, id: string): Promise<StoredRecord<Review>> {
  const stored = await readReview(ports, tenant, id);
  if (stored === null) throw notFound('Review', id);
  return stored;
}

const presentReview = (shown: FullReview) => ({ body: reviewView(shown) });

/** Returns the scan of the review, as far as its hosts need it. */
const scanOf = (review: Review, context: Context): Scan => ({
  id: review.scanId,
  scanType: '',
  scannerId: review.scannerId,
  seenAt: review.seenAt,
  status: 'completed',
  submittedAt: 0,
  completedAt: null,
  hostsTotal: 1,
  hostsDone: 0,
  counts: NO_COUNTS,
  chunks: 0,
  error: null,
  ...askerOf(context),
});

/** The CI as the scan of the machine leaves it, a new one when `id` is null. */
async function plannedFor(review: Review, id: string | null, context: Context): Promise<PlannedCi> {
  const { tenant, ports } = context;
  const authority = await authorityOf(ports.records, tenant);
  const work = { ports, tenant, scan: scanOf(review, context), authority };
  return plan(work, { index: -1, host: review.host }, id, new Map());
}

async function chosen(review: Review, resolution: Resolution, context: Context): Promise<PlannedCi | null> {
  if ('dismiss' in resolution) return null;
  if ('create' in resolution) return plannedFor(review, null, context);
  const { ci_id: id } = resolution;
  const [ci] = await context.ports.topology.getCis(context.tenant, [id]);
  if (ci === undefined) throw invalid('ci_id', `no CI with ID ${id}`);
  return plannedFor(review, id, context);
}

interface Resolving {
  readonly id: string;
  readonly resolution: Resolution;
}

/** Claims the review first, so that two users cannot create two CIs; the decision applies to later scans. */
async function resolve({ id, resolution }: Resolving, context: Context): Promise<FullReview> {
  const { tenant, ports, caller } = context;
  const { body: review, revision } = await findReview(context, id);
  if (review.status !== 'open') throw new Fault('conflict', `Review ${id} is already ${review.status}`);
  // All is read before the first write, so that a store that is busy leaves nothing half done.
  const planned = await chosen(review, resolution, context);
  const [shown] = await withCis(ports, tenant, [review]);
  const claim = { expected: revision, expiresAt: ports.clock.now() + OPEN_KEPT_MS };
  const expected = await ports.records.put(tenant, DISCOVERY_KINDS.review, id, review, claim);
  if (planned !== null) await apply(ports, tenant, [planned]);
  const ci = planned === null ? null : planned.result.ci.id;
  const at = ports.clock.now();
  const status = ci === null ? 'dismissed' : 'resolved';
  const after: Review = { ...review, status, updatedAt: at, resolution: { ci, by: actorOf(caller), at } };
  const target = { kind: 'review', id };
  const seen = { before: { status: 'open' }, after: { status, ci_id: ci } };
  const entry = audited(context, { action: `review.${status}`, target, ...seen });
  await ports.records.put(tenant, DISCOVERY_KINDS.review, id, after, { expected, sideRecords: [entry] });
  return { cis: shown?.cis ?? [], review: after };
}

const resolveReview = endpoint<Resolving, FullReview>({
  id: 'discovery.resolve-review',
  summary: 'Resolve a discovery review',
  tag: 'Discovery',
  permission: 'discovery.manage',
  mounts: onBoth.post(`${REVIEWS}/{id}/resolve`, ReviewView, {
    params: IdPath,
    body: Resolution,
    read: ({ params, body }): Resolving => ({ id: params.id, resolution: body }),
    present: presentReview,
  }),
  handle: resolve,
});

type ReviewListQuery = ReturnType<typeof ReviewsQuery.parse>;
interface ReviewsPage {
  readonly query: ReviewListQuery;
  readonly shown: readonly FullReview[];
  readonly total: number;
  readonly nextCursor: string | null;
}

const reading = { tag: 'Discovery', permission: 'discovery.read', limit: 'standard' } as const;

type ReviewKey = Pick<Review, 'id' | 'createdAt'>;

/** Returns the places of reviews in a status, newest first; a host may be large, so it is not loaded. */
async function reviewKeys({ tenant, ports }: Context, status: ReviewListQuery['status']): Promise<ReviewKey[]> {
  const places: ReviewKey[] = [];
  for await (const chunk of recordChunks<Review>(ports.records, tenant, DISCOVERY_KINDS.review))
    for (const { body } of chunk)
      if (status === 'all' || body.status === status) places.push({ id: body.id, createdAt: body.createdAt });
  return places.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

/** A cursor is the id of the last one shown. */
async function list(query: ReviewListQuery, context: Context): Promise<ReviewsPage> {
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

const listReviews = endpoint<ReviewListQuery, ReviewsPage>({
  ...reading,
  id: 'discovery.list-reviews',
  summary: 'List discovery reviews',
  mounts: onBothList.get(REVIEWS, ReviewView, {
    query: ReviewsQuery,
    read: ({ query }) => query,
    present: ({ query, shown, total, nextCursor }: ReviewsPage) => ({
      body: shown.map(reviewView),
      page: pageInfo(query, { items: shown, total, nextCursor }),
    }),
  }),
  handle: list,
});

const getReview = endpoint<string, FullReview>({
  ...reading,
  id: 'discovery.get-review',
  summary: 'Get a discovery review',
  mounts: onBoth.get(`${REVIEWS}/{id}`, ReviewView, {
    params: IdPath,
    read: ({ params }) => params.id,
    present: presentReview,
  }),
  async handle(id, context) {
    const { body } = await findReview(context, id);
    return firstItem(await withCis(context.ports, context.tenant, [body]));
  },
});

const reviewEndpoints = [listReviews, getReview, resolveReview];

interface CiProvenance {
  readonly ci: string;
  readonly authority: Authority;
  readonly provenance: Provenance;
}

const present = ({ ci, authority, provenance }: CiProvenance) => {
  const view = claimView(authority);
  const attributes = Object.entries(provenance).map(([name, claims]) => {
    const [winner, ...losers] = claims.map(view);
    return [name, { ...winner, losers }];
  });
  return { body: { ci_id: ci, authority: [...authority], attributes: Object.fromEntries(attributes) } };
};

const getProvenance = endpoint<string, CiProvenance>({
  id: 'cmdb.provenance',
  summary: 'Get attribute provenance of a configuration item',
  tag: 'CMDB',
  permission: 'cmdb.read',
  mounts: onBoth.get('/cmdb/ci/{id}/provenance', ProvenanceView, {
    params: IdPath,
    read: ({ params }) => params.id,
    present,
  }),
  async handle(id, { tenant, ports }) {
    const [ci] = await ports.topology.getCis(tenant, [id]);
    if (ci === undefined) throw notFound('Configuration item', id);
    const authority = await authorityOf(ports.records, tenant);
    const { standing } = await standingOf(ports, ci);
    return { ci: ci.id, authority, provenance: absorbed(standing, authority) };
  },
});

type DiscoveryOverrides = Readonly<Record<string, unknown>>;
const DISCOVERY: SettingsPlace = { kind: 'settings', id: DISCOVERY_SETTINGS, action: 'settings.discovery.updated' };

const common = {
  on: 'platform',
  path: '/admin/settings/discovery',
  reply: wrapped(DiscoverySettings),
  ...settingsReply((overrides) => ({ authority: DEFAULT_AUTHORITY, ...overrides })),
} as const;

const getSettings = endpoint<void, StoredTenantSettings>({
  id: 'admin.settings.discovery.get',
  summary: 'Get discovery settings (source priority)',
  tag: 'Administration',
  permission: 'settings.read',
  mounts: mount({ ...common, method: 'get', read: () => undefined }),
  handle: (_, context) => readSettings(context, DISCOVERY),
});

const putSettings = endpoint<DiscoveryOverrides, StoredTenantSettings>({
  conditional: true,
  id: 'admin.settings.discovery.put',
  summary: 'Update discovery settings (source priority)',
  description: 'Omitted fields are unchanged; null resets to default.',
  tag: 'Administration',
  permission: 'settings.manage',
  mounts: mount({ ...common, method: 'put', body: DiscoverySettingsPatch, read: ({ body }) => body }),
  handle: (patch, context) => patchOverrides(context, DISCOVERY, patch),
});

const discoverySettingsEndpoints = [getSettings, putSettings];

export const discoveryEndpoints: readonly AnyEndpoint[] = [
  ...discoveryTokenEndpoints,
  submitScan,
  listScanData,
  listScans,
  getScan,
  ...reviewEndpoints,
  getProvenance,
  processConnections,
  listeningProcess,
  listUnboundHosts,
  ...discoverySettingsEndpoints,
  mergeCi,
];
