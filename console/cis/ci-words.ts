import type { CiRow } from '#console/api/cmdb/cmdb.ts';
import { plain } from '#console/text/counts.ts';

/** `power_feed` → `power feed`. */
export const typeWords = (type: string): string => plain(type).toLowerCase();

export const CI_STATUS_WORDS: Readonly<Record<CiRow['status'], string>> = {
  active: 'Active',
  inactive: 'Inactive',
  maintenance: 'Maintenance',
};

/** Labels for the end that depends, and the end that others depend on. */
const WAYS: ReadonlyMap<string, readonly [outgoing: string, incoming: string]> = new Map([
  ['depends_on', ['depends on', 'required by']],
  ['runs_on', ['runs on', 'runs']],
  ['hosted_on', ['hosted on', 'hosts']],
  ['database_connection', ['connects to database', 'database for']],
  ['network_connection', ['connects to network', 'provides network to']],
  ['uses', ['uses', 'used by']],
  ['powered_by', ['powered by', 'powers']],
  ['located_in', ['located in', 'location of']],
  ['connects_to', ['connects to', 'connected from']],
  ['contains', ['contains', 'contained in']],
  ['part_of', ['part of', 'has parts']],
  ['member_of', ['member of', 'has members']],
  ['managed_by', ['managed by', 'manages']],
  ['monitored_by', ['monitored by', 'monitors']],
  ['backed_up_by', ['backed up by', 'backs up']],
  ['peers_with', ['peers with', 'peers with']],
]);

/** Returns the name of a relationship from one of its ends: `is powered by`, `powers`. */
export const wayWords = (type: string, direction: 'outgoing' | 'incoming'): string => {
  const known = WAYS.get(type);
  if (known !== undefined) return known[direction === 'outgoing' ? 0 : 1];
  const words = typeWords(type);
  return direction === 'outgoing' ? words : `${words} (incoming)`;
};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

/** An attribute, or a custom field of that name. */
export const factOf = ({ attributes, custom_fields }: Pick<CiRow, 'attributes' | 'custom_fields'>, name: string) =>
  textOf(attributes[name]) ?? textOf(custom_fields[name]);

const KEY_WORDS: ReadonlyMap<string, string> = new Map([
  ['ip_address', 'IP address'],
  ['ip_addresses', 'IP addresses'],
  ['mac_address', 'MAC address'],
  ['fqdn', 'FQDN'],
  ['os', 'OS'],
  ['os_guess', 'OS (detected)'],
  ['hostname', 'Hostname'],
  ['external_key', 'External key'],
  ['status', 'Status'],
]);

/** `attributes.ip_address` → `IP address`. */
export const fieldWords = (field: string): string => {
  const key = field.replace(/^(attributes|custom_?[fF]ields)\./, '');
  return KEY_WORDS.get(key) ?? plain(key);
};

/** Returns a readable value; null and an empty value are empty. */
export const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => textOf(one) !== null)) return value.map(String).join(', ');
  return textOf(value) ?? JSON.stringify(value);
};
