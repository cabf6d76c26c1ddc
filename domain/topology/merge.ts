/** Two CIs that turn out to be one: what the one that stays becomes, and what becomes of the relationships of the other. */
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
 * The next version of the one that stays: its own word counts, and what it does not say the other one says. `attributes` are decided
 * elsewhere, by who said what.
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

/** A relationship of the other one, as it would be of the one that stays. */
const moved = (relationship: Relationship, { from, into, at }: Merging): Relationship => ({
  ...relationship,
  source: relationship.source === from ? into : relationship.source,
  target: relationship.target === from ? into : relationship.target,
  updatedAt: Math.max(at, relationship.updatedAt),
  revision: relationship.revision + 1,
});

export interface Moves {
  /** With their new ends, in the order of `held`; none that would lead to itself. */
  readonly moving: readonly Relationship[];
  /** Those that would lead to itself. */
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

/** A relationship counts more than a proposal of the same; of two of a kind each adds what only it says. */
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

/** The one that is there already, with what the moved one adds; the same object when that is nothing. */
function joined(there: Relationship, duplicate: Relationship, at: number): Relationship {
  const after = both(there, duplicate);
  if (sameJson(there, after)) return there;
  return { ...after, updatedAt: Math.max(at, there.updatedAt), revision: there.revision + 1 };
}

export interface Resettled {
  /** To be put, each as its next revision. */
  readonly puts: readonly Relationship[];
  /** Ids of those that end: they vanish or are joined to one that is there. */
  readonly ends: readonly string[];
}

/** `there`: what the one that stays has between the ends of each moving one, null where there is nothing. */
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
