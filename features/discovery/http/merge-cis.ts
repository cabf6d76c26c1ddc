import { z } from 'zod';
import { type CiDetails, detailOf } from '#api/cmdb/ci-detail.ts';
import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { askerOf, audited } from '#application/access/audit.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { readAfter } from '#application/records/read-after.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { fitsJsonLimit, TOO_MUCH_MERGED } from '#domain/json-size.ts';
import type { MergedCis } from '#domain/ports/topology/ci-store.ts';
import { MAX_FORMERLY, united } from '#domain/topology/merge.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { absorbed, decided, unitedClaims } from '#features/discovery/rules/provenance.ts';
import { finishMerge, type MergeRecord, mergeQueued } from '#features/discovery/use-cases/finish-merge.ts';
import {
  CI_RECORDS_KEPT_MS,
  DISCOVERY_KINDS,
  type ProvenanceRecord,
  standingOf,
} from '#features/discovery/use-cases/records.ts';
import { authorityOf } from '#features/discovery/use-cases/settings.ts';
import { CiDetail, ciDetail, ciRecord, MergeCis, V1CiDetail, v1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { wrapped } from '#schemas/http/envelope.ts';

interface MergeRequest extends MergeCis {
  readonly id: string;
}
interface MergeResult extends CiDetails {
  readonly merged: MergedCis;
}
interface MergePair {
  readonly into: Ci;
  readonly from: Ci;
}

/** Throws Fault `not-found`, `invalid` for an unknown CI in the body, `conflict` for two that are one already. */
async function pairOf({ id, from: fromId }: MergeRequest, context: Context): Promise<MergePair> {
  const { tenant, ports } = context;
  const into = await findCi(context, id);
  const [from] = await ports.topology.getCis(tenant, [fromId]);
  if (from === undefined) throw invalid('from', `no CI with ID ${fromId}`);
  if (into.id !== from.id) return { into, from };
  if (fromId === id) throw invalid('from', 'expected another CI');
  throw new Fault('conflict', `${fromId} and ${id} are already merged into ${into.id}`);
}

/** The next version of the CI that stays, and its claims, which are saved before it as a scan saves them. */
async function plannedOf({ into, from }: MergePair, { tenant, ports, caller, receivedAt }: Context) {
  const authority = await authorityOf(ports.records, tenant);
  const [one, other] = [await standingOf(ports, into), await standingOf(ports, from)];
  const claims = unitedClaims(absorbed(one.standing, authority), absorbed(other.standing, authority), authority);
  const after = united(into, from, { attributes: decided(into, claims), at: receivedAt, by: caller.id });
  if (!fitsJsonLimit(after.attributes)) throw invalid('attributes', TOO_MUCH_MERGED);
  if (!fitsJsonLimit(after.customFields)) throw invalid('custom_fields', TOO_MUCH_MERGED);
  if ((after.formerly?.length ?? 0) > MAX_FORMERLY)
    throw new Fault('unprocessable', `Limit reached: too many CIs merged into ${into.id}`);
  const change = { revision: after.revision, by: after.updatedBy, before: one.standing.claims };
  const provenance: ProvenanceRecord = { attributes: claims, last: one.stored?.last ?? null, change };
  return { after, provenance };
}

async function merged(input: MergeRequest, context: Context): Promise<MergeResult> {
  const { tenant, ports, caller, receivedAt: at } = context;
  const pair = await pairOf(input, context);
  const { into, from } = pair;
  const { after, provenance } = await plannedOf(pair, context);
  await ports.records.put(tenant, DISCOVERY_KINDS.provenance, into.id, provenance, {
    expiresAt: ports.clock.now() + CI_RECORDS_KEPT_MS,
  });
  const record: MergeRecord = { tenant, from: from.id, into: into.id, at, asker: askerOf(context) };
  const entry = audited(context, {
    action: 'ci.merged',
    target: { kind: 'ci', id: into.id },
    before: { ...ciRecord(into), merged: ciRecord(from) },
    after: { ...ciRecord(after), ...(input.reason !== undefined && { reason: input.reason }) },
  });
  const sideRecords = () => [entry, mergeQueued(ports, record)];
  const how = { into: after, from: { id: from.id, revision: from.revision }, at, by: caller.id, sideRecords };
  const done = await ports.cis.merge(tenant, how);
  if (done === null) throw new Fault('precondition', `CI ${from.id} was deleted`);
  // It is merged: what is left of it is in the queue of merges, too.
  await readAfter(() => finishMerge(ports, record), undefined);
  const alone: CiDetails = { ci: after, seen: [], lastSeen: undefined };
  return { merged: done, ...(await readAfter(async () => detailOf(context, await findCi(context, into.id)), alone)) };
}

/** Decides a merge again on the new state when it conflicts with another change. */
const stubbornly = (input: MergeRequest, context: Context): Promise<MergeResult> =>
  inTurn(context.ports, { of: ['ci', context.tenant, input.id], ifMatch: null }, () => merged(input, context));

const said = { message: z.string(), relationships_moved: z.int(), relationships_ended: z.int() };
const told = ({ merged: { from, moved, ended }, ci }: MergeResult) => ({
  message: `${from.name} (${from.id}) was merged into ${ci.name}`,
  relationships_moved: moved,
  relationships_ended: ended,
});
const merging = {
  method: 'post',
  path: '/cmdb/ci/{id}/merge',
  params: z.object({ id: z.string() }),
  body: MergeCis,
  read: ({ params, body }: { params: { id: string }; body: MergeCis }): MergeRequest => ({ id: params.id, ...body }),
} as const;

export const mergeCi = endpoint<MergeRequest, MergeResult>({
  id: 'cmdb.merge-ci',
  summary: 'Merge configuration items',
  description:
    "Moves relationships, attributes (by provenance), service components and open events. The ID and external key of the merged CI redirect to this CI. Can't be undone.",
  tag: 'CMDB',
  permission: 'cmdb.write',
  alsoFaults: ['conflict', 'unprocessable'],
  mounts: [
    mount({
      ...merging,
      on: 'v1',
      reply: V1CiDetail.extend(said),
      present: (done) => ({ body: { ...v1CiDetail(done.ci, done.seen, done.lastSeen), ...told(done) } }),
    }),
    mount({
      ...merging,
      on: 'platform',
      reply: wrapped(CiDetail.extend(said)),
      present: (done) => ({ body: { ...ciDetail(done.ci, done.seen, done.lastSeen), ...told(done) } }),
    }),
  ],
  handle: stubbornly,
});
