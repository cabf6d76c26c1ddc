import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Nothing } from '#console/cis/panels.tsx';
import rows from '#console/data/rows.module.css';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import type { ServiceDependencies } from './api.ts';

interface Props {
  readonly query: UseQueryResult<ServiceDependencies>;
  readonly side: 'upstream' | 'downstream';
  readonly nothing: string;
}

/** Said of the other service: what its failure means here, and what a failure here means to it. */
const IMPACT_WORDS = {
  upstream: { full_outage: 'cannot do without', degraded_functionality: 'can do without, degraded' },
  downstream: { full_outage: 'stops with this one', degraded_functionality: 'is degraded with this one' },
} as const;

/** Services on one side of this one. */
export function Needs({ query, side, nothing }: Props) {
  return (
    <Region query={query} what="Its dependencies" skeleton={<Skeleton rows={2} height={30} />}>
      {({ [side]: found }) =>
        found.length === 0 ? (
          <Nothing>{nothing}</Nothing>
        ) : (
          <ul className={rows.rows}>
            {found.map(({ service_id: id, name, impact }) => (
              <li key={id} className={rows.row}>
                <Link to={`/services/${id}`} className={rows.rowMain}>
                  {name}
                </Link>
                <span className={rows.dim}>{IMPACT_WORDS[side][impact]}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Region>
  );
}
