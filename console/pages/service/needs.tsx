import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ServiceDependencies } from '#console/api/cmdb/services.ts';
import { Nothing } from '#console/cis/panel.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from './service.module.css';

interface Props {
  readonly query: UseQueryResult<ServiceDependencies>;
  readonly side: 'upstream' | 'downstream';
  readonly nothing: string;
}

const IMPACT_WORDS = { full_outage: 'stops without it', degraded_functionality: 'is degraded without it' } as const;

/** Services on one side of this one. */
export function Needs({ query, side, nothing }: Props) {
  return (
    <Region query={query} what="Its dependencies" skeleton={<Skeleton rows={2} height={30} />}>
      {({ [side]: found }) =>
        found.length === 0 ? (
          <Nothing>{nothing}</Nothing>
        ) : (
          <ul className={classes.rows}>
            {found.map(({ service_id: id, name, impact }) => (
              <li key={id} className={classes.row}>
                <Link to={`/services/${id}`} className={classes.rowMain}>
                  {name}
                </Link>
                <span className={classes.dim}>{IMPACT_WORDS[impact]}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Region>
  );
}
