import { words } from './foreign-types.ts';

/** Words by which others call a field; the first is its own. */
export const FIELD_WORDS: Readonly<Record<'cis' | 'relationships', ReadonlyMap<string, string>>> = {
  cis: words({
    name: 'name ci device machine system asset_name server_name node label',
    type: 'type class kind category ci_type',
    status: 'status state lifecycle condition',
    description: 'description comment notes remark details',
    external_key: 'external_key id key uuid asset_id asset inventory_number reference',
    'attributes.ip_address': 'ip_address ip address ipv4 ip_addr',
    'attributes.hostname': 'hostname host',
    'attributes.fqdn': 'fqdn dns domain',
    'attributes.environment': 'environment env stage',
    'attributes.site': 'site location datacenter data_center city building',
    'attributes.owner': 'owner responsible contact owned_by team',
    'attributes.os': 'os operating_system platform',
    'attributes.model': 'model product',
    'attributes.manufacturer': 'manufacturer vendor make brand',
    'attributes.serial_number': 'serial_number serial sn',
  }),
  relationships: words({
    source_ci: 'source_ci source from dependent client consumer',
    target_ci: 'target_ci target to depends_on provider supplier',
    type: 'type relation relationship relationship_type kind',
    source_type: 'source_type',
    target_type: 'target_type',
    confidence: 'confidence',
    discovered_by: 'discovered_by',
    'attributes.redundancy_group': 'redundancy_group redundancy cluster',
    'attributes.protocol': 'protocol',
    'attributes.criticality': 'criticality importance',
  }),
};
