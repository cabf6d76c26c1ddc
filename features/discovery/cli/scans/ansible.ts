/** Facts of Ansible's `setup` module as hosts of scan data: one file, or a directory with a file per host. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CliError } from '#cli/client/client.ts';
import { asRecord, isRecord } from '#domain/record-of.ts';
import { MAX_HOSTS, type ScannedHost, type ScannedHosts, type ScannedInterface, told } from './scanned-host.ts';

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_INTERFACES = 256;

type AnsibleFacts = Readonly<Record<string, unknown>>;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Firmware reports unknown values as NA. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.trim() !== 'NA' ? value.trim().slice(0, 255) : undefined;
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const addressesOf = (interfaceFacts: AnsibleFacts): string[] =>
  [interfaceFacts.ipv4, ...listOf(interfaceFacts.ipv4_secondaries), ...listOf(interfaceFacts.ipv6)].flatMap(
    (one) => textOf(asRecord(one).address) ?? [],
  );

/** Facts of `eth0.7` are called `ansible_eth0_7`. */
const interfacesOf = (facts: AnsibleFacts): ScannedInterface[] =>
  listOf(facts.ansible_interfaces)
    .flatMap((name) => textOf(name) ?? [])
    .filter((name) => name !== 'lo')
    .slice(0, MAX_INTERFACES)
    .map((name) => {
      const own = asRecord(facts[`ansible_${name.replace(/[.:-]/g, '_')}`]);
      const addresses = addressesOf(own);
      return told<ScannedInterface>({ name, mac_address: textOf(own.macaddress), ip_addresses: addresses });
    });

const fqdnOf = (facts: AnsibleFacts): string | undefined => {
  const fqdn = textOf(facts.ansible_fqdn);
  return fqdn?.includes('.') && !fqdn.startsWith('localhost') ? fqdn : undefined;
};

/** `inventoryName`: how Ansible calls the host. */
function ansibleHost(facts: AnsibleFacts, inventoryName: string | undefined): ScannedHost {
  const [ipv4, ipv6] = [asRecord(facts.ansible_default_ipv4), asRecord(facts.ansible_default_ipv6)];
  const system = [facts.ansible_distribution, facts.ansible_distribution_version].flatMap((one) => textOf(one) ?? []);
  return told<ScannedHost>({
    ip_address: textOf(ipv4.address) ?? textOf(ipv6.address),
    hostname: textOf(facts.ansible_hostname) ?? textOf(facts.ansible_nodename) ?? inventoryName,
    fqdn: fqdnOf(facts),
    mac_address: textOf(ipv4.macaddress),
    serial_number: textOf(facts.ansible_product_serial),
    os: system.join(' ') || textOf(facts.ansible_system),
    manufacturer: textOf(facts.ansible_system_vendor),
    model: textOf(facts.ansible_product_name),
    interfaces: interfacesOf(facts),
    attributes: told<AnsibleFacts>({
      kernel: textOf(facts.ansible_kernel),
      architecture: textOf(facts.ansible_architecture),
      cpu_cores: numberOf(facts.ansible_processor_vcpus),
      memory_mb: numberOf(facts.ansible_memtotal_mb),
      virtualization: [facts.ansible_virtualization_role, facts.ansible_virtualization_type]
        .flatMap((one) => textOf(one) ?? [])
        .join(' '),
      ansible_host: inventoryName,
    }),
  });
}

/** `host | SUCCESS => { … }`, as `ansible` prints it, or the JSON alone. */
const PREFIX = /^([^\s|]{1,255})\s*\|[^{]{0,64}/;

interface Facts {
  readonly facts: AnsibleFacts;
  readonly name: string | undefined;
}

function factsIn(text: string, name: string | undefined): Facts | string {
  const prefix = PREFIX.exec(text);
  let parsed: unknown;
  try {
    parsed = JSON.parse(prefix === null ? text : text.slice(prefix[0].length));
  } catch {
    return 'is not JSON for a single host';
  }
  const body = asRecord(parsed);
  if (body.unreachable === true || body.failed === true) return `has no facts: ${textOf(body.msg) ?? 'unreachable'}`;
  const facts = isRecord(body.ansible_facts) ? body.ansible_facts : body;
  const isFacts = Object.keys(facts).some((key) => key.startsWith('ansible_'));
  return isFacts ? { facts, name: prefix?.[1] ?? name } : 'has no facts from the setup module';
}

/** A file of a tree is called as the host is in the inventory; a cache adds a suffix. */
const hostNameOf = (file: string): string => basename(file).replace(/\.(json|txt)$/i, '');

function read(file: string, name: string | undefined): Facts | string {
  if (statSync(file).size > MAX_FILE_BYTES) return `is larger than ${MAX_FILE_BYTES} bytes`;
  return factsIn(readFileSync(file, 'utf8'), name);
}

/** Time of the facts, ms; null when absent. */
const timeOf = ({ ansible_date_time: time }: AnsibleFacts): number | null => {
  const ms = Date.parse(textOf(asRecord(time).iso8601) ?? '');
  return Number.isNaN(ms) ? null : ms;
};

/** The earliest, so that no host counts as seen later than it was. */
const earliest = (all: readonly Facts[]): string | null => {
  const times = all.flatMap(({ facts }) => timeOf(facts) ?? []);
  return times.length === 0 ? null : new Date(times.reduce((a, b) => Math.min(a, b))).toISOString();
};

function filesIn(path: string): readonly (readonly [file: string, name: string | undefined])[] {
  try {
    if (!statSync(path).isDirectory()) return [[path, undefined]];
    const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ name }) => [join(path, name), hostNameOf(name)]);
  } catch {
    throw new CliError(`${path} can't be read`);
  }
}

/** Throws CliError when not one file has facts. */
export function ansibleHosts(path: string): ScannedHosts {
  const files = filesIn(path);
  if (files.length > MAX_HOSTS) throw new CliError(`${path} has more than ${MAX_HOSTS} files: import it in parts`);
  const found: Facts[] = [];
  const skipped: string[] = [];
  for (const [file, name] of files) {
    const facts = read(file, name);
    if (typeof facts === 'string') skipped.push(`${file} ${facts}`);
    else found.push(facts);
  }
  if (found.length === 0) throw new CliError(skipped[0] ?? `${path} has no files`);
  const hosts = found.map(({ facts, name }) => ansibleHost(facts, name));
  return { hosts, skipped, timestamp: earliest(found) };
}
