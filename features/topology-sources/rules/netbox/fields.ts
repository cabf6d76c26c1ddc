/** Fields of objects of NetBox: related objects are nested, choices are objects with `value` and `label`. */
import { isRecord } from '#domain/record-of.ts';
import { fieldIn, textOf } from '#features/topology-sources/rules/fields.ts';
import type { NetboxRow } from './lists.ts';

/** Returns the ID of a nested object. */
export const idIn = (value: unknown): number | null =>
  isRecord(value) && typeof value.id === 'number' ? value.id : null;

/** Statuses of objects that are not in use, so that monitoring reports nothing useful about them. */
const UNWANTED: ReadonlySet<string> = new Set(
  'planned staged staging inventory offline paused decommissioning retired deprecated'.split(' '),
);
/** Custom statuses count as in use. */
export const isInUse = ({ status }: NetboxRow): boolean => !UNWANTED.has(fieldIn(status, 'value') ?? '');

/** Removes the prefix length. */
export const addressOf = (value: unknown): string | null => textOf(value)?.replace(/\/\d+$/, '') ?? null;

/** Returns the IDs of the endpoints of a cable path, if they have the type. */
export const endpointsOf = (
  { connected_endpoints: ends, connected_endpoints_type: type }: NetboxRow,
  wanted: string,
): readonly NetboxRow[] => (type === wanted && Array.isArray(ends) ? ends.filter(isRecord) : []);
