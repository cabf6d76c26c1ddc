/** Output of `nmap -oX` as hosts of scan data. */

import { createReadStream } from 'node:fs';
import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { CliError } from '#cli/client/client.ts';
import {
  MAX_HOSTS,
  ofOneAddress,
  type ScannedHost,
  type ScannedHosts,
  type ScannedListener,
  told,
} from './scanned-host.ts';

type XmlAttributes = Readonly<Record<string, string>>;
interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
}
/** Receives elements in the order of the file. */
interface XmlListener {
  opened(element: XmlElement): void;
  closed(name: string): void;
}

const MAX_FILE_BYTES = 2 * 1024 ** 3;
const MAX_DEPTH = 64;
/** Limit between the ends of two tags: a longer attribute or text is not a scan. */
const MAX_PENDING = 4 * 1024 * 1024;

const refused = (file: string, why: string): CliError => new CliError(`${file} is not valid XML: ${why}`);

/** A document type may only have a name: nothing is loaded, and no entity is declared. */
const checkDoctype = (file: string, text: string): void => {
  if (/\[|\bSYSTEM\b|\bPUBLIC\b/.test(text)) throw refused(file, 'it declares entities or names a DTD');
};

/** Namespaces are off, so attributes are plain texts. */
const plain = (attributes: Readonly<Record<string, string | SaxesAttributePlain>>): XmlAttributes =>
  attributes as XmlAttributes;

/** Reads a file in pieces; returns the missing end, or null. Throws CliError for a malformed, deep or long file, or custom entities. */
async function readXml(file: string, listener: XmlListener): Promise<string | null> {
  const parser = new SaxesParser({ xmlns: false, fragment: false });
  let depth = 0;
  let pending = 0;
  let read = 0;
  let isAtEnd = false;
  let lacks: string | null = null;
  parser.on('error', (error) => {
    if (!isAtEnd) throw refused(file, error.message);
    lacks ??= error.message;
  });
  parser.on('doctype', (text) => checkDoctype(file, text));
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw refused(file, `its elements are nested deeper than ${MAX_DEPTH}`);
    listener.opened({ name, attributes: plain(attributes) });
  });
  parser.on('closetag', ({ name }) => {
    pending = 0;
    depth -= 1;
    listener.closed(name);
  });
  for await (const piece of createReadStream(file, 'utf8')) {
    const text = String(piece);
    read += text.length;
    pending += text.length;
    if (read > MAX_FILE_BYTES) throw refused(file, `it is larger than ${MAX_FILE_BYTES} bytes`);
    parser.write(text);
    if (pending > MAX_PENDING) throw refused(file, `a tag or text is longer than ${MAX_PENDING} bytes`);
  }
  isAtEnd = true;
  parser.close();
  return lacks;
}

const MAX_LISTENERS = 1_000;

interface Port {
  readonly port: number;
  readonly protocol: string;
  isOpen: boolean;
  service: XmlAttributes;
}
/** A host while its element is open. */
interface HostDraft {
  isUp: boolean;
  readonly addresses: XmlAttributes[];
  readonly names: XmlAttributes[];
  readonly ports: Port[];
  readonly systems: XmlAttributes[];
}
const draft = (): HostDraft => ({ isUp: true, addresses: [], names: [], ports: [], systems: [] });

const addressOf = ({ addresses }: HostDraft, ...types: readonly string[]): XmlAttributes | undefined =>
  types.map((type) => addresses.find(({ addrtype }) => addrtype === type)).find((found) => found !== undefined);

/** The name that the user gave nmap was not looked up; one that the name server gave is the machine's own. */
const nameOf = ({ names }: HostDraft): string | undefined =>
  (names.find(({ type }) => type === 'PTR') ?? names[0])?.name?.slice(0, 255);

const systemOf = ({ systems }: HostDraft): string | undefined =>
  [...systems].sort((a, b) => Number(b.accuracy ?? 0) - Number(a.accuracy ?? 0))[0]?.name?.slice(0, 255);

const listenerOf = ({ port, protocol, service }: Port): ScannedListener =>
  told<ScannedListener>({
    name: (service.name ?? 'unknown').slice(0, 255),
    port,
    protocol,
    description: [service.product, service.version].filter(Boolean).join(' ').slice(0, 1_024),
  });

function hostOf(found: HostDraft): ScannedHost {
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
const WITHIN: Readonly<Record<string, (host: HostDraft, attributes: XmlAttributes) => void>> = {
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

/** Returns the complete hosts of an interrupted scan. Throws CliError when the file is not nmap output. */
export async function nmapHosts(file: string): Promise<ScannedHosts> {
  const hosts = new Map<string, ScannedHost>();
  let root: string | null = null;
  let seconds: number | null = null;
  let host: HostDraft | null = null;
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
  if (root !== 'nmaprun') throw new CliError(`${file} is not nmap -oX output (root element: ${root ?? 'none'})`);
  const cut = `incomplete file (${lacks}): only complete hosts were read`;
  const skipped = lacks === null ? [] : [host === null ? cut : `${cut}; one incomplete host was skipped`];
  return {
    hosts: [...hosts.values()],
    skipped,
    timestamp: seconds === null ? null : new Date(seconds * 1_000).toISOString(),
  };
}
