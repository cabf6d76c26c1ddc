import { lookupOf } from './lookup.ts';
import type { Ci, Relationship } from './topology.ts';

/** A CI for searches over a whole infrastructure. A tuple: there are many. */
export type InfrastructureCiRow = readonly [id: string, name: string, type: string, addresses: readonly string[]];
/** The same of a relationship; ends are ids of CIs. */
export type InfrastructureLinkRow = readonly [source: string, target: string, type: string, port: number | null];

export const ciRow = (ci: Ci): InfrastructureCiRow => [ci.id, ci.name, ci.type, lookupOf(ci).addresses];

const portOf = ({ port }: Relationship['attributes']): number | null => {
  const number = typeof port === 'string' ? Number(port) : port;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= 65_535 ? number : null;
};

export const linkRow = ({
  source,
  target,
  type,
  attributes,
}: Pick<Relationship, 'source' | 'target' | 'type' | 'attributes'>): InfrastructureLinkRow => [
  source,
  target,
  type,
  portOf(attributes),
];
