import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { standingOf } from '#application/discovery/records.ts';
import { authorityOf } from '#application/discovery/settings.ts';
import { type Authority, absorbed, type Provenance } from '#domain/discovery/provenance.ts';
import { notFound } from '#domain/fault.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { claimView, ProvenanceView } from '#schemas/http/discovery/discovery-view.ts';

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
