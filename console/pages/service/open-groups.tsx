import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GroupsPage } from '#console/api/groups.ts';
import { Nothing } from '#console/cis/panel.tsx';
import rows from '#console/data/rows.module.css';
import { Age } from '#console/facts/age.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { sentence } from '#console/words/group-words.ts';

/** Faults that hit the service now. */
export function OpenGroups({ groups }: { readonly groups: UseQueryResult<GroupsPage> }) {
  return (
    <Region query={groups} what="Its groups" skeleton={<Skeleton rows={2} height={40} />}>
      {({ groups: found }) =>
        found.length === 0 ? (
          <Nothing>No open group names it. What is wrong with its components stands below.</Nothing>
        ) : (
          <ul className={rows.rows}>
            {found.map((group) => (
              <li key={group.correlationId} className={rows.row}>
                {group.severity === null ? null : <SeverityMark severity={group.severity} bare />}
                <span className={rows.rowMain}>
                  <Link to={`/groups/${group.correlationId}`}>{group.title ?? 'A group without a cause'}</Link>
                  <span className={rows.rowNote}>{sentence(group)}</span>
                </span>
                <Age since={group.timeSpan.start} />
              </li>
            ))}
          </ul>
        )
      }
    </Region>
  );
}
