import { Link } from '@tanstack/react-router';
import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Nothing } from '#console/cis/panels.tsx';
import rows from '#console/data/rows.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import classes from './ci.module.css';
import { useReach } from './use-ci.ts';

const IMPACT_WORDS = { full_outage: 'would stop', degraded_functionality: 'would be degraded' } as const;

/** Services that its failure would affect. */
export function ServicesPanel({ ci }: { readonly ci: CiFacts }) {
  const reach = useReach(ci._id);
  const end = (
    <PageLink to={`/topology?ci=${ci._id}&mode=impact`} className={classes.panelLink}>
      What fails with it
    </PageLink>
  );
  return (
    <Panel title="Services that need it" end={end}>
      <Region query={reach} what="What needs it" skeleton={<Skeleton rows={2} height={30} />}>
        {({ services, total }) => (
          <>
            {services.length === 0 ? null : (
              <ul className={rows.rows}>
                {services.map(({ id, name, impact, criticality }) => (
                  <li key={id} className={rows.row}>
                    <Link to={`/services/${id}`} className={rows.rowMain}>
                      {name}
                    </Link>
                    <span>{IMPACT_WORDS[impact]}</span>
                    <span className={rows.dim}>{criticality} importance</span>
                  </li>
                ))}
              </ul>
            )}
            <Nothing>
              {services.length === 0 ? 'No service is known to need it. ' : ''}
              {total === 0 ? 'No other CI fails with it.' : `${count(total, 'other CI')} would fail with it.`}
            </Nothing>
          </>
        )}
      </Region>
    </Panel>
  );
}
