import type { ReactNode } from 'react';
import { PageLink } from '#console/cis/page-link.tsx';
import rows from '#console/data/rows.module.css';
import { Section } from '#console/frame/section.tsx';
import { number } from '#console/text/counts.ts';
import type { NoiseData, NoisyCheckData } from './api.ts';
import classes from './noise.module.css';
import { changeWords, eventsPath, shareWords } from './noise-text.ts';
import * as text from './texts.ts';

interface Props {
  readonly noise: Pick<NoiseData, 'from' | 'now' | 'before'>;
  /** Shown where the checks themselves are not listed. */
  readonly noisiest?: NoisyCheckData | undefined;
  readonly end?: ReactNode;
}

/** Seven days beside the seven before. */
export function NoiseSection({ noise: { from, now, before }, noisiest, end }: Props) {
  const shares = [
    [text.inGroups, 'grouped'],
    [text.acknowledged, 'acknowledged'],
  ] as const;
  return (
    <Section title={text.noiseLast7Days} flush end={end}>
      <ul className={rows.rows} aria-label={text.noiseLast7Days}>
        <li className={rows.row}>
          <span className={rows.rowMain}>
            {text.events}
            <span className={rows.rowNote}>{changeWords(now.events, before.events)}</span>
          </span>
          <PageLink to={`/events?from=${from}`} className={classes.number}>
            {number(now.events)}
          </PageLink>
        </li>
        {noisiest === undefined ? null : (
          <li className={rows.row}>
            <span className={rows.rowMain}>
              <bdi>{noisiest.title}</bdi>
              <span className={rows.rowNote}>{text.noisiestCheck(noisiest.source)}</span>
            </span>
            <PageLink to={eventsPath(noisiest)} className={classes.number}>
              {number(noisiest.events)}
            </PageLink>
          </li>
        )}
        {shares.map(([words, part]) => (
          <li key={part} className={rows.row}>
            <span className={rows.rowMain}>
              {words}
              {before.events === 0 ? null : (
                <span className={rows.rowNote}>{text.before(shareWords(before[part], before.events))}</span>
              )}
            </span>
            <strong title={number(now[part])}>{shareWords(now[part], now.events)}</strong>
          </li>
        ))}
      </ul>
    </Section>
  );
}
