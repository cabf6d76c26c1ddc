import { useAssignGroups } from '#console/actions/assign/use-assign-groups.ts';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { ActionButton } from './action-button.tsx';
import type { useGroupChanges } from './use-group-changes.ts';
import { VerdictButtons } from './verdict.tsx';

interface Props {
  readonly group: GroupDetailShown;
  readonly actions: GroupActions;
  readonly changes: ReturnType<typeof useGroupChanges>;
  /** Undefined: nothing is selected that could be split off. */
  readonly split: (() => void) | undefined;
}

/** Actions on a group, each with its key. */
export function GroupButtons({ group, actions, changes, split }: Props) {
  const me = useMe();
  const assign = useAssignGroups();
  const { mayWrite, mayCorrelate } = actions;
  const isMine = group.assignedTo?._id === me.user._id;
  return (
    <>
      {mayWrite ? (
        <>
          <ActionButton
            words="Acknowledge"
            shortcut="a"
            isMain
            isOff={group.status !== 'active'}
            onClick={() => actions.acknowledge()}
          />
          <ActionButton
            words="Resolve"
            shortcut="r"
            isOff={group.status === 'resolved'}
            onClick={() => actions.ask('resolve')}
          />
          {isMine ? (
            <ActionButton words="Give it up" shortcut="" onClick={() => void assign([group], null)} />
          ) : (
            <ActionButton words="I take it" shortcut="i" onClick={() => actions.take()} />
          )}
          <ActionButton words="Assign…" shortcut="⇧ i" onClick={() => actions.ask('assign')} />
        </>
      ) : null}
      {mayCorrelate ? (
        <>
          <ActionButton words="Merge" shortcut="m" onClick={() => actions.ask('merge')} />
          <ActionButton words="Split" shortcut="p" isOff={split === undefined} onClick={() => split?.()} />
        </>
      ) : null}
      {mayWrite && group.cause !== null ? <VerdictButtons group={group} judge={changes.judge} /> : null}
    </>
  );
}
