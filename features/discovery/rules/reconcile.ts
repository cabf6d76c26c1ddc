/** The effect of a scanned machine on its CI. */
import type { Ci } from '#domain/topology/topology.ts';
import { attributesOf, FOUND_TYPE, type Host, nameOf } from './host.ts';
import { joined } from './join.ts';
import {
  type Authority,
  absorbed,
  claimed,
  claimOf,
  decided,
  type Provenance,
  type StandingCi,
  writtenByScanner,
} from './provenance.ts';

export interface HostSighting {
  readonly host: Host;
  readonly scanner: string;
  /** Times of the scan and of this write; ms. */
  readonly seenAt: number;
  readonly at: number;
}

export interface Reconciled {
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly ci: Ci;
  readonly provenance: Provenance;
}

const isList = <T>(value: unknown): value is T[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the record joined with other records of the machine from the same moment: a scan may list it once per port, or once per card. */
function withSameMoment(host: Host, claims: Provenance, { scanner, seenAt }: HostSighting): Host {
  const said = (name: string): unknown => {
    const claim = claimOf(claims, name, scanner);
    return claim?.seenAt === seenAt ? claim.value : undefined;
  };
  const [ports, interfaces, address, mac] = ['open_ports', 'interfaces', 'ip_address', 'mac_address'].map(said);
  const before: Host = {
    ...(isList<number>(ports) && { openPorts: ports }),
    ...(isList<NonNullable<Host['interfaces']>[number]>(interfaces) && { interfaces }),
    ...(isText(address) && { ipAddress: address }),
    ...(isText(mac) && { macAddress: mac }),
  };
  return Object.keys(before).length === 0 ? host : joined(before, host);
}

/** A scan adds claims, and what wins stands in the CI. */
export function reconcile(standing: StandingCi, sighting: HostSighting, authority: Authority): Reconciled {
  const { ci } = standing;
  const { scanner, seenAt, at } = sighting;
  const before = absorbed(standing, authority);
  const host = withSameMoment(sighting.host, before, sighting);
  const provenance = claimed(before, { scanner, seenAt, attributes: attributesOf(host) }, authority);
  const attributes = decided(ci, provenance);
  const externalKey = ci.externalKey ?? host.externalKey;
  if (attributes === ci.attributes && externalKey === ci.externalKey) return { action: 'unchanged', ci, provenance };
  const changed: Ci = {
    ...ci,
    attributes,
    ...(externalKey !== undefined && { externalKey }),
    updatedAt: at,
    updatedBy: writtenByScanner(scanner),
    revision: ci.revision + 1,
  };
  return { action: 'updated', ci: changed, provenance };
}

/** Creates the CI of an unknown machine. */
export function found(tenant: string, id: string, sighting: HostSighting, authority: Authority): Reconciled {
  const { host, scanner, seenAt, at } = sighting;
  const attributes = attributesOf(host);
  const by = writtenByScanner(scanner);
  const ci: Ci = {
    tenant,
    id,
    name: nameOf(host),
    type: FOUND_TYPE,
    status: 'active',
    ...(host.externalKey !== undefined && { externalKey: host.externalKey }),
    attributes,
    customFields: {},
    createdAt: at,
    updatedAt: at,
    createdBy: by,
    updatedBy: by,
    revision: 1,
  };
  return { action: 'created', ci, provenance: claimed({}, { scanner, seenAt, attributes }, authority) };
}
