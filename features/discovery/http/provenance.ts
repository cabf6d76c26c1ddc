import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { notFound } from '#domain/fault.ts';
import { type Authority, absorbed, type Provenance } from '#features/discovery/rules/provenance.ts';
import { claimView, ProvenanceView } from '#features/discovery/schemas/discovery-view.ts';
import { standingOf } from '#features/discovery/use-cases/records.ts';
import { authorityOf } from '#features/discovery/use-cases/settings.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';

interface Shown {
  readonly ci: string;
  readonly authority: Authority;
  readonly provenance: Provenance;
}

const present = ({ ci, authority, provenance }: Shown) => {
  const view = claimView(authority);
  const attributes = Object.entries(provenance).map(([name, claims]) => {
    const [winner, ...losers] = claims.map(view);
    return [name, { ...winner, losers }];
  });
  return { body: { ci_id: ci, authority: [...authority], attributes: Object.fromEntries(attributes) } };
};

const showing = {
  method: 'get',
  path: '/cmdb/ci/{id}/provenance',
  params: IdPath,
  read: ({ params }: { params: { id: string } }) => params.id,
  present,
} as const;

export const getProvenance = endpoint<string, Shown>({
  id: 'cmdb.provenance',
  summary: 'Show who says what of each attribute of a configuration item, and whose word counts',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  mounts: both(showing, ProvenanceView),
  async handle(id, { tenant, ports }) {
    const [ci] = await ports.topology.getCis(tenant, [id]);
    if (ci === undefined) throw notFound('Configuration item', id);
    const authority = await authorityOf(ports.records, tenant);
    const { standing } = await standingOf(ports, ci);
    return { ci: ci.id, authority, provenance: absorbed(standing, authority) };
  },
});
