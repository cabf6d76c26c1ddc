/** One host in the form of scan data; unknown fields are absent. */
export interface ScannedHost {
  readonly ip_address?: string;
  readonly hostname?: string;
  readonly fqdn?: string;
  readonly mac_address?: string;
  readonly serial_number?: string;
  readonly os?: string;
  readonly os_guess?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly open_ports?: readonly number[];
  readonly interfaces?: readonly ScannedInterface[];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly listening_processes?: readonly ScannedListener[];
}
export interface ScannedInterface {
  readonly name?: string;
  readonly mac_address?: string;
  readonly ip_addresses?: readonly string[];
}
export interface ScannedListener {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly description?: string;
}

/** The hosts of one file or directory. */
export interface ScannedHosts {
  readonly hosts: readonly ScannedHost[];
  /** Time of the scan, ISO 8601; null when unknown. */
  readonly timestamp: string | null;
  /** Files or hosts that were left out, with the reason. */
  readonly skipped: readonly string[];
}

/** Limit of scan data. */
export const MAX_HOSTS = 100_000;

type Loose<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Drops empty fields. */
export const told = <T extends object>(fields: Loose<T>): T =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T;

const isOther = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.toLowerCase() !== other.toLowerCase();

const listenerKey = ({ protocol, port }: ScannedListener): string => `${protocol} ${port}`;
const listenersOf = (all: readonly ScannedListener[]): ScannedListener[] => {
  const known = new Map<string, ScannedListener>();
  for (const one of all) known.set(listenerKey(one), { ...known.get(listenerKey(one)), ...one });
  return [...known.values()];
};

/** Both records of one machine as one. */
const together = (one: ScannedHost, other: ScannedHost): ScannedHost =>
  told<ScannedHost>({
    ...one,
    ...other,
    open_ports: [...new Set([...(one.open_ports ?? []), ...(other.open_ports ?? [])])],
    listening_processes: listenersOf([...(one.listening_processes ?? []), ...(other.listening_processes ?? [])]),
    attributes: (one.attributes ?? other.attributes) && { ...one.attributes, ...other.attributes },
  });

/** Adds a record to those of its address, unless it is another machine's: two devices may have one address. */
export function ofOneAddress(hosts: Map<string, ScannedHost>, host: ScannedHost): void {
  const key = host.ip_address ?? host.hostname ?? '';
  const before = hosts.get(key);
  if (before === undefined) hosts.set(key, host);
  else if (isOther(before.mac_address, host.mac_address)) hosts.set(`${key} ${host.mac_address}`, host);
  else hosts.set(key, together(before, host));
}
