import { Link } from '@tanstack/react-router';
import type { CiRow, States } from '#console/api/cmdb/cmdb.ts';
import { CI_STATUS_WORDS, factOf, typeWords } from '#console/cis/ci-words.ts';
import { StateMark } from '#console/cis/state-mark.tsx';
import { Age } from '#console/components/age.tsx';
import type { Column } from '#console/grid/table.tsx';
import { number } from '#console/text/counts.ts';
import classes from './cis-page.module.css';
import * as text from './texts.ts';

const name = (ci: CiRow) => (
  <Link to={`/cis/${ci._id}`} className={classes.name} tabIndex={-1}>
    {ci.name}
  </Link>
);
const state = ({ status }: CiRow) => (
  <span className={classes.status} data-status={status}>
    {CI_STATUS_WORDS[status]}
  </span>
);

export const ciColumns = (states: States): readonly Column<CiRow>[] => [
  { id: 'worst', title: text.openEvents, width: '5.75rem', cell: (ci) => <StateMark state={states[ci._id]} isShort /> },
  { id: 'name', title: text.name, width: 'minmax(9rem, 1fr)', sort: 'name', cell: name },
  { id: 'type', title: text.type, width: 'minmax(6.5rem, 9rem)', sort: 'type', cell: ({ type }) => typeWords(type) },
  { id: 'status', title: text.status, width: '5.5rem', sort: 'status', cell: state },
  {
    id: 'place',
    title: text.location,
    width: 'minmax(4.5rem, 8rem)',
    cell: (ci) => [factOf(ci, 'environment'), factOf(ci, 'site')].filter(Boolean).join(', '),
  },
  { id: 'address', title: text.ipAddress, width: '7rem', cell: (ci) => factOf(ci, 'ip_address') ?? '' },
  {
    id: 'relationships',
    title: text.relationships,
    width: '3.25rem',
    isNumber: true,
    cell: ({ relationships }) => number(relationships.count),
  },
  {
    id: 'seen',
    title: text.lastSeen,
    width: '3.5rem',
    cell: ({ last_seen }) =>
      last_seen === null ? <span className={classes.dim}>{text.never}</span> : <Age since={last_seen} />,
  },
];

/** A CI where there is no room for columns. */
export const narrowCi = (states: States) => (ci: CiRow) => (
  <span className={classes.narrow}>
    <span className={classes.narrowLine}>
      {name(ci)}
      <StateMark state={states[ci._id]} />
    </span>
    <span className={classes.narrowFacts}>
      {[typeWords(ci.type), factOf(ci, 'environment'), factOf(ci, 'site'), factOf(ci, 'ip_address')]
        .filter(Boolean)
        .join(' · ')}
    </span>
    {ci.status === 'active' ? null : state(ci)}
  </span>
);
