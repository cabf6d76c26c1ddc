/**
 * Two CIs that are the same object: the remaining CI after the merge, and the changes of the relationships of the
 * other.
 */
import { sameJson } from '#domain/same-json.ts';
import { type Ci, isProposed, type Relationship } from './topology.ts';

/** Ids and external keys by which a CI is found beside its own; each merge adds one or two. */
export const MAX_FORMERLY = 200;

export interface Merging {
  readonly from: string;
  readonly into: string;
  /** ms. */
  readonly at: number;
}

/** Former names that are ids: external keys do not look like them. */
const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
export const isId = (text: string): boolean => ID.test(text);
/** The CI's id and those of the CIs that were merged into it: events that ended before still name them. */
export const allIds = ({ id, formerly = [] }: Pick<Ci, 'id' | 'formerly'>): string[] => [id, ...formerly.filter(isId)];

const without = (names: readonly string[], own: readonly (string | undefined)[]): string[] =>
  [...new Set(names)].filter((name) => !own.includes(name));

/**
 * Returns the next version of the remaining CI: its own values take precedence, and the other one fills gaps.
 * `attributes` are merged elsewhere, by origin of the values.
 */
export function united(
  into: Ci,
  from: Ci,
  { attributes, at, by }: { readonly attributes: Ci['attributes']; readonly at: number; readonly by: string },
): Ci {
  const externalKey = into.externalKey ?? from.externalKey;
  const description = into.description ?? from.description;
  const names = [
    ...(into.formerly ?? []),
    from.id,
    ...(from.externalKey ? [from.externalKey] : []),
    ...(from.formerly ?? []),
  ];
  return {
    ...into,
    ...(externalKey !== undefined && { externalKey }),
    ...(description !== undefined && { description }),
    formerly: without(names, [into.id, externalKey]),
    attributes,
    customFields: { ...from.customFields, ...into.customFields },
    updatedAt: Math.max(at, into.updatedAt),
    updatedBy: by,
    revision: into.revision + 1,
  };
}

/** Returns a relationship of the other CI, moved to the remaining one. */
const moved = (relationship: Relationship, { from, into, at }: Merging): Relationship => ({
  ...relationship,
  source: relationship.source === from ? into : relationship.source,
  target: relationship.target === from ? into : relationship.target,
  updatedAt: Math.max(at, relationship.updatedAt),
  revision: relationship.revision + 1,
});

export interface Moves {
  /** Relationships with their new ends, in the order of `held`; without self-references. */
  readonly moving: readonly Relationship[];
  /** Relationships that would become self-references. */
  readonly vanishing: readonly Relationship[];
}

/** `held`: all relationships of the other one. */
export function movesOf(held: readonly Relationship[], merging: Merging): Moves {
  const all = held.map((relationship) => ({ relationship, after: moved(relationship, merging) }));
  const isSelf = ({ after }: (typeof all)[number]): boolean => after.source === after.target;
  return {
    moving: all.filter((one) => !isSelf(one)).map(({ after }) => after),
    vanishing: all.filter(isSelf).map(({ relationship }) => relationship),
  };
}

/** A relationship takes precedence over a proposal of the same; of two of a kind each adds its own values. */
function both(there: Relationship, duplicate: Relationship): Relationship {
  if (isProposed(duplicate) && !isProposed(there)) return there;
  const { attributes, confidence, discoveredBy } = duplicate;
  if (isProposed(there) && !isProposed(duplicate)) return { ...there, attributes, confidence, discoveredBy };
  return {
    ...there,
    attributes: { ...attributes, ...there.attributes },
    confidence: Math.max(there.confidence, confidence),
  };
}

/** Returns the existing relationship with the values of the moved one; the same object when nothing is added. */
function joined(there: Relationship, duplicate: Relationship, at: number): Relationship {
  const after = both(there, duplicate);
  if (sameJson(there, after)) return there;
  return { ...after, updatedAt: Math.max(at, there.updatedAt), revision: there.revision + 1 };
}

export interface Resettled {
  /** Relationships to put, each as its next revision. */
  readonly puts: readonly Relationship[];
  /** Ids of relationships that end: self-references, or joined to an existing one. */
  readonly ends: readonly string[];
}

/** `there`: the remaining CI's relationship between the ends of each moving one, null where there is none. */
export function resettled(
  { moving, vanishing }: Moves,
  there: readonly (Relationship | null)[],
  { at }: Pick<Merging, 'at'>,
): Resettled {
  const puts: Relationship[] = [];
  const ends = vanishing.map(({ id }) => id);
  moving.forEach((one, i) => {
    const known = there[i] ?? null;
    if (known === null) puts.push(one);
    else {
      ends.push(one.id);
      const after = joined(known, one, at);
      if (after !== known) puts.push(after);
    }
  });
  return { puts, ends };
}
