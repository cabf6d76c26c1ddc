import { z } from 'zod';
import { type Context, endpoint, mount, type Presented } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { resolveCis } from '#application/cmdb/resolve-cis.ts';
import { entityTag } from '#application/records/if-match.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { readAfter } from '#application/records/read-after.ts';
import { Fault, invalid, isConflict, isOvertaken } from '#domain/fault.ts';
import { ciLineKey, type Planned, planCi } from '#domain/topology/import.ts';
import { windowProblem } from '#domain/topology/maintenance.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { ciTypeWarning } from '#domain/topology/vocabulary.ts';
import {
  CiDetail,
  CreateCi,
  type CreateCiInput,
  ciDetail,
  ciRecord,
  V1CiDetail,
  V1CreateCi,
  v1CiDetail,
} from '#schemas/http/cmdb/cmdb.ts';
import { flag } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { type CiDetails, detailOf } from './ci-detail.ts';

const MESSAGES = {
  created: 'Configuration item created',
  updated: 'Configuration item updated',
  unchanged: 'Configuration item unchanged',
} as const;
type Action = keyof typeof MESSAGES;

interface CreateCiRequest {
  readonly ci: CreateCiInput;
  readonly upsert: boolean;
}
interface Made extends CiDetails {
  readonly action: Action;
}

const Query = z.strictObject({
  upsert: flag().optional().meta({
    description: 'Update the CI with this external_key (or name and type) if it exists',
  }),
});
const made = {
  message: z.string(),
  action: z.enum(['created', 'updated', 'unchanged']),
  warnings: z.array(z.string()),
};

type CiOutcome = Exclude<Planned<Ci>, { readonly action: 'failed' }>;

/** Reads an existing CI only with upsert. Throws Fault `conflict` when several match. */
async function planned({ ci, upsert }: CreateCiRequest, context: Context): Promise<CiOutcome> {
  const { tenant, ports, caller, receivedAt: at } = context;
  const [meant = []] = upsert ? await resolveCis(context, [ci]) : [];
  const problem = windowProblem(ci.custom_fields);
  if (problem !== null) throw invalid(problem.field, problem.reason);
  const plan = planCi(ci, meant, { tenant, newId: ports.ids.ulid(), at, by: caller.id });
  if (plan.action === 'failed') throw new Fault(meant.length > 1 ? 'conflict' : 'invalid', plan.error);
  return plan;
}

const put = async (plan: CiOutcome, context: Context): Promise<CiOutcome> => {
  if (plan.action === 'unchanged') return plan;
  const before = plan.action === 'updated' ? ciRecord(plan.before) : null;
  const target = { kind: 'ci', id: plan.record.id };
  const entry = audited(context, { action: `ci.${plan.action}`, target, before, after: ciRecord(plan.record) });
  await context.ports.cis.put(context.tenant, [plan.record], [entry]);
  return plan;
};

/**
 * Retries after a lost race with another change of this CI: serialized with all changes of it, decided again on the new
 * state.
 */
async function written(input: CreateCiRequest, context: Context): Promise<CiOutcome> {
  const { tenant, ports } = context;
  const plan = await planned(input, context);
  try {
    return await put(plan, context);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    const of = ['ci', tenant, plan.record.id] as const;
    return inTurn(ports, { of, ifMatch: null }, async () => put(await planned(input, context), context));
  }
}

/** An upsert that conflicts with another one is decided again on the new state. */
const stubbornly = (input: CreateCiRequest, context: Context): Promise<CiOutcome> => {
  const { tenant, ports } = context;
  return inTurn(ports, { of: ['ci', tenant, ciLineKey(input.ci) ?? ''], ifMatch: null }, async () => {
    try {
      return await written(input, context);
    } catch (error) {
      // Another process created the same CI.
      if (input.upsert && isConflict(error)) return written(input, context);
      throw error;
    }
  });
};

const presentAt =
  (prefix: string, body: (detail: CiDetails) => object) =>
  (one: Made): Presented => ({
    status: one.action === 'created' ? 201 : 200,
    body: {
      ...body(one),
      message: MESSAGES[one.action],
      action: one.action,
      warnings: [ciTypeWarning(one.ci.type)].filter((text) => text !== null),
    },
    headers: { Location: `${prefix}/cmdb/ci/${one.ci.id}`, ETag: entityTag(one.ci.revision) },
  });

const created = {
  method: 'post',
  path: '/cmdb/ci',
  status: 201,
  alsoStatus: [200],
  replyHeaders: ['Location', 'ETag'],
  query: Query,
} as const;

export const createCi = endpoint<CreateCiRequest, Made>({
  id: 'cmdb.create-ci',
  summary: 'Create or upsert a configuration item',
  description:
    'upsert=true updates the CI with this external_key (or name and type) like an import row: omitted fields are unchanged; attributes and custom fields are merge patches. Returns 201 if created, otherwise 200.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  mounts: [
    mount({
      on: 'v1',
      ...created,
      body: V1CreateCi,
      reply: V1CiDetail.extend(made),
      read: ({ body, query }): CreateCiRequest => ({ ci: body, upsert: query.upsert ?? false }),
      present: presentAt('/v1', ({ ci, seen, lastSeen }) => v1CiDetail(ci, seen, lastSeen)),
    }),
    mount({
      on: 'platform',
      ...created,
      body: CreateCi,
      reply: wrapped(CiDetail.extend(made)),
      read: ({ body, query }): CreateCiRequest => ({ ci: body as CreateCiInput, upsert: query.upsert ?? false }),
      present: presentAt('/api', ({ ci, seen, lastSeen }) => ciDetail(ci, seen, lastSeen)),
    }),
  ],
  async handle(input, context) {
    const { action, record: ci } = await stubbornly(input, context);
    const alone: CiDetails = { ci, seen: [], lastSeen: undefined };
    return { action, ...(action === 'created' ? alone : await readAfter(() => detailOf(context, ci), alone)) };
  },
});
