import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import type { MemberShown } from '#console/api/group-parts.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { ActionButton } from './action-button.tsx';
import type { useGroupChanges } from './use-group-changes.ts';
import { VerdictButtons } from './verdict.tsx';

interface Props {
  readonly group: GroupDetailShown;
  readonly members: readonly MemberShown[];
  readonly actions: GroupActions;
  readonly changes: ReturnType<typeof useGroupChanges>;
  /** Undefined: nothing is selected that could be split off. */
  readonly split: (() => void) | undefined;
}

function StatusButtons({ group, actions }: Pick<Props, 'group' | 'actions'>) {
  if (group.status === 'resolved')
    return <ActionButton words="Reopen" shortcut="Shift r" isMain onClick={() => actions.reopen()} />;
  return (
    <>
      {group.status === 'active' ? (
        <ActionButton words="Acknowledge" shortcut="a" isMain onClick={() => actions.acknowledge()} />
      ) : (
        <ActionButton words="Unacknowledge" shortcut="Shift a" onClick={() => actions.unacknowledge()} />
      )}
      <ActionButton words="Resolve" shortcut="r" onClick={() => actions.ask('resolve')} />
    </>
  );
}

/** Actions on a group, each with its key. */
export function GroupButtons({ group, members, actions, changes, split }: Props) {
  const me = useMe();
  const { mayWrite, mayCorrelate } = actions;
  const isMine = group.assignedTo?._id === me.user._id;
  return (
    <>
      {mayWrite ? (
        <>
          <StatusButtons group={group} actions={actions} />
          {actions.more.map((action) => (
            <ActionButton
              key={action.id}
              words={`${action.words}…`}
              shortcut={action.keys}
              onClick={() => actions.ask(action)}
            />
          ))}
          {isMine ? (
            <ActionButton words="Unassign" shortcut="" onClick={() => actions.assign([group], null)} />
          ) : (
            <ActionButton words="Assign to me" shortcut="i" onClick={() => actions.take()} />
          )}
          <ActionButton words="Assign…" shortcut="Shift i" onClick={() => actions.ask('assign')} />
        </>
      ) : null}
      {mayCorrelate ? (
        <>
          <ActionButton words="Merge" shortcut="m" onClick={() => actions.ask('merge')} />
          <ActionButton words="Split" shortcut="p" isOff={split === undefined} onClick={() => split?.()} />
        </>
      ) : null}
      {mayWrite && group.cause !== null ? (
        <VerdictButtons group={group} members={members} judge={changes.judge} />
      ) : null}
    </>
  );
}
