import { z } from 'zod';
import { endpoint, mount } from '#api/endpoint.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { CiDetail, ciDetail, DETAIL_RELATIONSHIPS, type Seen, V1CiDetail, v1CiDetail } from '#schemas/http/cmdb.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const params = z.object({ id: z.string() });
interface Detail {
  readonly ci: Ci;
  readonly seen: readonly Seen[];
}

export const getCi = endpoint<{ id: string }, Detail>({
  id: 'cmdb.get-ci',
  summary: 'Get a configuration item with its relationships in both directions',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  mounts: [
    mount({
      on: 'v1',
      method: 'get',
      path: '/cmdb/ci/{id}',
      params,
      reply: V1CiDetail,
      read: ({ params }) => params,
      present: ({ ci, seen }) => ({ body: v1CiDetail(ci, seen), headers: { ETag: `"${ci.revision}"` } }),
    }),
    mount({
      on: 'platform',
      method: 'get',
      path: '/cmdb/ci/{id}',
      params,
      reply: wrapped(CiDetail),
      read: ({ params }) => params,
      present: ({ ci, seen }) => ({ body: ciDetail(ci, seen), headers: { ETag: `"${ci.revision}"` } }),
    }),
  ],
  async handle({ id }, { tenant, ports }) {
    const [ci] = await ports.topology.getCis(tenant, [id]);
    if (!ci) throw notFound('Configuration item', id);
    return { ci, seen: await relationshipsOf(ports, tenant, id) };
  },
});

const relationshipsOf = async (ports: Ports, tenant: string, id: string): Promise<Seen[]> => {
  const page = { sort: 'created_at', order: 'asc', limit: DETAIL_RELATIONSHIPS } as const;
  const { items } = await ports.topology.findRelationships(tenant, { ci: id, includeAi: true }, page);
  const others = items.map(({ source, target }) => (source === id ? target : source));
  const names = new Map((await ports.topology.getCis(tenant, [...new Set(others)])).map((ci) => [ci.id, ci.name]));
  return items.map((relationship, index) => {
    const other = others[index] as string;
    const direction = relationship.source === id ? 'outgoing' : 'incoming';
    return { relationship, other: { id: other, name: names.get(other) ?? '' }, direction };
  });
};
