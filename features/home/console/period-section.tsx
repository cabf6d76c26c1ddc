import { PageLink } from '#console/cis/page-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import rows from '#console/data/rows.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/text/counts.ts';
import { rowPath } from '#console/text/group-text.ts';
import { duration } from '#console/text/times.ts';
import type { HomeData } from './api.ts';
import classes from './home.module.css';
import { actionsWords } from './home-text.ts';
import { NumberLink } from './now-sections.tsx';
import * as text from './texts.ts';
import type { HomePeriodName } from './visit.ts';

type Period = HomeData['period'];

const PERIOD_WORDS = { visit: text.sinceVisit, '12h': text.last12Hours, '24h': text.last24Hours } as const;

function LongestRow({ row }: { readonly row: Period['longest'][number] }) {
  const { clock } = useAppServices();
  const { id, kind, title, severity, from, to } = row;
  const lasted = (to === null ? clock.now() : Date.parse(to)) - Date.parse(from);
  return (
    <li className={rows.row}>
      {severity === null ? null : <SeverityMark severity={severity} bare />}
      <span className={rows.rowMain}>
        <PageLink to={rowPath({ kind, correlationId: id })} className={classes.line}>
          <bdi>{title ?? text.untitled}</bdi>
        </PageLink>
      </span>
      <span>{text.lasted(duration(lasted), to === null)}</span>
    </li>
  );
}

/** One line each: begun and resolved groups, the longest ones, and the actions of each user. */
function PeriodLines({ period }: { readonly period: Period }) {
  const mayAudit = useMay('audit.read');
  const { from, began, unresolved, truncated, resolved, longest, users } = period;
  return (
    <ul className={rows.rows} aria-label={text.period}>
      <li className={rows.row}>
        <span className={rows.rowMain}>
          {text.began}
          <span className={rows.rowNote}>{text.beganNote(number(unresolved))}</span>
        </span>
        <strong>{`${number(began)}${truncated ? '+' : ''}`}</strong>
      </li>
      <li className={rows.row}>
        <span className={rows.rowMain}>{text.resolved}</span>
        <NumberLink value={resolved} to={`/groups?state=resolved&from=${from}`} />
      </li>
      {longest.map((row) => (
        <LongestRow key={row.id} row={row} />
      ))}
      {users.length === 0 ? <li className={rows.note}>{text.didNothing}</li> : null}
      {users.map(({ id, name, actions, last }) => (
        <li key={id} className={rows.row}>
          <span className={rows.rowMain}>
            {mayAudit ? (
              <PageLink to={`/admin/audit?actor=${id}`} className={classes.line}>
                {name}
              </PageLink>
            ) : (
              name
            )}{' '}
            {actionsWords(actions)}
          </span>
          <Timestamp at={last} />
        </li>
      ))}
    </ul>
  );
}

interface Props {
  readonly period: Period;
  readonly name: HomePeriodName;
  /** Periods to choose from. */
  readonly names: readonly HomePeriodName[];
  readonly onChange: (name: HomePeriodName) => void;
}

/** Changes since the last visit, or in some hours. */
export function PeriodSection({ period, name, names, onChange }: Props) {
  return (
    <Section
      title={PERIOD_WORDS[name]}
      flush
      lead={
        <>
          {text.since} <Timestamp at={period.from} isDated />
        </>
      }
      end={
        <Tabs
          label={text.period}
          value={name}
          tabs={names.map((value) => ({ value, words: PERIOD_WORDS[value] }))}
          onChange={onChange}
        />
      }
    >
      <PeriodLines period={period} />
    </Section>
  );
}
