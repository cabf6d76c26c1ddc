/** Links that indicate a common purpose of two CIs, with their weights. */
import { softwareOnPort } from '#features/analyzer/rules/catalogue/look-up.ts';
import type { InfrastructureCi, InfrastructureLink } from './infrastructure.ts';

/** Relationships of placement and ownership, which all CIs of a location share. */
const PLACEMENT_TYPES: ReadonlySet<string> = new Set(
  'runs_on hosted_on located_in powered_by contains part_of member_of managed_by monitored_by backed_up_by'.split(' '),
);

/** Types of CIs that carry others, whatever those are for. */
const CARRIER_TYPES: ReadonlySet<string> = new Set(
  'hypervisor switch router storage firewall access_point network network_device subnet ups pdu rack site datacenter room'.split(
    ' ',
  ),
);

/** Names, time, directories, logs, mail, backup, monitoring, administration, files: everything uses these. */
export const INFRASTRUCTURE_PORTS: ReadonlySet<number> = new Set([
  22, 23, 25, 53, 67, 68, 69, 88, 111, 123, 135, 137, 138, 139, 161, 162, 179, 389, 445, 464, 465, 514, 515, 548, 587,
  601, 623, 631, 636, 691, 749, 853, 873, 902, 1514, 1812, 1813, 2049, 2055, 3128, 3260, 3268, 3269, 3389, 4739, 5044,
  5355, 5666, 5667, 5900, 5985, 5986, 6343, 6514, 8140, 8530, 8531, 9090, 9091, 9093, 9094, 9100, 9182, 9392, 10050,
  10051, 10514, 12201, 13720, 13724, 1556, 1500, 1501, 2500, 4505, 4506, 6160, 6162, 6556,
]);

/** Entry points of people and other services. */
const ENTRY_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Nothing but databases is known to listen there. */
const isDatabasePort = (port: number): boolean => {
  const software = softwareOnPort(port);
  return software.length > 0 && software.every(({ role }) => role === 'database');
};

export const isCarrier = ({ type }: InfrastructureCi): boolean => CARRIER_TYPES.has(type);

/** `null`: the link does not indicate the purpose of its ends. */
export type LinkKind = 'database' | 'entry' | 'other';

export function linkKind({ type, port }: InfrastructureLink, target: InfrastructureCi): LinkKind | null {
  if (PLACEMENT_TYPES.has(type) || (port !== null && INFRASTRUCTURE_PORTS.has(port))) return null;
  if (port !== null && ENTRY_PORTS.has(port)) return 'entry';
  const isDatabase = type === 'database_connection' || target.type === 'database';
  return isDatabase || (port !== null && isDatabasePort(port)) ? 'database' : 'other';
}

export const KIND_WEIGHTS: Readonly<Record<LinkKind, number>> = { database: 3, other: 2, entry: 0.25 };
/** Factors by the names of both ends. */
export const SAME_WORD = 3;
export const OTHER_WORDS = 0.5;
