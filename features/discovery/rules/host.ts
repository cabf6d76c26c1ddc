/** One machine as a scanner describes it. Texts as it wrote them; times in epoch ms. */

import { canonicalHost } from '#domain/event/identity/system.ts';
import { isNameOfAll } from './generic-names.ts';

export interface SeenConnection {
  /** Name of the process that connects. */
  readonly process: string;
  readonly targetIp: string;
  readonly port: number | null;
  readonly count: number;
  /** Null: when the scan was made. */
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
}

export interface SeenListener {
  readonly name: string;
  readonly pid: number | null;
  readonly port: number;
  /** Lower case: tcp, udp. */
  readonly protocol: string;
  readonly description: string | null;
}

interface NetworkInterface {
  readonly name?: string;
  readonly mac_address?: string;
  readonly ip_addresses?: readonly string[];
}

export interface Host {
  readonly ipAddress?: string;
  readonly hostname?: string;
  readonly fqdn?: string;
  readonly macAddress?: string;
  readonly serialNumber?: string;
  readonly externalKey?: string;
  readonly os?: string;
  readonly osGuess?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly openPorts?: readonly number[];
  readonly interfaces?: readonly NetworkInterface[];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly connections?: readonly SeenConnection[];
  readonly listeners?: readonly SeenListener[];
}

/** Type of a CI that a scan has found. */
export const FOUND_TYPE = 'server';

/** A name that all machines have names none. */
export const nameOf = ({ hostname, fqdn, ipAddress }: Host): string => {
  const names = [hostname, fqdn].filter((name) => name !== undefined);
  return names.find((name) => !isNameOfAll(canonicalHost(name))) ?? ipAddress ?? names[0] ?? '';
};

const given = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const ascending = (ports: readonly number[]): number[] => [...new Set(ports)].sort((a, b) => a - b);

/** The `attributes` of a scan; the fields of the format outweigh free attributes of the same name. */
export const attributesOf = (host: Host): Readonly<Record<string, unknown>> => ({
  ...host.attributes,
  ...given({
    ip_address: host.ipAddress,
    hostname: host.hostname,
    fqdn: host.fqdn,
    mac_address: host.macAddress,
    serial_number: host.serialNumber,
    os: host.os ?? host.osGuess,
    manufacturer: host.manufacturer,
    model: host.model,
    open_ports: host.openPorts && ascending(host.openPorts),
    interfaces: host.interfaces,
  }),
});
