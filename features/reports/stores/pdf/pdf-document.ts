import type { Content, Definition, Sides, Style, Text } from 'pdfmake';
import { type Chart, isEmptyChart } from '#features/reports/rules/charts/chart.ts';
import { drawChart } from '#features/reports/rules/charts/draw-chart.ts';
import { INK, SINGLE } from '#features/reports/rules/charts/palette.ts';
import { coverLines } from '#features/reports/rules/document/cover-lines.ts';
import type { Figure, ReportDocument, ReportSection } from '#features/reports/rules/document/document.ts';
import { clockIn, printable, shown } from '#features/reports/rules/values/values.ts';
import { type Fonts, MAIN } from './fonts.ts';
import { PAGE_WIDTH, pdfTable, type Writing } from './pdf-table.ts';

/** Splits a text by the fonts that have its characters. */
const textIn =
  ({ runs }: Fonts) =>
  (text: string): Text => {
    const all = runs(printable(text));
    return all.every(({ font }) => font === MAIN) ? all.map((run) => run.text).join('') : all;
  };

const TEXTS = />([^<>]+)<\/text>/g;

/** Splits the texts of an SVG by font; they are escaped already. */
const pictureIn =
  ({ runs }: Fonts) =>
  (svg: string): string =>
    svg.replaceAll(TEXTS, (whole, text: string) => {
      const all = runs(text);
      if (all.every(({ font }) => font === MAIN)) return whole;
      return `>${all.map((run) => `<tspan font-family="${run.font}">${run.text}</tspan>`).join('')}</text>`;
    });

const MARGINS: Sides = [40, 44, 40, 48];

const STYLES: Readonly<Record<string, Style>> = {
  title: { fontSize: 22, bold: true },
  fact: { fontSize: 9, color: INK.axis },
  figure: { fontSize: 17, bold: true },
  figureLabel: { fontSize: 8, color: INK.axis },
  heading: { fontSize: 14, bold: true, margin: [0, 16, 0, 4] },
  chartTitle: { fontSize: 10, bold: true, margin: [0, 6, 0, 3] },
  table: { fontSize: 8, lineHeight: 1.05, margin: [0, 8, 0, 2] },
  tableTitle: { fontSize: 10, bold: true, margin: [0, 4, 0, 2] },
  tableHead: { bold: true, color: INK.axis },
  note: { fontSize: 8.5, italics: true, color: INK.axis, margin: [0, 2, 0, 4] },
  foot: { fontSize: 7.5, color: INK.axis },
};

const rule = (width: number, colour: string): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: PAGE_WIDTH, y2: 0, lineWidth: width, lineColor: colour }],
  margin: [0, 5, 0, 8],
});

const coverOf = ({ title, cover }: ReportDocument, { text, clock }: Writing): Content[] => [
  { text: text(title), style: 'title' },
  {
    style: 'fact',
    layout: 'noBorders',
    margin: [0, 4, 0, 0],
    table: {
      widths: [44, PAGE_WIDTH - 52],
      body: coverLines(cover, clock).map(([name, value]) => [name, { text: text(value), color: INK.text }]),
    },
  },
  rule(2, SINGLE),
];

const figuresOf = (figures: readonly Figure[], { text, clock }: Writing): Content[] => {
  if (figures.length === 0) return [];
  const cell = ({ label, value, kind }: Figure): Content => ({
    stack: [
      { text: text(shown(value, kind, clock)), style: 'figure' },
      { text: text(label), style: 'figureLabel' },
    ],
  });
  const width = PAGE_WIDTH / figures.length - 8;
  return [
    {
      table: { widths: figures.map(() => width), body: [figures.map(cell)] },
      layout: 'noBorders',
      margin: [0, 2, 0, 6],
    },
  ];
};

const listOf = (sentences: readonly string[], { text }: Writing): Content => ({
  ul: sentences.map((sentence) => ({ text: text(sentence), margin: [0, 1.5, 0, 1.5] })),
});

const chartOf = (chart: Chart, { text, picture, clock }: Writing): Content => ({
  stack: [
    { text: text(chart.title), style: 'chartTitle' },
    isEmptyChart(chart)
      ? { text: text(chart.empty), style: 'note' }
      : { svg: picture(drawChart(chart, clock)), width: PAGE_WIDTH },
  ],
  unbreakable: true,
});

/** Prevents a page break between the heading and the first chart. */
const sectionOf = ({ heading, text: sentences, charts, tables }: ReportSection, writing: Writing): Content[] => {
  const { text } = writing;
  const [first, ...others] = charts;
  const head: Content = {
    stack: [
      { text: text(heading), style: 'heading' },
      ...sentences.map((sentence): Content => ({ text: text(sentence), margin: [0, 1.5, 0, 1.5] })),
      ...(first === undefined ? [] : [chartOf(first, writing)]),
    ],
    unbreakable: true,
  };
  return [
    head,
    ...others.map((chart) => chartOf(chart, writing)),
    ...tables.flatMap((table) => pdfTable(table, writing, false)),
  ];
};

const LACKS =
  'Characters missing from the PDF fonts appear as boxes. Use format html, or set FAULTLINE_REPORT_FONTS to fonts that include them.';

/** Lays out a report in A4 portrait, with all rows of the document. */
export const pdfDocument = (document: ReportDocument, fonts: Fonts): Definition => {
  const { title, cover, figures, summary, sections, details } = document;
  const writing: Writing = { clock: clockIn(cover.zone), text: textIn(fonts), picture: pictureIn(fonts) };
  const { text, clock } = writing;
  const content = [
    ...coverOf(document, writing),
    ...figuresOf(figures, writing),
    { stack: [{ text: 'Summary', style: 'heading' }, listOf(summary, writing)], unbreakable: true },
    ...sections.flatMap((section) => sectionOf(section, writing)),
    ...pdfTable(details, writing, true),
  ];
  if (fonts.missing() > 0) content.push({ text: LACKS, style: 'note' });
  const foot = text(`${title} · ${cover.tenant} · ${clock.time(cover.madeAt)} (${cover.zone})`);
  return {
    content,
    styles: STYLES,
    pageSize: 'A4',
    pageMargins: MARGINS,
    language: 'en',
    displayTitle: true,
    defaultStyle: { font: 'Roboto', fontSize: 9.5, color: INK.text, lineHeight: 1.15 },
    info: {
      title: `${title}, ${cover.tenant}`,
      author: cover.by,
      creator: 'Faultline',
      creationDate: new Date(cover.madeAt),
    },
    footer: (page, pages) => ({
      columns: [
        { text: foot, style: 'foot' },
        { text: `${page} of ${pages}`, style: 'foot', alignment: 'right', width: 60 },
      ],
      margin: [MARGINS[0], 18, MARGINS[2], 0],
    }),
  };
};
