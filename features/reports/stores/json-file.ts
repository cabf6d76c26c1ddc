import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn, ReportDocument, Table } from '#features/reports/rules/document/document.ts';
import { plain } from '#features/reports/rules/values/values.ts';

const ROWS_PER_TURN = 500;

const iso = (ms: number): string => new Date(ms).toISOString();

const columnBody = ({ key, label, kind }: ReportColumn) => ({
  key,
  label,
  kind,
  ...(kind === 'duration' && { unit: 'seconds' }),
});

const rowBody = (columns: readonly ReportColumn[], row: Table['rows'][number]) =>
  Object.fromEntries(columns.map(({ key, kind }, n) => [key, plain(row[n] ?? null, kind)]));

const tableBody = ({ title, columns, rows, total }: Table) => ({
  title,
  total,
  columns: columns.map(columnBody),
  rows: rows.map((row) => rowBody(columns, row)),
});

const chartBody = (chart: Chart) => {
  const { title, measure, valueKind: kind } = chart;
  const value = (one: number) => plain(one, kind);
  if (chart.kind === 'bars')
    return {
      title,
      measure,
      kind,
      items: chart.items.map((item) => ({ label: item.label, value: value(item.value) })),
    };
  const points = chart.points.map(({ label, values }) => ({ label, values: values.map(value) }));
  return { title, measure, kind, axis: chart.axis, series: chart.series, points };
};

/** Writes the whole report in parts; times are ISO 8601, durations seconds, shares fractions. */
export async function* jsonFile(document: ReportDocument): AsyncGenerator<string> {
  const { template, title, cover, figures, summary, sections, details } = document;
  const head = {
    report: {
      template,
      title,
      tenant: cover.tenant,
      scope: cover.scope,
      time_zone: cover.zone,
      range: cover.range && { from: iso(cover.range.from), to: iso(cover.range.to) },
      made_at: iso(cover.madeAt),
      made_by: cover.by,
    },
    figures: figures.map(({ label, value, kind }) => ({ label, kind, value: plain(value, kind) })),
    summary,
    sections: sections.map(({ heading, text, charts, tables }) => ({
      heading,
      text,
      charts: charts.map(chartBody),
      tables: tables.map(tableBody),
    })),
  };
  const { rows, ...rest } = tableBody({ ...details, rows: [] });
  // The rows are last in the object, so that they can be appended.
  yield `${JSON.stringify(head).slice(0, -1)},"details":${JSON.stringify(rest).slice(0, -1)},"rows":[`;
  for (let from = 0; from < details.rows.length; from += ROWS_PER_TURN) {
    const some = details.rows.slice(from, from + ROWS_PER_TURN);
    const text = some.map((row) => JSON.stringify(rowBody(details.columns, row))).join(',');
    yield from === 0 ? text : `,${text}`;
    await nextTurn();
  }
  yield ']}}\n';
}
