import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Age } from '#console/components/age.tsx';
import { GroupTitle } from '#console/components/group-title.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import type { FileColumn } from '#console/data/csv/csv.ts';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import rows from '#console/data/rows.module.css';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Section } from '#console/frame/section.tsx';
import { number } from '#console/text/counts.ts';
import { groupTitle, hitWords, openWords, rowPath } from '#console/text/group-text.ts';
import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { HomeData } from './api.ts';
import classes from './home.module.css';
import * as text from './texts.ts';

type Now = HomeData['now'];

/** A number with a link to its list. */
export function NumberLink({ value, to }: { readonly value: number; readonly to: string }) {
  return (
    <PageLink to={to} className={classes.number}>
      {number(value)}
    </PageLink>
  );
}

interface ListSectionProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly none: string;
  readonly end?: ReactNode;
  /** Columns of the rows as a file. */
  readonly columns?: readonly FileColumn<Row>[];
  readonly idOf: (row: Row) => string;
  readonly line: (row: Row) => ReactNode;
}
/** Rows below a heading, or that there are none. */
function ListSection<Row>({ title, rows: shown, none, end, columns, idOf, line }: ListSectionProps<Row>) {
  const file =
    columns === undefined || shown.length === 0 ? null : (
      <ExportRows name={title.toLowerCase().replaceAll(' ', '-')} columns={columns} rows={shown} />
    );
  return (
    <Section
      title={title}
      flush
      end={
        <>
          {file}
          {end}
        </>
      }
    >
      <ul className={rows.rows} aria-label={title}>
        {shown.length === 0 ? <li className={rows.note}>{none}</li> : null}
        {shown.map((row) => (
          <li key={idOf(row)} className={rows.row}>
            {line(row)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Groups by severity, with a column for each status. */
export function GroupCounts({ groups }: { readonly groups: Now['groups'] }) {
  const counted = (title: string, status: 'active' | 'acknowledged'): SimpleColumn<Severity> => {
    const value = (severity: Severity): number =>
      groups.find((one) => one.status === status && one.severity === severity)?.count ?? 0;
    const cell = (severity: Severity) => (
      <NumberLink value={value(severity)} to={`/groups?state=${status}&severity=${severity}`} />
    );
    return { title, isNumber: true, cell, value };
  };
  const columns: readonly SimpleColumn<Severity>[] = [
    {
      title: text.severity,
      isName: true,
      isWide: true,
      cell: (severity) => <SeverityMark severity={severity} />,
      value: (severity) => severity,
    },
    counted(text.active, 'active'),
    counted(text.acknowledged, 'acknowledged'),
  ];
  const shown = SEVERITIES.filter((severity) => groups.some((one) => one.severity === severity));
  return (
    <Section
      title={text.now}
      flush={shown.length > 0}
      end={shown.length === 0 ? null : <ExportRows name="groups-by-state" columns={columns} rows={shown} />}
    >
      {shown.length === 0 ? (
        text.noOpenGroups
      ) : (
        <SimpleTable label={text.groupsByState} rows={shown} idOf={(severity) => severity} columns={columns} />
      )}
    </Section>
  );
}

const GROUP_COLUMNS: readonly FileColumn<GroupRow>[] = [
  { title: text.severity, cell: ({ severity }) => severity },
  { title: text.title, cell: groupTitle },
  { title: text.openEvents, cell: openWords },
  { title: text.impact, cell: hitWords },
  { title: text.started, cell: ({ timeSpan: { start } }) => start },
];

interface GroupsSectionProps {
  readonly title: string;
  readonly none: string;
  readonly groups: readonly GroupRow[];
  /** Links to all of them. */
  readonly end: ReactNode;
}
/** The most urgent groups of a list. */
export function GroupsSection({ title, none, groups, end }: GroupsSectionProps) {
  return (
    <ListSection
      title={title}
      rows={groups}
      none={none}
      end={end}
      columns={GROUP_COLUMNS}
      idOf={({ correlationId }) => correlationId}
      line={(group) => (
        <>
          {group.severity === null ? null : <SeverityMark severity={group.severity} bare />}
          <span className={rows.rowMain}>
            <PageLink to={rowPath(group)} className={classes.line}>
              <GroupTitle group={group} />
            </PageLink>
            <span className={rows.rowNote}>
              {[openWords(group), hitWords(group)].filter((words) => words !== '').join(' · ')}
            </span>
          </span>
          <Age since={group.timeSpan.start} />
        </>
      )}
    />
  );
}

export function ServicesSection({ services }: { readonly services: NonNullable<Now['services']> }) {
  return (
    <ListSection
      title={text.services}
      rows={services.slice(0, 10)}
      none={text.noServices}
      end={services.length === 0 ? null : <NumberLink value={services.length} to="/services" />}
      columns={[
        { title: text.service, cell: ({ name }) => name },
        { title: text.score, cell: ({ score }) => Math.round(score) },
      ]}
      idOf={({ id }) => id}
      line={({ id, name, score }) => (
        <>
          <Link to={`/services/${id}`} className={`${rows.rowMain} ${classes.line}`}>
            {name}
          </Link>
          <NumberLink value={Math.round(score)} to={`/services/${id}`} />
        </>
      )}
    />
  );
}

export function SourcesSection({ sources }: { readonly sources: Now['silentSources'] }) {
  return (
    <ListSection
      title={text.sources}
      rows={sources}
      none={text.noSources}
      columns={[
        { title: text.source, cell: ({ title }) => title },
        { title: text.lastDataTitle, cell: ({ lastEventAt }) => lastEventAt },
      ]}
      idOf={({ name }) => name}
      line={({ title, eventId, lastEventAt }) => (
        <>
          <PageLink to={`/events?event=${eventId}`} className={`${rows.rowMain} ${classes.line}`}>
            {title}
          </PageLink>
          <Age since={lastEventAt} before={text.lastData} />
        </>
      )}
    />
  );
}

export function SilencesSection({ silences }: { readonly silences: Now['silencesEnding'] }) {
  return (
    <ListSection
      title={text.silences}
      rows={silences}
      none={text.noSilences}
      columns={[
        { title: text.reason, cell: ({ reason }) => reason },
        { title: text.createdBy, cell: ({ createdBy }) => createdBy },
        { title: text.endsTitle, cell: ({ endsAt }) => endsAt },
      ]}
      idOf={({ id }) => id}
      line={({ reason, createdBy, endsAt }) => (
        <>
          <span className={rows.rowMain}>
            <Link to="/silences" className={classes.line}>
              {reason}
            </Link>
            <span className={rows.rowNote}>{createdBy}</span>
          </span>
          <span>
            {text.ends} <Timestamp at={endsAt} />
          </span>
        </>
      )}
    />
  );
}
