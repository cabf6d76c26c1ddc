import { Button } from '@mantine/core';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupRow } from '#console/api/groups.ts';

interface Props {
  readonly row: GroupRow;
  readonly actions: GroupActions;
}

/** Actions on the status of one row. */
export function RowButtons({ row, actions }: Props) {
  if (!actions.mayWrite) return null;
  const { status } = row;
  if (status === 'resolved')
    return (
      <Button variant="default" onClick={() => actions.reopen([row])}>
        Reopen
      </Button>
    );
  return (
    <>
      {status === 'active' ? (
        <Button variant="default" onClick={() => actions.acknowledge([row])}>
          Acknowledge
        </Button>
      ) : (
        <Button variant="default" onClick={() => actions.unacknowledge([row])}>
          Unacknowledge
        </Button>
      )}
      <Button variant="default" onClick={() => actions.ask('resolve', [row])}>
        Resolve
      </Button>
      {actions.more.map((action) => (
        <Button key={action.id} variant="default" onClick={() => actions.ask(action, [row])}>
          {action.words}…
        </Button>
      ))}
    </>
  );
}
