import type { Touch } from './apply.ts';
import { chooseCandidate, type OpenGroup, recordOf } from './groups.ts';
import type { GroupChange } from './records.ts';

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
  if (kind === 'merged') tally.merged.push(...events);
  else tally.joined.push(...events);
};

/** One change of each kind per group and batch; a group made and merged away within the batch was never seen and is not told. */
const changesOf = (group: OpenGroup, tally: Tally): GroupChange[] => {
  const record = recordOf(group);
  if (group.status === 'merged') return [];
  const { created, joined, merged, closed, before } = tally;
  const changes: GroupChange[] = [];
  if (created) changes.push({ kind: 'created', group: record, events: [...joined, ...merged] });
  else {
    if (joined.length > 0) changes.push({ kind: 'joined', group: record, events: joined });
    if (merged.length > 0) changes.push({ kind: 'merged', group: record, events: merged });
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
