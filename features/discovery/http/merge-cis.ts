import { z } from 'zod';
import { type Detail, detailOf } from '#api/cmdb/ci-detail.ts';
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
import {
  CI_RECORDS_KEPT_MS,
  DISCOVERY_KINDS,
  type ProvenanceRecord,
  standingOf,
} from '#features/discovery/use-cases/records.ts';
import { authorityOf } from '#features/discovery/use-cases/settings.ts';
import { type MergeRecord, mergeQueued, settleMerge } from '#features/discovery/use-cases/settle-merge.ts';
import { CiDetail, ciDetail, ciRecord, MergeCis, V1CiDetail, v1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { wrapped } from '#schemas/http/envelope.ts';

interface Input extends MergeCis {
  readonly id: string;
}
interface Done extends Detail {
  readonly merged: MergedCis;
}
interface Pair {
  readonly into: Ci;
  readonly from: Ci;
}

/** Throws Fault `not-found`, `invalid` for an unknown CI in the body, `conflict` for two that are one already. */
async function pairOf({ id, from: fromId }: Input, context: Context): Promise<Pair> {
  const { tenant, ports } = context;
  const into = await findCi(context, id);
  const [from] = await ports.topology.getCis(tenant, [fromId]);
  if (from === undefined) throw invalid('from', `no configuration item has the id ${fromId}`);
  if (into.id !== from.id) return { into, from };
  if (fromId === id) throw invalid('from', 'expected another CI');
  throw new Fault('conflict', `${fromId} and ${id} are one CI already: ${into.id}`);
}

/** The next version of the CI that stays, and its claims, which are saved before it as a scan saves them. */
async function plannedOf({ into, from }: Pair, { tenant, ports, caller, receivedAt }: Context) {
  const authority = await authorityOf(ports.records, tenant);
  const [one, other] = [await standingOf(ports, into), await standingOf(ports, from)];
  const claims = unitedClaims(absorbed(one.standing, authority), absorbed(other.standing, authority), authority);
  const after = united(into, from, { attributes: decided(into, claims), at: receivedAt, by: caller.id });
  if (!fitsJsonLimit(after.attributes)) throw invalid('attributes', TOO_MUCH_MERGED);
  if (!fitsJsonLimit(after.customFields)) throw invalid('custom_fields', TOO_MUCH_MERGED);
  if ((after.formerly?.length ?? 0) > MAX_FORMERLY)
    throw new Fault('unprocessable', `Too many CIs were merged into ${into.id}`);
  const change = { revision: after.revision, by: after.updatedBy, before: one.standing.claims };
  const provenance: ProvenanceRecord = { attributes: claims, last: one.stored?.last ?? null, change };
  return { after, provenance };
}

async function merged(input: Input, context: Context): Promise<Done> {
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
  if (done === null) throw new Fault('precondition', `CI ${from.id} has been removed since`);
  // It is merged: what is left of it is in the queue of merges, too.
  await readAfter(() => settleMerge(ports, record), undefined);
  const alone: Detail = { ci: after, seen: [], lastSeen: undefined };
  return { merged: done, ...(await readAfter(async () => detailOf(context, await findCi(context, into.id)), alone)) };
}

/** A merge that meets another change is decided again on what that has left. */
const stubbornly = (input: Input, context: Context): Promise<Done> =>
  inTurn(context.ports, { of: ['ci', context.tenant, input.id], ifMatch: null }, () => merged(input, context));

const said = {
  message: z.string(),
  relationships_moved: z.int(),
  relationships_ended: z.int(),
};
const told = ({ merged: { from, moved, ended }, ci }: Done) => ({
  message: `${from.name} (${from.id}) was merged into ${ci.name}`,
  relationships_moved: moved,
  relationships_ended: ended,
});
const merging = {
  method: 'post',
  path: '/cmdb/ci/{id}/merge',
  params: z.object({ id: z.string() }),
  body: MergeCis,
  read: ({ params, body }: { params: { id: string }; body: MergeCis }): Input => ({ id: params.id, ...body }),
} as const;

export const mergeCi = endpoint<Input, Done>({
  id: 'cmdb.merge-ci',
  summary: 'Merge another configuration item into this one: they are the same thing',
  description:
    'Relationships, attributes by their provenance, components of services and open events move; the id and external key of the other one lead to this one from then on. It cannot be undone.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'standard',
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
