import Table from 'cli-table3';
import type { Problem } from './check.ts';
import type { Result } from './run.ts';

const SHOWN_PROBLEMS = 30;
const THROUGHOUT = 'throughout';

interface Row {
  strikes: number;
  acknowledged: number;
  unknown: number;
  lost: number;
  double: number;
  other: number;
  outages: number[];
  recoveries: (number | null)[];
}
const emptyRow = (): Row => ({
  strikes: 0,
  acknowledged: 0,
  unknown: 0,
  lost: 0,
  double: 0,
  other: 0,
  outages: [],
  recoveries: [],
});

/** `kill-api-3` → `kill-api`. */
const faultOf = (phase: string): string => phase.replace(/-\d+$/, '');

const rowsOf = (results: readonly Result[]): Map<string, Row> => {
  const rows = new Map<string, Row>();
  const row = (phase: string): Row => {
    const known = rows.get(faultOf(phase)) ?? emptyRow();
    rows.set(faultOf(phase), known);
    return known;
  };
  const count = ({ phase, kind }: Problem): void => {
    if (kind === 'lost' || kind === 'double') row(phase)[kind] += 1;
    else row(phase).other += 1;
  };
  for (const { struck, ledger, problems } of results) {
    for (const { phase, outageMs, recoveryMs } of struck) {
      row(phase).strikes += 1;
      row(phase).outages.push(outageMs);
      row(phase).recoveries.push(recoveryMs);
    }
    for (const { phase, acknowledged, unknown } of ledger.tallies.values()) {
      row(phase).acknowledged += acknowledged;
      row(phase).unknown += unknown;
    }
    problems.forEach(count);
  }
  return rows;
};

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
const range = (times: readonly (number | null)[]): string => {
  const known = times.filter((ms) => ms !== null).sort((a, b) => a - b);
  if (known.length < times.length) return 'never';
  return known.length === 0 ? '' : `${seconds(known[Math.floor(known.length / 2)]!)} / ${seconds(known.at(-1)!)}`;
};

const sumOf = (results: readonly Result[], of: (result: Result) => number): number =>
  results.reduce((sum, result) => sum + of(result), 0);

/** One line per fault; hosts with problems throughout have a line of their own. */
export const table = (results: readonly Result[]): string => {
  const shown = new Table({
    head: ['while', 'times', 'acknowledged', 'unknown', 'lost', 'double', 'other', 'outage s', 'recovery s'],
    style: { head: [], border: [] },
  });
  const rows = [...rowsOf(results)].sort(
    ([a], [b]) => Number(a === THROUGHOUT) - Number(b === THROUGHOUT) || (a < b ? -1 : 1),
  );
  for (const [name, { strikes, acknowledged, unknown, lost, double, other, outages, recoveries }] of rows)
    shown.push([name, strikes || '', acknowledged, unknown, lost, double, other, range(outages), range(recoveries)]);
  return shown.toString();
};

export const summary = (results: readonly Result[]): string => {
  const answers = new Map<string, number>();
  for (const { ledger } of results)
    for (const [status, times] of ledger.answers) answers.set(status, (answers.get(status) ?? 0) + times);
  const told = [...answers].sort().map(([status, times]) => `${status}: ${times}`);
  const acknowledged = (of: 'acknowledged' | 'unknown') =>
    sumOf(results, ({ ledger }) => [...ledger.tallies.values()].reduce((sum, one) => sum + one[of], 0));
  const problems = results.flatMap((result) => result.problems);
  const kinds = (kind: Problem['kind']) => problems.filter((one) => one.kind === kind).length;
  return [
    `seeds ${results.map(({ seed }) => seed).join(', ')}: ${sumOf(results, ({ struck }) => struck.length)} faults`,
    `answers by status: ${told.join(', ')}; the slowest took ${seconds(Math.max(...results.map(({ ledger }) => ledger.slowestMs)))} s`,
    `${acknowledged('acknowledged')} occurrences acknowledged, ${acknowledged('unknown')} unknown, ${sumOf(results, ({ ledger }) => ledger.resent)} requests sent again`,
    `stored: ${sumOf(results, ({ stored }) => stored.events)} events, ${sumOf(results, ({ stored }) => stored.decisions)} decisions, ${sumOf(results, ({ stored }) => stored.groups)} groups`,
    `poison: ${sumOf(results, ({ poison }) => poison.appended)} records, ${sumOf(results, ({ poison }) => poison.found)} dead letters`,
    `${kinds('lost')} lost, ${kinds('double')} counted twice, ${kinds('differs')} different from a clean replay, ${kinds('lie')} wrong answers, ${kinds('poison')} dead letters wrong, ${kinds('lag')} times too slow`,
  ].join('\n');
};

export const problemLines = ({ seed, problems }: Result): string[] => [
  ...problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ kind, phase, what }) => `seed ${seed}: ${kind} (${phase}): ${what.slice(0, 400)}`),
  ...(problems.length > SHOWN_PROBLEMS ? [`seed ${seed}: and ${problems.length - SHOWN_PROBLEMS} more`] : []),
];

export const jsonLine = ({ seed, struck, ledger, poison, stored, problems }: Result): string =>
  JSON.stringify({ seed, struck, answers: Object.fromEntries(ledger.answers), poison, stored, problems });
