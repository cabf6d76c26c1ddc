import type { CiFacts, CiInput } from '#console/api/cmdb/cmdb.ts';
import { valueText } from './ci-words.ts';

/** A CI as a form holds it: texts. */
export interface CiDraft {
  readonly name: string;
  readonly type: string;
  readonly status: CiFacts['status'];
  readonly description: string;
  readonly external_key: string;
  readonly attributes: DraftRows;
  readonly custom_fields: DraftRows;
}
export type DraftRows = readonly { readonly key: string; readonly value: string }[];

export const EMPTY_DRAFT: CiDraft = {
  name: '',
  type: 'server',
  status: 'active',
  description: '',
  external_key: '',
  attributes: [],
  custom_fields: [],
};

const rowsOf = (bag: Readonly<Record<string, unknown>>): DraftRows =>
  Object.entries(bag).map(([key, value]) => ({ key, value: valueText(value) }));

export const draftOf = (ci: CiFacts): CiDraft => ({
  name: ci.name,
  type: ci.type,
  status: ci.status,
  description: ci.description ?? '',
  external_key: ci.external_key ?? '',
  attributes: rowsOf(ci.attributes),
  custom_fields: rowsOf(ci.custom_fields),
});

export interface CiDifference {
  /** `name`, `attributes.site`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

const PLAIN = ['name', 'type', 'status', 'description', 'external_key'] as const;
const BAGS = ['attributes', 'custom_fields'] as const;
/** A text or nothing; blanks around it are none. */
const told = (value: unknown): unknown => (typeof value === 'string' ? value.trim() || null : (value ?? null));

/** A number or a list stays one when it is written as one. */
const writtenValue = (text: string, before: unknown): unknown => {
  if (before !== undefined && text === valueText(before)) return before;
  if (before === undefined || typeof before === 'string') return told(text);
  try {
    return JSON.parse(text);
  } catch {
    return told(text);
  }
};

const bagDifferences = (ci: CiFacts, draft: CiDraft, bag: (typeof BAGS)[number]): CiDifference[] => {
  const stored = ci[bag];
  const written = new Map(
    draft[bag].flatMap(({ key, value }) =>
      key.trim() === '' ? [] : [[key.trim(), writtenValue(value, stored[key.trim()])] as const],
    ),
  );
  const keys = new Set([...Object.keys(stored), ...written.keys()]);
  return [...keys].map((key) => ({
    field: `${bag}.${key}`,
    before: stored[key] ?? null,
    after: written.get(key) ?? null,
  }));
};

/** Changes of the draft; an attribute or custom field without a value is removed. */
export const differences = (ci: CiFacts, draft: CiDraft): CiDifference[] => {
  const plain = PLAIN.map((field) => ({ field, before: told(ci[field]), after: told(draft[field]) }));
  return [...plain, ...BAGS.flatMap((bag) => bagDifferences(ci, draft, bag))].filter(
    ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
  );
};

/** The patch that makes these changes and no others. */
export const inputOf = (changes: readonly CiDifference[]): CiInput => {
  const bagOf = (field: string) => BAGS.find((bag) => field.startsWith(`${bag}.`));
  const plain = changes.filter(({ field }) => bagOf(field) === undefined);
  const bags = BAGS.flatMap((bag) => {
    const own = changes.filter(({ field }) => bagOf(field) === bag);
    const values = own.map(({ field, after }) => [field.slice(bag.length + 1), after] as const);
    return own.length === 0 ? [] : [[bag, Object.fromEntries(values)] as const];
  });
  return Object.fromEntries([...plain.map(({ field, after }) => [field, after] as const), ...bags]);
};

/** Changes by another person meanwhile; `mine` is the wish of this one for the same field, if any. */
export interface CiConflict {
  readonly theirs: CiDifference;
  readonly mine: CiDifference | null;
}

export const conflictsOf = (base: CiFacts, now: CiFacts, mine: readonly CiDifference[]): CiConflict[] =>
  differences(base, draftOf(now)).map((theirs) => ({
    theirs,
    mine:
      mine.find(
        ({ field, after }) => field === theirs.field && JSON.stringify(after) !== JSON.stringify(theirs.after),
      ) ?? null,
  }));
