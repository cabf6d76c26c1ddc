import { setImmediate as nextTurn } from 'node:timers/promises';
import { slices } from '#domain/slices.ts';
import { type Chart, isEmptyChart } from '#features/reports/rules/charts/chart.ts';
import { coverLines } from '#features/reports/rules/document/cover-lines.ts';
import { MAX_SHOWN_ROWS, type ReportDocument, type Table } from '#features/reports/rules/document/document.ts';
import { firstRows, leftOut } from '#features/reports/rules/document/first-rows.ts';
import { clockIn, type LocalClock, printable, shown } from '#features/reports/rules/values/values.ts';

const ROWS_PER_TURN = 200;

/** Escapes external text, so that it contains no links, headings, cells or markup. */
const safe = (text: string): string =>
  printable(text)
    .replaceAll(/[\\`*_[\]<>|#~!&]/g, (sign) => `\\${sign}`)
    .replaceAll('://', '\\://')
    .replaceAll(/www\./gi, (name) => `${name.slice(0, 3)}\\.`);

const isNumber = (kind: string): boolean => kind !== 'text' && kind !== 'time' && kind !== 'day';

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

async function* tableParts(table: Table, clock: LocalClock, isInCsv: boolean): AsyncGenerator<string> {
  const { title, columns, rows, empty } = table;
  yield `\n### ${safe(title)}\n\n`;
  if (rows.length === 0) yield `*${safe(empty)}*\n`;
  else {
    yield lineOf(columns.map(({ label }) => safe(label)));
    yield lineOf(columns.map(({ kind }) => (isNumber(kind) ? '---:' : '---')));
    for (const some of slices(rows, ROWS_PER_TURN)) {
      const cell = (row: Table['rows'][number]) =>
        columns.map(({ kind }, n) => safe(shown(row[n] ?? null, kind, clock)));
      yield some.map((row) => lineOf(cell(row))).join('');
      await nextTurn();
    }
  }
  const left = leftOut(table, isInCsv);
  if (left !== null) yield `\n*${safe(left)}*\n`;
}

/** Lists the values of a chart instead of a picture. */
const chartText = (chart: Chart, clock: LocalClock): string => {
  const head = `\n**${safe(chart.title)}**\n\n`;
  if (isEmptyChart(chart)) return `${head}*${safe(chart.empty)}*\n`;
  const value = (one: number): string => safe(shown(one, chart.valueKind, clock));
  if (chart.kind === 'bars')
    return head + chart.items.map((item) => `- ${safe(item.label)}: ${value(item.value)}\n`).join('');
  const points = chart.points.filter(({ values }) => values.some((one) => one !== 0));
  const told = points.map(({ label, values }) => {
    const parts = chart.series.flatMap((name, n) => (values[n] ? [`${safe(name)} ${value(values[n])}`] : []));
    return `- ${safe(label)}: ${parts.join(', ')}\n`;
  });
  return head + told.join('');
};

/** Writes the report as text for wikis and tickets. */
export async function* markdownFile(whole: ReportDocument): AsyncGenerator<string> {
  const document = firstRows(whole, MAX_SHOWN_ROWS.md);
  const { title, cover, figures, summary, sections, details } = document;
  const clock = clockIn(cover.zone);
  yield `# ${safe(title)}\n\n`;
  yield coverLines(cover, clock)
    .map(([name, text]) => `- **${safe(name)}:** ${safe(text)}\n`)
    .join('');
  yield `\n${figures.map(({ label, value, kind }) => `- ${safe(label)}: **${safe(shown(value, kind, clock))}**\n`).join('')}`;
  yield `\n## Summary\n\n${summary.map((text) => `- ${safe(text)}\n`).join('')}`;
  for (const section of sections) {
    yield `\n## ${safe(section.heading)}\n${section.text.map((text) => `\n${safe(text)}\n`).join('')}`;
    for (const chart of section.charts) yield chartText(chart, clock);
    for (const table of section.tables) yield* tableParts(table, clock, false);
  }
  yield* tableParts(details, clock, true);
}
