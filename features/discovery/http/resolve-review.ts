import { both } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { askerOf, audited } from '#application/access/audit.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import { Resolution, ReviewView } from '#features/discovery/schemas/discovery-admin.ts';
import { apply, type PlannedCi } from '#features/discovery/use-cases/apply.ts';
import { plan } from '#features/discovery/use-cases/reconcile-hosts.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import { OPEN_KEPT_MS, type Review } from '#features/discovery/use-cases/review-records.ts';
import { authorityOf } from '#features/discovery/use-cases/settings.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { findReview, presentReview, REVIEWS, type Shown, withCis } from './show-review.ts';

/** The scan that the question came from, as far as its hosts need it. */
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
  if (ci === undefined) throw invalid('ci_id', `no configuration item has the id ${id}`);
  return plannedFor(review, id, context);
}

interface Resolving {
  readonly id: string;
  readonly resolution: Resolution;
}

/** The review is claimed first, so that two people cannot make two CIs; the decision holds for the scans to come. */
async function resolve({ id, resolution }: Resolving, context: Context): Promise<Shown> {
  const { tenant, ports, caller } = context;
  const { body: review, revision } = await findReview(context, id);
  if (review.status !== 'open') throw new Fault('conflict', `Review ${id} is ${review.status} already`);
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

const resolving = {
  method: 'post',
  path: `${REVIEWS}/{id}/resolve`,
  params: IdPath,
  body: Resolution,
  read: ({ params, body }: { params: { id: string }; body: Resolution }): Resolving => ({
    id: params.id,
    resolution: body,
  }),
  present: presentReview,
} as const;

export const resolveReview = endpoint<Resolving, Shown>({
  id: 'discovery.resolve-review',
  summary: 'Say which CI a machine is, that it is a new one, or that it is of no interest',
  tag: 'Discovery',
  permission: 'discovery.manage',
  limit: 'standard',
  mounts: both(resolving, ReviewView),
  handle: resolve,
});
