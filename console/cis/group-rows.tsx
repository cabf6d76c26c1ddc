import type { GroupRow } from '#console/api/groups.ts';
import { Age } from '#console/components/age.tsx';
import { GroupTitle } from '#console/components/group-title.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import rows from '#console/data/rows.module.css';
import { plain } from '#console/text/counts.ts';
import { rowPath, sentence } from '#console/text/group-text.ts';
import { PageLink } from './page-link.tsx';

interface Props {
  readonly groups: readonly GroupRow[];
  /** Set for a list that includes inactive groups. */
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
            <PageLink to={rowPath(group)}>
              <GroupTitle group={group} />
            </PageLink>
            <span className={rows.rowNote}>{sentence(group)}</span>
          </span>
          {withStatus ? <span className={rows.dim}>{plain(group.status)}</span> : null}
          <Age since={group.timeSpan.start} />
        </li>
      ))}
    </ul>
  );
}
