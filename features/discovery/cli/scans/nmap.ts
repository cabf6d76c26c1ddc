/** Output of `nmap -oX` as hosts of scan data. */
import { CliError } from '#infra/cli/client/client.ts';
import { readXml, refused, type XmlAttributes, type XmlElement } from './safe-xml.ts';
import {
  MAX_HOSTS,
  ofOneAddress,
  type ScannedHost,
  type ScannedHosts,
  type ScannedListener,
  told,
} from './scanned-host.ts';

const MAX_LISTENERS = 1_000;

interface Port {
  readonly port: number;
  readonly protocol: string;
  isOpen: boolean;
  service: XmlAttributes;
}
/** A host while its element is open. */
interface Draft {
  isUp: boolean;
  readonly addresses: XmlAttributes[];
  readonly names: XmlAttributes[];
  readonly ports: Port[];
  readonly systems: XmlAttributes[];
}
const draft = (): Draft => ({ isUp: true, addresses: [], names: [], ports: [], systems: [] });

const addressOf = ({ addresses }: Draft, ...types: readonly string[]): XmlAttributes | undefined =>
  types.map((type) => addresses.find(({ addrtype }) => addrtype === type)).find((found) => found !== undefined);

/** The name that the user gave nmap was not looked up; one that the name server gave is the machine's own. */
const nameOf = ({ names }: Draft): string | undefined =>
  (names.find(({ type }) => type === 'PTR') ?? names[0])?.name?.slice(0, 255);

const systemOf = ({ systems }: Draft): string | undefined =>
  [...systems].sort((a, b) => Number(b.accuracy ?? 0) - Number(a.accuracy ?? 0))[0]?.name?.slice(0, 255);

const listenerOf = ({ port, protocol, service }: Port): ScannedListener =>
  told<ScannedListener>({
    name: (service.name ?? 'unknown').slice(0, 255),
    port,
    protocol,
    description: [service.product, service.version].filter(Boolean).join(' ').slice(0, 1_024),
  });

function hostOf(found: Draft): ScannedHost {
  const mac = addressOf(found, 'mac');
  const name = nameOf(found);
  const open = found.ports.filter(({ isOpen }) => isOpen);
  return told<ScannedHost>({
    ip_address: addressOf(found, 'ipv4', 'ipv6')?.addr,
    mac_address: mac?.addr,
    hostname: name,
    fqdn: name?.includes('.') ? name : undefined,
    os_guess: systemOf(found),
    open_ports: [...new Set(open.map(({ port }) => port))],
    listening_processes: open.slice(0, MAX_LISTENERS).map(listenerOf),
    attributes: mac?.vendor === undefined ? undefined : { mac_vendor: mac.vendor.slice(0, 255) },
  });
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

/** Attributes of the elements within a host. */
const WITHIN: Readonly<Record<string, (host: Draft, attributes: XmlAttributes) => void>> = {
  status: (host, { state }) => {
    host.isUp = state === undefined || state === 'up';
  },
  address: (host, attributes) => host.addresses.push(attributes),
  hostname: (host, attributes) => host.names.push(attributes),
  osmatch: (host, attributes) => host.systems.push(attributes),
  port: (host, { portid, protocol }) =>
    host.ports.push({ port: Number(portid), protocol: protocol ?? 'tcp', isOpen: false, service: {} }),
  state: (host, { state }) => {
    const port = host.ports.at(-1);
    if (port !== undefined) port.isOpen = state === 'open' && isPort(port.port);
  },
  service: (host, attributes) => {
    const port = host.ports.at(-1);
    if (port !== undefined) port.service = attributes;
  },
};

const secondsOf = ({ time, start }: XmlAttributes): number | null => {
  const seconds = Number(time ?? start);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : null;
};

/** Of a scan that was broken off, the hosts that are complete. Throws CliError when the file is no output of nmap. */
export async function nmapHosts(file: string): Promise<ScannedHosts> {
  const hosts = new Map<string, ScannedHost>();
  let root: string | null = null;
  let seconds: number | null = null;
  let host: Draft | null = null;
  const opened = ({ name, attributes }: XmlElement): void => {
    root ??= name;
    if (name === 'nmaprun' || name === 'finished') seconds = secondsOf(attributes) ?? seconds;
    if (name === 'host') host = draft();
    else if (host !== null) WITHIN[name]?.(host, attributes);
  };
  const closed = (name: string): void => {
    if (name !== 'host' || host === null) return;
    const made = hostOf(host);
    // masscan has an element for every open port of a machine.
    if (host.isUp && (made.ip_address ?? made.hostname) !== undefined) ofOneAddress(hosts, made);
    host = null;
    if (hosts.size > MAX_HOSTS) throw new CliError(`${file} has more than ${MAX_HOSTS} hosts: scan in parts`);
  };
  const lacks = await readXml(file, { opened, closed });
  if (lacks !== null && hosts.size === 0) throw refused(file, lacks);
  if (root !== 'nmaprun') throw new CliError(`${file} is no output of nmap -oX: its root is ${root ?? 'nothing'}`);
  const cut = `the file ends too early (${lacks}): only hosts that are complete were read`;
  const skipped = lacks === null ? [] : [host === null ? cut : `${cut}, and one was left out`];
  return {
    hosts: [...hosts.values()],
    skipped,
    timestamp: seconds === null ? null : new Date(seconds * 1_000).toISOString(),
  };
}
