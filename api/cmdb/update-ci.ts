import { z } from 'zod';
import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { revise } from '#application/records/revise.ts';
import { invalid } from '#domain/fault.ts';
import { fitsJsonLimit, TOO_MUCH_MERGED } from '#domain/json-size.ts';
import { type JsonObject, mergePatch } from '#domain/merge-patch.ts';
import { sameJson } from '#domain/same-json.ts';
import { WINDOW_FIELD, windowProblem } from '#domain/topology/maintenance.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { CiDetail, CiPatch, type CiPatchInput, ciRecord, V1CiDetail, V1CiPatch } from '#schemas/http/cmdb/cmdb.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { type CiDetails, detailOf, presentDetail, presentV1Detail } from './ci-detail.ts';

interface UpdateCiRequest {
  readonly id: string;
  readonly patch: CiPatchInput;
}

type Patch = JsonObject | null | undefined;

/** Throws Fault `invalid` when the result exceeds the size limit. */
export function patched(stored: JsonObject, patch: Patch, field: string): JsonObject {
  if (patch === undefined) return stored;
  const merged = patch === null ? {} : mergePatch(stored, patch);
  if (!fitsJsonLimit(merged)) throw invalid(field, TOO_MUCH_MERGED);
  return merged;
}

/** Null removes, absent leaves unchanged. */
const optional = <N extends string>(name: N, before: string | undefined, patch: string | null | undefined) => {
  const value = patch === undefined ? before : patch;
  return (value === undefined || value === null ? {} : { [name]: value }) as { readonly [key in N]?: string };
};

/** Throws Fault `invalid` for a window that would never hold. */
function requireWindow(patch: Patch, after: JsonObject): JsonObject {
  const problem = patch != null && WINDOW_FIELD in patch ? windowProblem(after) : null;
  if (problem !== null) throw invalid(problem.field, problem.reason);
  return after;
}

const fieldsAfter = (before: Ci, patch: CiPatchInput): Ci => {
  const { description, externalKey, ...rest } = before;
  return {
    ...rest,
    name: patch.name ?? before.name,
    type: patch.type ?? before.type,
    status: patch.status ?? before.status,
    ...optional('description', description, patch.description),
    ...optional('externalKey', externalKey, patch.external_key),
    attributes: patched(before.attributes, patch.attributes, 'attributes'),
    customFields: requireWindow(
      patch.custom_fields,
      patched(before.customFields, patch.custom_fields, 'custom_fields'),
    ),
  };
};

export const changedBy =
  (patch: CiPatchInput, { caller, receivedAt }: Context) =>
  (before: Ci): Ci => {
    const after = fieldsAfter(before, patch);
    if (sameJson(before, after)) return before;
    const updatedAt = Math.max(receivedAt, before.updatedAt);
    return { ...after, updatedAt, updatedBy: caller.id, revision: before.revision + 1 };
  };

const read = ({ params, body }: { params: { id: string }; body: CiPatchInput }): UpdateCiRequest => ({
  id: params.id,
  patch: body,
});
const put = {
  method: 'put',
  path: '/cmdb/ci/{id}',
  params: z.object({ id: z.string() }),
  replyHeaders: ['ETag'],
} as const;

export const updateCi = endpoint<UpdateCiRequest, CiDetails>({
  id: 'cmdb.update-ci',
  summary: 'Update a configuration item',
  description:
    'Omitted fields are unchanged. attributes and custom fields are merge patches (RFC 7396): null removes a field. Send If-Match with an ETag to get 412 on concurrent changes.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  conditional: true,
  mounts: [
    mount({ on: 'v1', ...put, body: V1CiPatch, reply: V1CiDetail, read, present: presentV1Detail }),
    mount({
      on: 'platform',
      ...put,
      body: CiPatch,
      reply: wrapped(CiDetail),
      read: ({ params, body }) => read({ params, body: body as CiPatchInput }),
      present: presentDetail,
    }),
  ],
  async handle({ id, patch }, context) {
    const { tenant, ports, ifMatch } = context;
    const updated = (before: Ci, after: Ci) =>
      audited(context, {
        action: 'ci.updated',
        target: { kind: 'ci', id: after.id },
        before: ciRecord(before),
        after: ciRecord(after),
      });
    const shown = await detailOf(context, await findCi(context, id));
    const { after } = await revise<Ci>(ports, {
      of: ['ci', tenant, id],
      ifMatch,
      load: () => findCi(context, id),
      change: changedBy(patch, context),
      put: (ci, before) => ports.cis.put(tenant, [ci], [updated(before, ci)]),
    });
    return { ...shown, ci: after };
  },
});
