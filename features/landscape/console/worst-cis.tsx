import { PageLink } from '#console/cis/page-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import rows from '#console/data/rows.module.css';
import { Section } from '#console/frame/section.tsx';
import { useRead } from '#console/hooks/use-read.ts';
import { readLandscape } from './api.ts';
import classes from './landscape.module.css';
import * as text from './texts.ts';

const SHOWN = 8;

/** The CIs with the worst open events, as starts of a map, and the way to the landscape. */
export function WorstCis() {
  const landscape = useRead(['landscape', 'worst'], (call, signal) => readLandscape(call, { by: 'ci' }, signal));
  const worst = (landscape.data?.boxes ?? []).filter((box) => box.worst !== null).slice(0, SHOWN);
  return (
    <div className={classes.starts}>
      <Section
        title={text.worstCis}
        end={<PageLink to="/landscape">{text.openLandscape}</PageLink>}
        flush={worst.length > 0}
      >
        {landscape.data === undefined ? null : worst.length === 0 ? (
          text.noOpenEvents
        ) : (
          <ul className={rows.rows} aria-label={text.worstCis}>
            {worst.map(({ value, ci, worst: severity }) => (
              <li key={ci} className={rows.row}>
                {severity === null ? null : <SeverityMark severity={severity} />}
                <PageLink to={`/topology?ci=${ci}`}>{value}</PageLink>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}
