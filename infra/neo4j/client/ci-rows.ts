/** CIs as properties of nodes. The whole CI is JSON text in `record`; queried fields are beside it. */
import { addToDirectory, type Directory, emptyDirectory } from '#domain/topology/binding.ts';
import { fieldsOf, foundTexts } from '#domain/topology/fields.ts';
import { type Lookup, lookupOf } from '#domain/topology/lookup.ts';
import { maintenanceOf } from '#domain/topology/maintenance.ts';
import type { Ci } from '#domain/topology/topology.ts';

export interface CiNodeRow {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly external_key: string | null;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly valid_from: number;
  readonly name_key: string;
  /** Name, description and further names in lower case, for searches; cut at the bound of the index. */
  readonly text: string;
  /** The whole search text when it is too long for an index; then `wordy` is true. */
  readonly long_text: string | null;
  readonly wordy: boolean | null;
  /** JSON of a `Lookup`. */
  readonly lookup: string;
  /** Keys of its fields (`fieldMark`). */
  readonly fields: readonly string[];
  readonly record: string;
  /** JSON of a `CiMaintenance`; null: none. */
  readonly maintained: string | null;
  /** Version of the tenant's topology that changed the CI or one of its relationships last. */
  readonly touched: number;
}

/** No query contains it, so no match spans two texts. */
const BETWEEN = '\u0000';
/** An index accepts 32,766 bytes, and a character has at most three. */
const INDEXED_TEXT = 10_000;

const textOf = (ci: Ci, lookup = lookupOf(ci)): Pick<CiNodeRow, 'text' | 'long_text' | 'wordy'> => {
  const text = [ci.name, ci.description ?? '', foundTexts(ci, lookup)].join(BETWEEN).toLowerCase();
  if (text.length <= INDEXED_TEXT) return { text, long_text: null, wordy: null };
  return { text: text.slice(0, INDEXED_TEXT), long_text: text, wordy: true };
};

const maintainedText = (ci: Ci): string | null => {
  const maintenance = maintenanceOf(ci);
  return maintenance && JSON.stringify(maintenance);
};

export function ciRow(tenant: string, ci: Ci, validFrom: number, touched: number): CiNodeRow {
  const lookup = lookupOf(ci);
  return {
    tenant,
    id: ci.id,
    name: ci.name,
    type: ci.type,
    status: ci.status,
    external_key: ci.externalKey ?? null,
    revision: ci.revision,
    created_at: ci.createdAt,
    updated_at: ci.updatedAt,
    valid_from: validFrom,
    name_key: ci.name.toLowerCase(),
    ...textOf(ci, lookup),
    lookup: JSON.stringify(lookup),
    fields: fieldMarks(ci),
    record: JSON.stringify({ ...ci, tenant }),
    maintained: maintainedText(ci),
    touched,
  };
}

/** Index of a directory for each kind of key. */
export const INDEX_MARKS: Readonly<Record<Exclude<keyof Directory, 'domains' | 'shared'>, string>> = {
  external: 'e:',
  whole: 'w:',
  short: 's:',
  addresses: 'a:',
};
const INDEXES = Object.entries(INDEX_MARKS) as readonly (readonly [keyof Directory, string])[];

/** All keys of a directory, each with a mark of its index. */
export const keysIn = (directory: Directory): string[] =>
  INDEXES.flatMap(([index, mark]) => [...directory[index].keys()].map((key) => mark + key));

export const externalMark = (key: string): string => INDEX_MARKS.external + key.toLowerCase();
export const fieldMark = (field: string, value: string): string => `f:${field}${BETWEEN}${value}`;
const fieldMarks = (ci: Ci): string[] => fieldsOf(ci).map(([field, value]) => fieldMark(field, value));
export const addressKey = (address: string): string => `a:${address}`;
export const hardwareKey = (mark: string): string => `h:${mark}`;

/** The keys under which a CI is found. */
export function keysOf(lookup: Lookup): string[] {
  const directory = emptyDirectory();
  addToDirectory(directory, 0, lookup);
  return [...keysIn(directory), ...(lookup.hardware ?? []).map(hardwareKey)];
}
