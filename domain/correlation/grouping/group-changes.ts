import type { Group, GroupChange } from '#domain/correlation/records.ts';
import { chooseCandidate, counted, nameCause, type OpenGroup, sizeOf } from './groups.ts';

/** The effect of a decision on one group; `events` are those new to it, or all of a group that was merged away. */
export interface AppliedChange {
  readonly kind: Exclude<GroupChange['kind'], 'root-cause'> | 'absorbed' | 'updated';
  readonly group: OpenGroup;
  readonly events: readonly string[];
}

/** The changes of one batch to one group. */
interface GroupDelta {
  readonly before: string | null;
  created: boolean;
  closed: boolean;
  /** Whether the candidate may have changed. */
  grew: boolean;
  readonly joined: string[];
  readonly merged: string[];
  readonly split: string[];
}

export type GroupChanges = Map<OpenGroup, GroupDelta>;

const deltaOf = (changes: GroupChanges, group: OpenGroup): GroupDelta => {
  const known = changes.get(group);
  if (known) return known;
  const before = group.candidate?.eventId ?? null;
  const delta = { before, created: false, closed: false, grew: false, joined: [], merged: [], split: [] };
  changes.set(group, delta);
  return delta;
};

export const noteChange = (changes: GroupChanges, { kind, group, events }: AppliedChange): void => {
  const delta = deltaOf(changes, group);
  if (kind === 'created') delta.created = true;
  if (kind === 'closed') delta.closed = true;
  else if (kind !== 'absorbed') delta.grew = true;
  const named = kind === 'merged' ? delta.merged : kind === 'split' ? delta.split : delta.joined;
  for (const event of events) named.push(event);
};

/** Most event ids in one change: a record with all members of a group of 150,000 is too large for the log. */
const NAMED = 10_000;

const piecesOf = (names: readonly string[]): (readonly string[])[] => {
  const pieces: (readonly string[])[] = [];
  for (let from = 0; from < names.length; from += NAMED) pieces.push(names.slice(from, from + NAMED));
  return pieces;
};

/** A group as it is in a change: unbounded lists are cut. The stored group is complete. */
const namedIn = (group: OpenGroup): GroupChange['group'] => {
  const { aliases, candidate, ...rest } = recordOf(group);
  const explains = candidate?.explains.slice(0, NAMED);
  return {
    ...rest,
    aliases: aliases.slice(0, NAMED),
    candidate: candidate && { ...candidate, explains: explains ?? [] },
  };
};

/** One change of each kind per group and batch, several for many events; none for a group that was created and merged away within the batch. */
const changesOf = (group: OpenGroup, delta: GroupDelta): GroupChange[] => {
  const record = namedIn(group);
  if (group.status === 'merged') return [];
  const { created, joined, merged, split, closed, before } = delta;
  const changes: GroupChange[] = [];
  const tell = (kind: GroupChange['kind'], names: readonly string[]): void => {
    for (const events of piecesOf(names)) changes.push({ kind, group: record, events });
  };
  if (created) {
    const [first = [], ...rest] = piecesOf([...joined, ...merged]);
    changes.push({ kind: 'created', group: record, events: first });
    for (const events of rest) changes.push({ kind: 'joined', group: record, events });
  } else {
    tell('joined', joined);
    tell('merged', merged);
    const cause = group.candidate?.eventId;
    if (cause !== undefined && cause !== before) changes.push({ kind: 'root-cause', group: record, events: [cause] });
  }
  tell('split', split);
  // A person may have opened the group again within the batch.
  if (closed && group.status === 'closed') changes.push({ kind: 'closed', group: record, events: [] });
  return changes;
};

/** Chooses the candidates of the changed groups, once each, and saves each group with its changes; empties `changes`. */
export function flushChanges(
  changes: GroupChanges,
  save: (group: OpenGroup, changes: readonly GroupChange[]) => void,
): void {
  for (const [group, delta] of changes) {
    if (delta.grew && group.status !== 'merged') {
      chooseCandidate(group);
      nameCause(group);
    }
    save(group, changesOf(group, delta));
  }
  changes.clear();
}

/** Steps of a spark line. */
export const STEPS = 24;

/** How many of the times (ms) lie in each of 24 equal steps from `first` to `last`. */
const sparkOf = (times: readonly number[], { first, last }: { readonly first: number; readonly last: number }) => {
  const counts: number[] = Array.from({ length: STEPS }, () => 0);
  const span = last - first + 1;
  for (const time of times) {
    const step = Math.floor(((time - first) * STEPS) / span);
    counts[Math.min(STEPS - 1, Math.max(0, step))]! += 1;
  }
  return counts;
};

/** The group as others are told of it. */
export const recordOf = (group: OpenGroup): Omit<Group, 'spark' | 'named'> => ({
  tenant: group.tenant,
  id: group.id,
  aliases: group.aliases,
  status: group.status,
  mergedInto: group.mergedInto,
  foundedBy: group.foundedBy,
  foundedAt: group.foundedAt,
  first: group.first,
  last: group.last,
  size: sizeOf(group),
  // Whether it had one before it was merged depends on the batches; the group it went into has its own.
  candidate: group.mergedInto === null ? group.candidate : null,
  createdPosition: group.createdPosition,
  position: group.position,
});

export const sparkIn = (group: OpenGroup): readonly number[] =>
  sparkOf(
    [...counted(group)].map(({ arrival }) => arrival.time),
    group,
  );

/** The group as it is stored; one that was merged away keeps nothing that only its members say. */
export const storedOf = (group: OpenGroup): Group => {
  if (group.mergedInto !== null) return recordOf(group);
  return { ...recordOf(group), spark: group.spark ?? sparkIn(group), named: group.named };
};
