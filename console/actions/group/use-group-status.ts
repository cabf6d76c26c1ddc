import type { GroupAct, OperationInput } from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { count } from '#console/text/counts.ts';
import { useOperateGroups } from '../use-operate-groups.ts';
import { optimisticUpdate } from './optimistic-update.ts';
import * as text from './texts.ts';

type StatusVerb = Exclude<GroupAct, 'assign'>;

const DONE: Readonly<Record<StatusVerb, string>> = {
  acknowledge: 'acknowledged',
  unacknowledge: text.unacknowledged,
  resolve: 'resolved',
  reopen: 'reopened',
};
/** An action that moved no event, and why. */
const NONE: Readonly<Record<StatusVerb, string>> = {
  acknowledge: text.noOpenEventsAcknowledge,
  unacknowledge: text.noAcknowledgedEvents,
  resolve: text.noEventsLeftResolve,
  reopen: text.nothingReopenEventsRecovered,
};

/** Moves the members of groups. Throws when the server has not done it. */
export const useGroupStatus = () => {
  const { clock } = useAppServices();
  const me = useMe();
  const operate = useOperateGroups();
  return (groups: readonly GroupRow[], verb: StatusVerb, wish: OperationInput = {}): Promise<void> => {
    const at = new Date(clock.now()).toISOString();
    return operate({
      verb,
      groups,
      wish,
      optimisticUpdate: (group) => optimisticUpdate(group, verb, me.user, at),
      done: ({ changed, results }) =>
        changed === 0 && results.every(({ ok, queued }) => ok && !queued)
          ? NONE[verb]
          : `${count(changed, 'event')} ${DONE[verb]}`,
    });
  };
};
