import { Link } from '@tanstack/react-router';
import type { GroupRow } from '#console/api/groups.ts';
import rows from '#console/data/rows.module.css';
import { Age } from '#console/facts/age.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { sentence } from '#console/words/group-words.ts';

interface Props {
  readonly groups: readonly GroupRow[];
  /** For a list of groups that are not all active. */
  readonly withStatus?: boolean;
}

/** Faults that something has a part in, each in two lines. */
export function GroupRows({ groups, withStatus = false }: Props) {
  return (
    <ul className={rows.rows}>
      {groups.map((group) => (
        <li key={group.correlationId} className={rows.row}>
          {group.severity === null ? null : <SeverityMark severity={group.severity} bare />}
          <span className={rows.rowMain}>
            <Link to={`/groups/${group.correlationId}`}>{group.title ?? 'A group without a cause'}</Link>
            <span className={rows.rowNote}>{sentence(group)}</span>
          </span>
          {withStatus ? <span className={rows.dim}>{group.status}</span> : null}
          <Age since={group.timeSpan.start} />
        </li>
      ))}
    </ul>
  );
}
