import { Link } from '@tanstack/react-router';
import type { EventRow } from '#console/api/events.ts';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { StatusMark } from '#console/components/status-mark.tsx';
import { Times } from '#console/components/times.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import type { ColumnChoice } from '#console/data/views/columns.ts';
import type { Column } from '#console/grid/table.tsx';
import { hostOf } from '#console/text/event-text.ts';
import { assigneeName } from '#domain/event/event-words.ts';
import classes from './events.module.css';
import * as text from './texts.ts';

/** All available columns; the user selects the shown ones. */
export const EVENT_COLUMNS: readonly (Column<EventRow> & ColumnChoice)[] = [
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
    width: 'minmax(6.5rem, 10rem)',
    cell: (event) =>
      event.ciId === undefined ? <span className={classes.unbound}>{hostOf(event)}</span> : event.ciId.name,
  },
  {
    id: 'title',
    title: text.title,
    width: 'minmax(12rem, 1fr)',
    isFixed: true,
    cell: ({ title, usual }) => (
      <span title={title}>
        {title}
        {usual ? <span className={classes.usual}> {text.recurring}</span> : null}
      </span>
    ),
  },
  {
    id: 'count',
    low: 4,
    title: text.occurrences,
    width: '3rem',
    isNumber: true,
    cell: ({ occurrenceCount }) => <Times count={occurrenceCount} />,
  },
  {
    id: 'timestamp',
    low: 1,
    title: text.firstSeen,
    width: '7rem',
    sort: 'timestamp',
    cell: ({ timestamp }) => <Timestamp at={timestamp} />,
  },
  {
    id: 'group',
    low: 5,
    title: text.group,
    width: '3.25rem',
    cell: ({ correlationId }) =>
      correlationId === null ? (
        <span className={classes.unbound}>{text.noGroup}</span>
      ) : (
        <Link to={`/groups/${correlationId}`} tabIndex={-1} aria-label={text.viewGroup}>
          {text.view}
        </Link>
      ),
  },
  {
    id: 'keeper',
    low: 3,
    title: text.assignee,
    width: 'minmax(5.5rem, 8rem)',
    cell: (event) => assigneeName(event) ?? event.acknowledgedBy?.name ?? '',
  },
  { id: 'source', low: 6, title: text.source, width: '6.5rem', isExtra: true, cell: ({ source }) => source },
  {
    id: 'service',
    low: 6,
    title: text.service,
    width: 'minmax(6rem, 9rem)',
    isExtra: true,
    cell: ({ service }) => service ?? '',
  },
  {
    id: 'environment',
    low: 6,
    title: text.environment,
    width: '6rem',
    isExtra: true,
    cell: ({ environment }) => environment ?? '',
  },
  {
    id: 'address',
    low: 6,
    title: text.ipAddress,
    width: '8rem',
    isExtra: true,
    cell: ({ ipAddress }) => ipAddress ?? '',
  },
  {
    id: 'last',
    low: 6,
    title: text.lastSeen,
    width: '7rem',
    isExtra: true,
    cell: ({ lastOccurrence }) => <Timestamp at={lastOccurrence} />,
  },
];

/** An event where there is no room for columns. */
export const narrowEvent = (event: EventRow) => (
  <span className={classes.narrow}>
    <span className={classes.narrowHead}>
      <SeverityMark severity={event.severity} />
      <StatusMark status={event.status} />
      <Timestamp at={event.timestamp} />
    </span>
    <span className={classes.narrowTitle}>{event.title}</span>
    <span className={classes.unbound}>{event.ciId?.name ?? event.hostname ?? ''}</span>
  </span>
);
