import type { GroupAct, OperationWish } from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { count } from '#console/words/counts.ts';
import { useOperateGroups } from '../use-operate-groups.ts';
import { foreseen } from './foresee.ts';

type StatusVerb = Exclude<GroupAct, 'assign'>;

const DONE: Readonly<Record<StatusVerb, string>> = {
  acknowledge: 'acknowledged',
  unacknowledge: 'open again',
  resolve: 'resolved',
  reopen: 'reopened',
};
/** An action that moved no event, and why. */
const NONE: Readonly<Record<StatusVerb, string>> = {
  acknowledge: 'No open events to acknowledge',
  unacknowledge: 'No acknowledged events',
  resolve: 'No events left to resolve',
  reopen: 'Nothing to reopen: the events recovered at their source, or the problem is open in another event',
};

/** Moves the members of groups. Throws when the server has not done it. */
export const useGroupStatus = () => {
  const { clock } = useParts();
  const me = useMe();
  const operate = useOperateGroups();
  return (groups: readonly GroupRow[], verb: StatusVerb, wish: OperationWish = {}): Promise<void> => {
    const at = new Date(clock.now()).toISOString();
    return operate({
      verb,
      groups,
      wish,
      foresee: (group) => foreseen(group, verb, me.user, at),
      done: ({ changed, results }) =>
        changed === 0 && results.every(({ ok, queued }) => ok && !queued)
          ? NONE[verb]
          : `${count(changed, 'event')} ${DONE[verb]}`,
    });
  };
};
