import type { CiRow } from '#console/api/cmdb/cmdb.ts';
import { plain } from '#console/words/counts.ts';

/** `power_feed` → `power feed`. */
export const typeWords = (type: string): string => plain(type).toLowerCase();

export const CI_STATUS_WORDS: Readonly<Record<CiRow['status'], string>> = {
  active: 'active',
  inactive: 'inactive',
  maintenance: 'in maintenance',
};

/** Said of the end that depends, and of the end that others depend on. */
const WAYS: ReadonlyMap<string, readonly [outgoing: string, incoming: string]> = new Map([
  ['depends_on', ['depends on', 'is needed by']],
  ['runs_on', ['runs on', 'runs']],
  ['hosted_on', ['is hosted on', 'hosts']],
  ['database_connection', ['uses the database', 'is the database of']],
  ['network_connection', ['reaches the network by', 'gives the network to']],
  ['uses', ['uses', 'is used by']],
  ['powered_by', ['is powered by', 'powers']],
  ['located_in', ['stands in', 'is the place of']],
  ['connects_to', ['connects to', 'is connected from']],
  ['contains', ['contains', 'lies in']],
  ['part_of', ['is part of', 'has as parts']],
  ['member_of', ['is a member of', 'has as members']],
  ['managed_by', ['is managed by', 'manages']],
  ['monitored_by', ['is monitored by', 'monitors']],
  ['backed_up_by', ['is backed up by', 'backs up']],
  ['peers_with', ['peers with', 'peers with']],
]);

/** A relationship as one of its ends says it: `is powered by`, `powers`. */
export const wayWords = (type: string, direction: 'outgoing' | 'incoming'): string => {
  const known = WAYS.get(type);
  if (known !== undefined) return known[direction === 'outgoing' ? 0 : 1];
  const words = typeWords(type);
  return direction === 'outgoing' ? words : `${words} (from the other side)`;
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
  ['os_guess', 'OS, as the scanner guesses'],
  ['hostname', 'Host name'],
  ['external_key', 'External key'],
  ['status', 'State'],
]);

/** `attributes.ip_address` → `IP address`. */
export const fieldWords = (field: string): string => {
  const key = field.replace(/^(attributes|custom_?[fF]ields)\./, '');
  return KEY_WORDS.get(key) ?? plain(key);
};

/** A value as a person reads it; null and nothing are nothing. */
export const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => textOf(one) !== null)) return value.map(String).join(', ');
  return textOf(value) ?? JSON.stringify(value);
};
