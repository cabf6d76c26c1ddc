import { ROLE_NAMES, type ServerRole } from './roles.ts';
import { SOFTWARE_TABLE } from './software-table.ts';

export interface SoftwarePort {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  /** Empty when there is nothing to add to the name of the software. */
  readonly purpose: string;
}

export interface Software {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  /** `runtime` runs programs of all kinds, an `agent` runs on every machine. */
  readonly role: ServerRole | 'runtime' | 'agent';
  /** Lower case, without path and `.exe`. */
  readonly processes: readonly string[];
  readonly ports: readonly SoftwarePort[];
  /** All that it is called, id and name among them, as `softwareKey` makes them. */
  readonly names: readonly string[];
  /** IDs of bundled or required software. */
  readonly neighbours: readonly string[];
}

/** Names are compared without case, and blanks, hyphens and underscores are the same. */
export const softwareKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

const listed = (cell: string): string[] => cell.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));

function portOf(text: string): SoftwarePort {
  const [, port, udp, purpose = ''] = /^(\d{1,5})(\/udp)?(?: (.+))?$/.exec(text) ?? [];
  if (port === undefined) throw new Error(`The catalogue has no port in ${text}`);
  return { port: Number(port), protocol: udp === undefined ? 'tcp' : 'udp', purpose };
}

const roleOf = (text: string): Software['role'] => {
  const role = ([...ROLE_NAMES, 'runtime', 'agent'] as const).find((one) => one === text);
  if (role === undefined) throw new Error(`The catalogue has an unknown role ${text}`);
  return role;
};

function softwareOf(line: string): Software {
  const [id = '', name = '', vendor = '', role = '', processes = '', ports = '', aliases = '', neighbours = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  return {
    id,
    name,
    vendor,
    role: roleOf(role),
    processes: listed(processes),
    ports: listed(ports).map(portOf),
    names: [...new Set([id, name, ...listed(aliases)].map(softwareKey))],
    neighbours: listed(neighbours),
  };
}

export const CATALOGUE: readonly Software[] = SOFTWARE_TABLE.trim().split('\n').map(softwareOf);
