import { z } from 'zod';
import { type Context, endpoint, mount, type Presented } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { meantCis } from '#application/cmdb/meant-cis.ts';
import { entityTag } from '#application/records/if-match.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { readAfter } from '#application/records/read-after.ts';
import { Fault, invalid, isConflict } from '#domain/fault.ts';
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
import { type Detail, detailOf } from './ci-detail.ts';

const MESSAGES = {
  created: 'Configuration item created',
  updated: 'Configuration item updated',
  unchanged: 'Configuration item is as it was',
} as const;
type Action = keyof typeof MESSAGES;

interface Input {
  readonly ci: CreateCiInput;
  readonly upsert: boolean;
}
interface Made extends Detail {
  readonly action: Action;
}

const Query = z.strictObject({
  upsert: flag().optional().meta({
    description:
      'Change the CI that has the external_key, or without one the name and type, instead of refusing or making another',
  }),
});
const made = {
  message: z.string(),
  action: z.enum(['created', 'updated', 'unchanged']),
  warnings: z.array(z.string()),
};

type Written = Exclude<Planned<Ci>, { readonly action: 'failed' }>;

/** Looks for an existing CI only with upsert. Throws Fault `conflict` when several match. */
async function planned({ ci, upsert }: Input, context: Context): Promise<Written> {
  const { tenant, ports, caller, receivedAt: at } = context;
  const [meant = []] = upsert ? await meantCis(context, [ci]) : [];
  const problem = windowProblem(ci.custom_fields);
  if (problem !== null) throw invalid(problem.field, problem.reason);
  const plan = planCi(ci, meant, { tenant, newId: ports.ids.ulid(), at, by: caller.id });
  if (plan.action === 'failed') throw new Fault(meant.length > 1 ? 'conflict' : 'invalid', plan.error);
  return plan;
}

async function written(input: Input, context: Context): Promise<Written> {
  const plan = await planned(input, context);
  if (plan.action === 'unchanged') return plan;
  const before = plan.action === 'updated' ? ciRecord(plan.before) : null;
  const target = { kind: 'ci', id: plan.record.id };
  const entry = audited(context, { action: `ci.${plan.action}`, target, before, after: ciRecord(plan.record) });
  await context.ports.cis.put(context.tenant, [plan.record], [entry]);
  return plan;
}

/** An upsert that meets another one is decided again on what the other has left. */
const stubbornly = (input: Input, context: Context): Promise<Written> => {
  const { tenant, ports } = context;
  return inTurn(ports, { of: ['ci', tenant, ciLineKey(input.ci) ?? ''], ifMatch: null }, async () => {
    try {
      return await written(input, context);
    } catch (error) {
      // Another process made the one that is meant.
      if (input.upsert && isConflict(error)) return written(input, context);
      throw error;
    }
  });
};

const presentAt =
  (prefix: string, body: (detail: Detail) => object) =>
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

export const createCi = endpoint<Input, Made>({
  id: 'cmdb.create-ci',
  summary: 'Create a configuration item, or change the one that is meant',
  description:
    'With upsert=true the CI that has the external_key, or without one the name and type, is changed as a row of an import changes it: what is absent stays, attributes and custom fields are merge patches. The reply is 201 when it was created, else 200.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'standard',
  mounts: [
    mount({
      on: 'v1',
      ...created,
      body: V1CreateCi,
      reply: V1CiDetail.extend(made),
      read: ({ body, query }): Input => ({ ci: body, upsert: query.upsert ?? false }),
      present: presentAt('/v1', ({ ci, seen, lastSeen }) => v1CiDetail(ci, seen, lastSeen)),
    }),
    mount({
      on: 'platform',
      ...created,
      body: CreateCi,
      reply: wrapped(CiDetail.extend(made)),
      read: ({ body, query }): Input => ({ ci: body as CreateCiInput, upsert: query.upsert ?? false }),
      present: presentAt('/api', ({ ci, seen, lastSeen }) => ciDetail(ci, seen, lastSeen)),
    }),
  ],
  async handle(input, context) {
    const { action, record: ci } = await stubbornly(input, context);
    const alone: Detail = { ci, seen: [], lastSeen: undefined };
    return { action, ...(action === 'created' ? alone : await readAfter(() => detailOf(context, ci), alone)) };
  },
});
