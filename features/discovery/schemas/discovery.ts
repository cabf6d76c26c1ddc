import { z } from 'zod';
import { canonicalAddress } from '#domain/topology/address.ts';
import type { Host } from '#features/discovery/rules/host.ts';
import { always } from '#schemas/http/always.ts';
import { bag } from '#schemas/http/cmdb/attributes.ts';
import { ADDRESS_PATTERN, FILLED_TEXT, fieldsOf, oneShapeOf } from '#schemas/http/common.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';

/* Requests of scanners (docs/specification.md §11), with extensions of Faultline. */

const text = (max: number) => z.string().trim().min(1).max(max);
/** Scanners write null, or omit the field, for unknown values. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish();
const optionalText = (max: number) => z.string().trim().max(max).nullish();
const isAddress = (value: string): boolean => canonicalAddress(value) !== null;
const ADDRESS_EXPECTED = 'expected an IPv4 or IPv6 address';
const optionalAddress = z
  .string()
  .trim()
  .refine((value) => value === '' || isAddress(value), ADDRESS_EXPECTED)
  .meta({ pattern: `^\\s*$|${ADDRESS_PATTERN}` })
  .nullish();

const address = z.string().trim().refine(isAddress, ADDRESS_EXPECTED).meta({ pattern: ADDRESS_PATTERN });
const port = z.int().min(1).max(65_535);

const Interface = z.strictObject({
  name: optionalText(255),
  mac_address: optionalText(64),
  ip_address: optionalAddress,
  ip_addresses: optional(z.array(text(64)).max(256)),
});
const Connection = z.strictObject({
  process: text(255),
  target_ip: address,
  port: optional(port),
  count: optional(z.int().min(0).max(Number.MAX_SAFE_INTEGER)),
  first_seen: optional(Time),
  last_seen: optional(Time),
});
const ListeningProcess = z.strictObject({
  name: text(255),
  pid: optional(z.int().min(0).max(4_294_967_295)),
  port,
  protocol: optionalText(32),
  description: optionalText(1_024),
});

const MAX_CONNECTIONS_GIVEN = 10_000;
export const ScannedHost = z
  .strictObject({
    ip_address: optionalAddress,
    hostname: optionalText(255),
    fqdn: optionalText(255),
    mac_address: optionalText(64),
    serial_number: optionalText(255),
    external_key: optionalText(255),
    os: optionalText(255),
    os_guess: optionalText(255),
    manufacturer: optionalText(255),
    model: optionalText(255),
    open_ports: optional(z.array(port).max(65_535)),
    interfaces: optional(z.array(Interface).max(256)),
    attributes: optional(bag),
    connections: optional(z.array(Connection).max(MAX_CONNECTIONS_GIVEN)),
    listening_processes: optional(z.array(ListeningProcess).max(1_000)),
  })
  .check(
    always(({ value, issues }) => {
      if (!value.ip_address && !value.hostname)
        issues.push({ code: 'custom', input: value, path: ['ip_address'], message: 'expected ip_address or hostname' });
    }),
  )
  .meta({ id: 'ScannedHost', ...oneShapeOf(...fieldsOf(FILLED_TEXT, 'ip_address', 'hostname')) });
type ScannedHost = z.output<typeof ScannedHost>;

const seenInterface = ({ name, mac_address, ip_address, ip_addresses }: z.output<typeof Interface>) => {
  const all = [...new Set([...(ip_address ? [ip_address] : []), ...(ip_addresses ?? [])])];
  return { ...(name && { name }), ...(mac_address && { mac_address }), ...(all.length > 0 && { ip_addresses: all }) };
};
const seenConnection = (one: z.output<typeof Connection>) => ({
  process: one.process,
  targetIp: one.target_ip,
  port: one.port ?? null,
  count: one.count ?? 1,
  firstSeen: one.first_seen ?? null,
  lastSeen: one.last_seen ?? null,
});
const seenListener = (one: z.output<typeof ListeningProcess>) => ({
  name: one.name,
  pid: one.pid ?? null,
  port: one.port,
  protocol: one.protocol?.toLowerCase() || 'tcp',
  description: one.description || null,
});

/** Drops absent values: null and empty texts carry no information. */
const told = (fields: { readonly [K in keyof Host]: Host[K] | null | '' }): Host =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

export const scannedHost = (given: ScannedHost): Host =>
  told({
    ipAddress: given.ip_address ?? null,
    hostname: given.hostname ?? null,
    fqdn: given.fqdn ?? null,
    macAddress: given.mac_address ?? null,
    serialNumber: given.serial_number ?? null,
    externalKey: given.external_key ?? null,
    os: given.os ?? null,
    osGuess: given.os_guess ?? null,
    manufacturer: given.manufacturer ?? null,
    model: given.model ?? null,
    openPorts: given.open_ports ?? null,
    interfaces: given.interfaces?.map(seenInterface) ?? null,
    attributes: given.attributes ?? null,
    connections: given.connections?.map(seenConnection) ?? null,
    listeners: given.listening_processes?.map(seenListener) ?? null,
  });

/** Scan data without the hosts, which arrive one by one. */
export const ScanEnvelope = z.strictObject({
  scan_type: text(255),
  scanner_id: text(255),
  timestamp: Time.optional(),
  data: z.strictObject({ discovered_hosts: z.array(z.unknown()) }),
});
/** Documented form: the envelope with its hosts. */
export const ScanData = ScanEnvelope.extend({
  data: z.strictObject({ discovered_hosts: z.array(ScannedHost) }),
}).meta({ id: 'ScanData' });

/** Scan data of docs/specification.md §11, without Faultline's extensions. */
export const ScanDataView = z
  .object({
    scan_id: z.string(),
    scan_type: z.string(),
    scanner_id: z.string(),
    timestamp: IsoTime,
    data: z.object({
      discovered_hosts: z.array(
        z.object({
          ip_address: z.string().nullable(),
          hostname: z.string().nullable(),
          mac_address: z.string().nullable(),
          open_ports: z.array(z.int()),
          os_guess: z.string().nullable(),
        }),
      ),
    }),
    hosts_total: z.int(),
    truncated: z.boolean().meta({ description: 'True if there are more hosts' }),
  })
  .meta({ id: 'ScanDataView' });
