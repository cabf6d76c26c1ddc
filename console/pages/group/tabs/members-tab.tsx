import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MemberData } from '#console/api/group-parts.ts';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { StatusMark } from '#console/components/status-mark.tsx';
import { Times } from '#console/components/times.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { showing } from '#console/data/texts.ts';
import type { Selection } from '#console/grid/selection.ts';
import { type Column, Table } from '#console/grid/table.tsx';
import { eventName } from '#console/text/event-text.ts';
import { strategyWords } from '#console/text/explain-text.ts';
import classes from '../group.module.css';
import * as text from './texts.ts';

const COLUMNS: readonly Column<MemberData>[] = [
  {
    id: 'severity',
    title: text.severity,
    width: '5.25rem',
    sort: 'severity',
    cell: ({ severity }) => <SeverityMark severity={severity} />,
  },
  { id: 'status', title: text.status, width: '5.75rem', cell: ({ status }) => <StatusMark status={status} /> },
  {
    id: 'ci',
    title: text.ciOrHost,
    width: 'minmax(6.25rem, 10rem)',
    cell: ({ ciId, hostname }) => ciId?.name ?? hostname ?? '',
  },
  {
    id: 'title',
    title: text.title,
    width: 'minmax(10rem, 1fr)',
    cell: ({ title }) => <span title={title}>{title}</span>,
  },
  {
    id: 'count',
    low: 3,
    title: text.occurrences,
    width: '3rem',
    isNumber: true,
    cell: ({ occurrenceCount }) => <Times count={occurrenceCount} />,
  },
  {
    id: 'first',
    low: 1,
    title: text.firstSeen,
    width: '7rem',
    sort: 'timestamp',
    cell: ({ firstOccurrence }) => <Timestamp at={firstOccurrence} />,
  },
  {
    id: 'last',
    low: 2,
    title: text.lastSeen,
    width: '7rem',
    cell: ({ lastOccurrence }) => <Timestamp at={lastOccurrence} />,
  },
  {
    id: 'joined',
    low: 4,
    title: text.strategy,
    width: '9.5rem',
    cell: ({ joinedBy }) => (joinedBy === null ? '' : strategyWords(joinedBy.strategy)),
  },
  {
    id: 'score',
    low: 5,
    title: text.score,
    width: '3.25rem',
    isNumber: true,
    cell: ({ joinedBy }) =>
      joinedBy === null ? (
        ''
      ) : (
        <span title={text.rawScoreAdjusted(joinedBy.literalScore.toFixed(2), joinedBy.score.toFixed(2))}>
          {joinedBy.score.toFixed(2)}
        </span>
      ),
  },
];

export const memberId = ({ eventId }: MemberData): string => eventId;

/** Returns the path below `ui/`: the event among those of its group. */
export const memberPath = (groupId: string, { eventId }: MemberData): string =>
  `events?event=${eventId}&correlationId=${groupId}`;

export interface MemberSort {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

interface Props {
  readonly groupId: string;
  readonly members: readonly MemberData[];
  readonly total: number;
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly focused: string | null;
  readonly onFocused: (id: string) => void;
  readonly sort: MemberSort;
  readonly onSort: (sort: MemberSort) => void;
  readonly onOpen: (member: MemberData) => void;
  readonly actions: React.ReactNode;
}

const ROW_HEIGHT = 32;
const HEADER_HEIGHT = 32;
const MAX_SHOWN = 14;

/** The events of the group, each with the reason for its membership. */
export function MembersTab(props: Props) {
  const { members, total, groupId } = props;
  const order = members.map(memberId);
  const height = HEADER_HEIGHT + Math.min(MAX_SHOWN, members.length) * ROW_HEIGHT;
  return (
    <>
      <div className={classes.list} style={{ height }}>
        <Table
          label={text.events}
          count={members.length}
          total={total}
          rowAt={(index) => members[index]}
          idOf={memberId}
          nameOf={eventName}
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
        {total > members.length ? <span className={classes.dim}>{showing(members.length, total)}</span> : null}
        <Button component={Link} to={`/events?correlationId=${encodeURIComponent(groupId)}`} variant="subtle">
          {text.openInEvents}
        </Button>
      </div>
    </>
  );
}
