import { Link } from '@tanstack/react-router';
import type { EventRow } from '#console/api/events.ts';
import type { ColumnChoice } from '#console/data/views/columns.ts';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { StatusMark } from '#console/facts/status-mark.tsx';
import { Times } from '#console/facts/times.tsx';
import { When } from '#console/facts/when.tsx';
import type { Column } from '#console/grid/table.tsx';
import classes from './events.module.css';

/** The thing an event is about: its CI, else what its sender called it. */
const subject = ({ ciId, hostname }: EventRow): string => ciId?.name ?? hostname ?? '';

/** All that there are; a person chooses which are shown. */
export const EVENT_COLUMNS: readonly (Column<EventRow> & ColumnChoice)[] = [
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
    width: 'minmax(6.5rem, 10rem)',
    cell: (event) =>
      event.ciId === undefined ? (
        <span className={classes.unbound}>{subject(event) || 'no host'}</span>
      ) : (
        subject(event)
      ),
  },
  {
    id: 'title',
    title: 'Title',
    width: 'minmax(12rem, 1fr)',
    isFixed: true,
    cell: ({ title, usual }) => (
      <span title={title}>
        {title}
        {usual ? <span className={classes.usual}> usual</span> : null}
      </span>
    ),
  },
  {
    id: 'count',
    title: 'Times',
    width: '3rem',
    isNumber: true,
    cell: ({ occurrenceCount }) => <Times count={occurrenceCount} />,
  },
  {
    id: 'timestamp',
    title: 'First seen',
    width: '8.25rem',
    sort: 'timestamp',
    cell: ({ timestamp }) => <When at={timestamp} />,
  },
  {
    id: 'group',
    title: 'Group',
    width: '3.25rem',
    cell: ({ correlationId }) =>
      correlationId === null ? (
        <span className={classes.unbound}>none</span>
      ) : (
        <Link to={`/groups/${correlationId}`} tabIndex={-1}>
          group
        </Link>
      ),
  },
  {
    id: 'keeper',
    title: 'Who has it',
    width: 'minmax(5.5rem, 8rem)',
    cell: ({ assignedTo, assignedTeam, acknowledgedBy }) =>
      assignedTo?.name ?? assignedTeam?.name ?? acknowledgedBy?.name ?? '',
  },
  { id: 'source', title: 'Source', width: '6.5rem', isExtra: true, cell: ({ source }) => source },
  { id: 'service', title: 'Service', width: 'minmax(6rem, 9rem)', isExtra: true, cell: ({ service }) => service ?? '' },
  {
    id: 'environment',
    title: 'Environment',
    width: '6rem',
    isExtra: true,
    cell: ({ environment }) => environment ?? '',
  },
  { id: 'address', title: 'Address', width: '8rem', isExtra: true, cell: ({ ipAddress }) => ipAddress ?? '' },
  {
    id: 'last',
    title: 'Last seen',
    width: '8.25rem',
    isExtra: true,
    cell: ({ lastOccurrence }) => <When at={lastOccurrence} />,
  },
];

/** An event where there is no room for columns. */
export const narrowEvent = (event: EventRow) => (
  <span className={classes.narrow}>
    <span className={classes.narrowHead}>
      <SeverityMark severity={event.severity} />
      <StatusMark status={event.status} />
      <When at={event.timestamp} />
    </span>
    <span className={classes.narrowTitle}>{event.title}</span>
    <span className={classes.unbound}>{subject(event)}</span>
  </span>
);
