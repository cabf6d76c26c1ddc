import type { Decision } from '#domain/correlation/records.ts';

/** A decision requested by a user: a split when it has `apart`, else a merge. */
type ByPerson = Pick<Decision, 'position' | 'eventId' | 'joined' | 'merged' | 'apart' | 'reunited'>;

const isWithin = (some: readonly string[], all: readonly string[]): boolean => {
  const known = new Set(all);
  return some.every((one) => known.has(one));
};

/** True if a merge joins all events that a split separated. */
const joinsAgain = ({ apart }: ByPerson, { reunited = [] }: ByPerson): boolean =>
  apart !== undefined && reunited.some(({ id, left }) => id === apart.id && isWithin(apart.left, left));

/** True if splits restore all groups that a merge joined; of events that were in no group one may stay. */
const givesBack = ({ eventId, merged, joined }: ByPerson, splits: readonly ByPerson[]): boolean => {
  const restored = splits.flatMap(({ apart }) => apart?.restores ?? []);
  const left = splits.flatMap(({ apart }) => apart?.left ?? []);
  const stays = joined.filter((id) => id !== eventId);
  return merged.length + stays.length > 0 && isWithin(merged, restored) && isWithin(stays, left);
};

/** Returns positions of undone splits and merges, and of their undo operations; oldest first. */
export const takenBack = (decisions: readonly ByPerson[]): ReadonlySet<number> => {
  const gone = new Set<number>();
  const drop = (pair: readonly ByPerson[]): void => {
    for (const { position } of pair) gone.add(position);
  };
  for (const [at, decision] of decisions.entries()) {
    const earlier = decisions.slice(0, at).filter(({ position }) => !gone.has(position));
    if (decision.apart === undefined) {
      const split = earlier.findLast((one) => joinsAgain(one, decision));
      if (split !== undefined) drop([split, decision]);
      continue;
    }
    for (const merge of earlier.filter(({ apart }) => apart === undefined).toReversed()) {
      const since = earlier.filter(({ position, apart }) => position > merge.position && apart !== undefined);
      // Splits of other events are none of its own.
      const own = [...since, decision].filter((split) => takesFrom(split, merge));
      if (!own.includes(decision) || !givesBack(merge, own)) continue;
      drop([merge, ...own]);
      break;
    }
  }
  return gone;
};

const takesFrom = ({ apart }: ByPerson, { merged, joined }: ByPerson): boolean =>
  apart !== undefined && ((apart.restores ?? []).some((name) => merged.includes(name)) || isWithin(apart.left, joined));
