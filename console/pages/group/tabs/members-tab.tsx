import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MemberShown } from '#console/api/group-parts.ts';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { StatusMark } from '#console/facts/status-mark.tsx';
import { Times } from '#console/facts/times.tsx';
import { When } from '#console/facts/when.tsx';
import type { Selection } from '#console/grid/selection.ts';
import { type Column, Table } from '#console/grid/table.tsx';
import { number } from '#console/words/counts.ts';
import { strategyWords } from '#console/words/explain-words.ts';
import classes from '../group.module.css';

const COLUMNS: readonly Column<MemberShown>[] = [
  {
    id: 'severity',
    title: 'Severity',
    width: '5.25rem',
    sort: 'severity',
    cell: ({ severity }) => <SeverityMark severity={severity} />,
  },
  { id: 'status', title: 'Status', width: '5.75rem', cell: ({ status }) => <StatusMark status={status} /> },
  {
    id: 'ci',
    title: 'CI or host',
    width: 'minmax(7rem, 10rem)',
    cell: ({ ciId, hostname }) => ciId?.name ?? hostname ?? '',
  },
  { id: 'title', title: 'Title', width: 'minmax(16rem, 1fr)', cell: ({ title }) => <span title={title}>{title}</span> },
  {
    id: 'count',
    title: 'Times',
    width: '3rem',
    isNumber: true,
    cell: ({ occurrenceCount }) => <Times count={occurrenceCount} />,
  },
  {
    id: 'first',
    title: 'First seen',
    width: '8.25rem',
    sort: 'timestamp',
    cell: ({ firstOccurrence }) => <When at={firstOccurrence} />,
  },
  {
    id: 'joined',
    title: 'Joined by',
    width: '9.5rem',
    cell: ({ joinedBy }) => (joinedBy === null ? '' : strategyWords(joinedBy.strategy)),
  },
  {
    id: 'score',
    title: 'Score',
    width: '3.25rem',
    isNumber: true,
    cell: ({ joinedBy }) =>
      joinedBy === null ? (
        ''
      ) : (
        <span title={`literal ${joinedBy.literalScore.toFixed(2)}, after chance ${joinedBy.score.toFixed(2)}`}>
          {joinedBy.score.toFixed(2)}
        </span>
      ),
  },
];

export const memberId = ({ eventId }: MemberShown): string => eventId;

/** Below `ui/`: the event among those of its group. */
export const memberPath = (groupId: string, { eventId }: MemberShown): string =>
  `events?event=${eventId}&correlationId=${groupId}`;

const memberName = ({ title }: MemberShown): string => title;

export interface MemberSort {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

interface Props {
  readonly groupId: string;
  readonly members: readonly MemberShown[];
  readonly total: number;
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly focused: string | null;
  readonly onFocused: (id: string) => void;
  readonly sort: MemberSort;
  readonly onSort: (sort: MemberSort) => void;
  readonly onOpen: (member: MemberShown) => void;
  readonly actions: React.ReactNode;
}

const ROW_HEIGHT = 32;
const HEADER_HEIGHT = 32;
const MOST_SHOWN = 14;

/** The events of the group, each with what put it there. */
export function MembersTab(props: Props) {
  const { members, total, groupId } = props;
  const order = members.map(memberId);
  const height = HEADER_HEIGHT + Math.min(MOST_SHOWN, members.length) * ROW_HEIGHT;
  return (
    <>
      <div className={classes.list} style={{ height }}>
        <Table
          label="Members"
          count={members.length}
          total={total}
          rowAt={(index) => members[index]}
          idOf={memberId}
          nameOf={memberName}
          order={order}
          hrefOf={(member) => memberPath(groupId, member)}
          rowHeight={ROW_HEIGHT}
          columns={COLUMNS}
          sorting={props.sort}
          onSorting={props.onSort}
          selection={props.selection}
          onSelection={props.onSelection}
          focused={props.focused}
          onFocused={props.onFocused}
          onOpen={props.onOpen}
        />
      </div>
      <div className={classes.listFoot}>
        {props.actions}
        {total > members.length ? (
          <span className={classes.dim}>
            {number(members.length)} of {number(total)} shown
          </span>
        ) : null}
        <Button component={Link} to={`/events?correlationId=${encodeURIComponent(groupId)}`} variant="subtle">
          As a table of events
        </Button>
      </div>
    </>
  );
}
