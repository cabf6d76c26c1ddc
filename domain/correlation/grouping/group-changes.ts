import type { Group, GroupChange } from '#domain/correlation/records.ts';
import type { Touch } from './apply.ts';
import { chooseCandidate, type OpenGroup, recordOf } from './groups.ts';

/** What one batch has done to one group. */
interface Tally {
  readonly before: string | null;
  created: boolean;
  closed: boolean;
  /** Whether another member can have become the candidate. */
  grew: boolean;
  readonly joined: string[];
  readonly merged: string[];
}

export type Touched = Map<OpenGroup, Tally>;

const tallyOf = (touched: Touched, group: OpenGroup): Tally => {
  const known = touched.get(group);
  if (known) return known;
  const before = group.candidate?.eventId ?? null;
  const tally = { before, created: false, closed: false, grew: false, joined: [], merged: [] };
  touched.set(group, tally);
  return tally;
};

export const noteTouch = (touched: Touched, { kind, group, events }: Touch): void => {
  const tally = tallyOf(touched, group);
  if (kind === 'created') tally.created = true;
  if (kind === 'closed') tally.closed = true;
  else if (kind !== 'absorbed') tally.grew = true;
  const named = kind === 'merged' ? tally.merged : tally.joined;
  for (const event of events) named.push(event);
};

/** Names in one change: the log takes no record that names all members of a group of 150,000. */
const NAMED = 10_000;

const piecesOf = (names: readonly string[]): (readonly string[])[] => {
  const pieces: (readonly string[])[] = [];
  for (let from = 0; from < names.length; from += NAMED) pieces.push(names.slice(from, from + NAMED));
  return pieces;
};

/** A group as a change names it: what has no bound of its own is cut. The stored group is whole. */
const told = (group: OpenGroup): Group => {
  const { aliases, candidate, ...rest } = recordOf(group);
  const explains = candidate?.explains.slice(0, NAMED);
  return {
    ...rest,
    aliases: aliases.slice(0, NAMED),
    candidate: candidate && { ...candidate, explains: explains ?? [] },
  };
};

/** One change of each kind per group and batch, several where many events are named; a group made and merged away within the batch was never seen and is not told. */
const changesOf = (group: OpenGroup, tally: Tally): GroupChange[] => {
  const record = told(group);
  if (group.status === 'merged') return [];
  const { created, joined, merged, closed, before } = tally;
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
  // One that a person opened again within the batch is not told as closed.
  if (closed && group.status === 'closed') changes.push({ kind: 'closed', group: record, events: [] });
  return changes;
};

/** Chooses the candidates of the touched groups, once each, and says what to save and tell; `touched` is empty afterwards. */
export function settleTouched(
  touched: Touched,
  save: (group: OpenGroup, changes: readonly GroupChange[]) => void,
): void {
  for (const [group, tally] of touched) {
    if (tally.grew && group.status !== 'merged') chooseCandidate(group);
    save(group, changesOf(group, tally));
  }
  touched.clear();
}
