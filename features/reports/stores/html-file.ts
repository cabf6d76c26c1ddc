import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { slices } from '#domain/slices.ts';
import { isEmptyChart } from '#features/reports/rules/charts/chart.ts';
import { drawChart } from '#features/reports/rules/charts/draw-chart.ts';
import { escaped } from '#features/reports/rules/charts/svg.ts';
import { coverLines } from '#features/reports/rules/document/cover-lines.ts';
import { MAX_SHOWN_ROWS, type ReportDocument, type Table } from '#features/reports/rules/document/document.ts';
import { firstRows, leftOut } from '#features/reports/rules/document/first-rows.ts';
import { clockIn, type LocalClock, printable, shown } from '#features/reports/rules/values/values.ts';

const ROWS_PER_TURN = 200;

const STYLE = `
:root { color: #1f2328; background: #fff; font: 14px/1.45 Roboto, "Segoe UI", "Noto Sans", Arial, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.9rem; margin: 0 0 .4rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
h1, h2, h3, p, dd, li { overflow-wrap: anywhere; }
header { border-bottom: 3px solid #2f5d8a; padding-bottom: .8rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; color: #57606a; } dd { margin: 0; color: #1f2328; }
.figures { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0; } .figures div { border: 1px solid #d0d7de; border-radius: 4px; padding: .5rem .9rem; min-width: 7rem; }
.figures b { display: block; font-size: 1.5rem; font-weight: 600; } .figures span { color: #57606a; }
svg { max-width: 100%; height: auto; } figure { margin: 1rem 0; break-inside: avoid; } figcaption { font-weight: 600; margin-bottom: .3rem; }
.table { overflow-x: auto; } td, th { overflow-wrap: normal; word-break: normal; hyphens: manual; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; } thead { display: table-header-group; }
th { text-align: left; border-bottom: 2px solid #57606a; padding: .3rem .5rem; vertical-align: bottom; }
td { border-bottom: 1px solid #d0d7de; padding: .25rem .5rem; vertical-align: top; } tr { break-inside: avoid; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; } .note { color: #57606a; font-style: italic; }
@page { size: A4; margin: 16mm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } h2, h3 { break-after: avoid; } }
`;
/** Blocks scripts and all resources except the stylesheet, which is identified by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Escapes external text between tags. */
const safe = (text: string): string => escaped(printable(text));

const isNumber = (kind: string): boolean => kind !== 'text' && kind !== 'time' && kind !== 'day';

async function* tableParts(table: Table, clock: LocalClock, isInCsv: boolean): AsyncGenerator<string> {
  const { title, columns, rows, empty } = table;
  yield `<h3>${safe(title)}</h3>`;
  if (rows.length === 0) yield `<p class="note">${safe(empty)}</p>`;
  else {
    const classes = columns.map(({ kind }) => (isNumber(kind) ? ' class="number"' : ''));
    const heads = columns.map(({ label }, n) => `<th scope="col"${classes[n]}>${safe(label)}</th>`);
    yield `<div class="table"><table><thead><tr>${heads.join('')}</tr></thead><tbody>\n`;
    for (const some of slices(rows, ROWS_PER_TURN)) {
      const lines = some.map((row) => {
        const cells = columns.map(({ kind }, n) => `<td${classes[n]}>${safe(shown(row[n] ?? null, kind, clock))}</td>`);
        return `<tr>${cells.join('')}</tr>\n`;
      });
      yield lines.join('');
      await nextTurn();
    }
    yield '</tbody></table></div>';
  }
  const left = leftOut(table, isInCsv);
  if (left !== null) yield `<p class="note">${safe(left)}</p>`;
}

const headOf = ({ title, cover, figures, summary }: ReportDocument, clock: LocalClock): string => {
  const facts = coverLines(cover, clock).map(([name, text]) => `<dt>${safe(name)}</dt><dd>${safe(text)}</dd>`);
  const boxes = figures.map(({ label, value, kind }) => {
    return `<div><b>${safe(shown(value, kind, clock))}</b><span>${safe(label)}</span></div>`;
  });
  const sentences = summary.map((text) => `<li>${safe(text)}</li>`);
  return [
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<meta name="viewport" content="width=device-width"><title>${safe(`${title}, ${cover.tenant}`)}</title><style>${STYLE}</style></head>\n`,
    `<body><header><h1>${safe(title)}</h1><dl>${facts.join('')}</dl></header>\n`,
    `<div class="figures">${boxes.join('')}</div><h2>Summary</h2><ul>${sentences.join('')}</ul>\n`,
  ].join('');
};

/** Writes a self-contained, printable page. */
export async function* htmlFile(whole: ReportDocument): AsyncGenerator<string> {
  const document = firstRows(whole, MAX_SHOWN_ROWS.html);
  const clock = clockIn(document.cover.zone);
  yield headOf(document, clock);
  for (const { heading, text, charts, tables } of document.sections) {
    yield `<section><h2>${safe(heading)}</h2>${text.map((one) => `<p>${safe(one)}</p>`).join('')}`;
    for (const chart of charts) {
      const drawn = isEmptyChart(chart) ? `<p class="note">${safe(chart.empty)}</p>` : drawChart(chart, clock);
      yield `<figure><figcaption>${safe(chart.title)}</figcaption>${drawn}</figure>`;
      await nextTurn();
    }
    for (const table of tables) yield* tableParts(table, clock, false);
    yield '</section>\n';
  }
  yield '<section>';
  yield* tableParts(document.details, clock, true);
  yield '</section></body></html>\n';
}
