import type { CiFacts, CiInput } from '#console/api/cmdb/cmdb.ts';
import { valueText } from './ci-words.ts';

/** A CI as a form holds it: texts. */
export interface CiDraft {
  readonly name: string;
  readonly type: string;
  readonly status: CiFacts['status'];
  readonly description: string;
  readonly external_key: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

export const EMPTY_DRAFT: CiDraft = {
  name: '',
  type: 'server',
  status: 'active',
  description: '',
  external_key: '',
  attributes: [],
};

export const draftOf = (ci: CiFacts): CiDraft => ({
  name: ci.name,
  type: ci.type,
  status: ci.status,
  description: ci.description ?? '',
  external_key: ci.external_key ?? '',
  attributes: Object.entries(ci.attributes).map(([key, value]) => ({ key, value: valueText(value) })),
});

export interface CiDifference {
  /** `name`, `attributes.site`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

const PLAIN = ['name', 'type', 'status', 'description', 'external_key'] as const;
const BAG = 'attributes.';
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

/** Changes of the draft; an attribute without a value is removed. */
export const differences = (ci: CiFacts, draft: CiDraft): CiDifference[] => {
  const plain = PLAIN.map((field) => ({ field, before: told(ci[field]), after: told(draft[field]) }));
  const written = new Map(
    draft.attributes.flatMap(({ key, value }) =>
      key.trim() === '' ? [] : [[key.trim(), writtenValue(value, ci.attributes[key.trim()])] as const],
    ),
  );
  const keys = new Set([...Object.keys(ci.attributes), ...written.keys()]);
  const bag = [...keys].map((key) => ({
    field: BAG + key,
    before: ci.attributes[key] ?? null,
    after: written.get(key) ?? null,
  }));
  return [...plain, ...bag].filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
};

/** The patch that makes these changes and no others. */
export const inputOf = (changes: readonly CiDifference[]): CiInput => {
  const plain = changes.filter(({ field }) => !field.startsWith(BAG));
  const bag = changes.filter(({ field }) => field.startsWith(BAG));
  return {
    ...(Object.fromEntries(plain.map(({ field, after }) => [field, after])) as CiInput),
    ...(bag.length > 0 && {
      attributes: Object.fromEntries(bag.map(({ field, after }) => [field.slice(BAG.length), after])),
    }),
  };
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
