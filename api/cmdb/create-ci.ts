import { z } from 'zod';
import { audited } from '#api/access/audit.ts';
import { endpoint, mount } from '#api/endpoint.ts';
import { entityTag } from '#api/if-match.ts';
import { mergePatch } from '#domain/merge-patch.ts';
import type { Ci } from '#domain/topology/topology.ts';
import {
  CiDetail,
  CreateCi,
  type CreateCiInput,
  ciDetail,
  ciRecord,
  V1CiDetail,
  V1CreateCi,
  v1CiDetail,
} from '#schemas/http/cmdb.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const MESSAGE = 'Configuration item created';

export const createCi = endpoint<CreateCiInput, Ci>({
  id: 'cmdb.create-ci',
  summary: 'Create a configuration item',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'standard',
  mounts: [
    mount({
      on: 'v1',
      method: 'post',
      path: '/cmdb/ci',
      status: 201,
      body: V1CreateCi,
      reply: V1CiDetail.extend({ message: z.string() }),
      read: ({ body }) => body,
      present: (ci) => ({
        status: 201,
        body: { ...v1CiDetail(ci, []), message: MESSAGE },
        headers: { Location: `/v1/cmdb/ci/${ci.id}`, ETag: entityTag(ci.revision) },
      }),
    }),
    mount({
      on: 'platform',
      method: 'post',
      path: '/cmdb/ci',
      status: 201,
      body: CreateCi,
      reply: wrapped(CiDetail.extend({ message: z.string() })),
      read: ({ body }) => body as CreateCiInput,
      present: (ci) => ({
        status: 201,
        body: { ...ciDetail(ci, []), message: MESSAGE },
        headers: { Location: `/api/cmdb/ci/${ci.id}`, ETag: entityTag(ci.revision) },
      }),
    }),
  ],
  async handle(input, context) {
    const { tenant, ports, caller, receivedAt } = context;
    const ci: Ci = {
      tenant,
      id: ports.ids.ulid(),
      name: input.name,
      type: input.type,
      status: input.status,
      ...(input.description !== undefined && { description: input.description }),
      ...(input.external_key !== undefined && { externalKey: input.external_key }),
      attributes: mergePatch({}, input.attributes),
      customFields: mergePatch({}, input.custom_fields),
      createdAt: receivedAt,
      updatedAt: receivedAt,
      createdBy: caller.id,
      updatedBy: caller.id,
      revision: 1,
    };
    const target = { kind: 'ci', id: ci.id };
    const entry = audited(context, { action: 'ci.created', target, before: null, after: ciRecord(ci) });
    await ports.topology.putCis(tenant, [ci], [entry]);
    return ci;
  },
});
