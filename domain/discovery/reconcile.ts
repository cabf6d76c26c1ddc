/** The effect of a scanned machine on its CI. */
import type { Ci } from '#domain/topology/topology.ts';
import { attributesOf, FOUND_TYPE, type Host, nameOf } from './host.ts';
import {
  type Authority,
  absorbed,
  claimed,
  decided,
  type Provenance,
  type StandingCi,
  writtenByScanner,
} from './provenance.ts';

export interface HostSighting {
  readonly host: Host;
  readonly scanner: string;
  /** When the scanner saw it, and when this is written; ms. */
  readonly seenAt: number;
  readonly at: number;
}

export interface Reconciled {
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly ci: Ci;
  readonly provenance: Provenance;
}

/** Nothing is taken away: a scan adds claims, and what wins stands in the CI. */
export function reconcile(standing: StandingCi, sighting: HostSighting, authority: Authority): Reconciled {
  const { ci } = standing;
  const { host, scanner, seenAt, at } = sighting;
  const report = { scanner, seenAt, attributes: attributesOf(host) };
  const provenance = claimed(absorbed(standing, authority), report, authority);
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

/** The CI of a machine that nobody has known. */
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
