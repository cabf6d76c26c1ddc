import { useMediaQuery } from '@mantine/hooks';
import type { GroupRow } from '#console/api/groups.ts';
import type { Columns } from '#console/data/views/use-views.ts';
import { List } from '#console/grid/list.tsx';
import { type Selection, toggled } from '#console/grid/selection.ts';
import { useStable } from '#console/hooks/use-stable.ts';
import { GroupCard } from './group-card.tsx';

export const ROW_HEIGHT = 76;
const NARROW_ROW_HEIGHT = 116;
export const groupId = ({ correlationId }: GroupRow): string => correlationId;

interface Props {
  readonly rows: readonly GroupRow[];
  readonly total: number;
  readonly order: readonly string[];
  /** Ids of those that keep their place although they left the list. */
  readonly left: ReadonlySet<string>;
  readonly has: Columns['has'];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly focused: string | null;
  readonly onFocused: (id: string) => void;
  readonly onOpen: (row: GroupRow) => void;
  /** Its page is opened by its name. */
  readonly remember: () => void;
}

export function GroupsList({ rows, total, left, has, remember, onOpen, ...list }: Props) {
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const toggle = useStable((row: GroupRow) => list.onSelection(toggled(list.selection, groupId(row))));
  return (
    <List
      {...list}
      label="Groups"
      count={rows.length}
      total={Math.max(total, rows.length)}
      rowAt={(index) => rows[index]}
      idOf={groupId}
      rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
      onOpen={onOpen}
      opensByClick={isNarrow === true}
      autoFocus={list.focused !== null}
    >
      {(group, { selected }) => (
        <GroupCard
          group={group}
          isSelected={selected}
          toggle={toggle}
          hasLeft={left.has(groupId(group))}
          has={has}
          onOpen={remember}
        />
      )}
    </List>
  );
}
