import { clip, count, exactPercent, moment, tableOf } from '#cli/terminal/screen.ts';
import { percent } from '#domain/numbers.ts';
import type { Story } from '#features/demo/rules/story.ts';
import type { Measures } from './measures.ts';
import type { DemoReport, GroupLine } from './report.ts';
import type { Score } from './score.ts';

const listed = (words: readonly string[], most: number): string =>
  words.length <= most ? words.join(', ') : `${words.slice(0, most).join(', ')} +${words.length - most}`;

const rootText = ({ rootCause }: GroupLine): string =>
  rootCause ? `${rootCause.ci ?? 'no CI'}: ${clip(rootCause.title, 70)}` : 'none';

const why = ({ reasoning, confidence, strategies }: GroupLine): string =>
  `${reasoning.replaceAll('_', ' ')} (${percent(confidence)}); ${strategies.join(', ')}`;

const truthText = ({ truth }: GroupLine): string =>
  listed(
    truth.map(({ incident, events }) => `${incident ?? 'noise'} ${events}`),
    3,
  );

/** One line per group, in the order in which they began. */
export const groupTable = ({ groups }: DemoReport): string =>
  tableOf(
    [
      { title: 'from', width: 5 },
      { title: 'root cause', width: 34 },
      { title: 'events', right: true },
      { title: 'services affected', width: 18 },
      { title: 'why', width: 24 },
      { title: 'expected', width: 12 },
    ],
    groups.map((line) => [
      moment(line.start).slice(11, 16),
      rootText(line),
      String(line.events),
      listed(line.services, 4) || '–',
      why(line),
      truthText(line),
    ]),
  );

/** Returns the table of the results per incident. */
export const incidentTable = ({ score: { incidents } }: DemoReport, story: Story): string =>
  tableOf(
    [
      { title: 'incident', width: 58 },
      { title: 'events', right: true },
      { title: 'in one group', right: true },
      'root cause first',
    ],
    story.incidents.map(({ id, title }) => {
      const found = incidents.find(({ incident }) => incident === id);
      const first = found?.causeFirst ?? null;
      return [
        title,
        String(found?.events ?? 0),
        String(found?.held ?? 0),
        first === null ? 'no event' : first ? 'yes' : 'no',
      ];
    }),
  );

const number = (value: number | null): string => (value === null ? '–' : value.toFixed(3));
const causes = ({ causes: { first, known } }: Score): string => `${first} of ${known}`;

const hits = ({ hits: part, of }: Measures['hit1']): string => `${part} of ${of}`;

/** Figures that `npm run bench -- quality` measures as well. */
const measureRows = (reports: readonly DemoReport[]): string[][] => {
  const row = (title: string, value: (measures: Measures) => string): string[] => [
    title,
    ...reports.map(({ measures }) => value(measures)),
  ];
  return [
    row('root-cause CI ranked first (hit@1)', ({ hit1 }) => hits(hit1)),
    row('  within the first three (hit@3)', ({ hit3 }) => hits(hit3)),
    row('groups of 3 or more that are mostly noise', ({ noiseGroups }) => hits(noiseGroups)),
    row('calibration error (ECE), groups of 3+ events', ({ ece }) => number(ece)),
  ];
};

/** The profiles side by side. */
export const summaryTable = (reports: readonly DemoReport[]): string => {
  const row = (title: string, value: (report: DemoReport) => string): string[] => [title, ...reports.map(value)];
  return tableOf(
    [{ title: '', width: 50 }, ...reports.map(({ profile }) => ({ title: profile, width: 14, right: true }))],
    [
      row('payloads sent', ({ payloads }) => count(payloads)),
      row('alerts', ({ alerts }) => count(alerts)),
      row('events', ({ events }) => count(events)),
      row('groups', ({ groups }) => count(groups.length)),
      row('items to review (groups + single events)', ({ left }) => count(left)),
      row('noise reduction (alerts → items to review)', ({ noiseReduction }) => exactPercent(noiseReduction)),
      row('pairwise precision', ({ score }) => number(score.precision)),
      row('pairwise recall', ({ score }) => number(score.recall)),
      row('pairwise F1', ({ score }) => number(score.f1)),
      row('unrelated noise in groups', ({ score }) => exactPercent(score.noise.later.share)),
      row('  while learning background rates (4h)', ({ score }) => exactPercent(score.noise.early.share)),
      row('correct root cause ranked first', ({ score }) => causes(score)),
      ...measureRows(reports),
    ],
  );
};
