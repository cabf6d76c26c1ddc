/** What a report as PDF takes, and what the process beside it notices: docs/reports.md, "Report limits". */
import type { Row } from '../../../bench/report.ts';
import { runScript } from '../../../bench/server.ts';
import type { Measured } from './reports-run.ts';

const ROWS = 2_000;
const ROUNDS = 3;

interface Options {
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}

const most = (all: readonly Measured[], of: (one: Measured) => number): number => Math.max(...all.map(of));

export const reports = async ({ directory, scale, progress }: Options): Promise<Row[]> => {
  progress('reports: filling, then making them');
  const rows = Math.round(ROWS * scale);
  const told = await runScript('features/reports/bench/reports-run.ts', directory, rows, ROUNDS);
  // What the log says stands before it.
  const all = JSON.parse(told.trim().split('\n').at(-1)!) as Measured[];
  const [seconds, memory] = [most(all, (one) => one.seconds), most(all, (one) => one.memoryMb)];
  const [busy, pause] = [most(all, (one) => one.busyMs), most(all, (one) => one.pauseMs)];
  return [
    {
      what: `PDF of ${rows.toLocaleString('en')} rows, slowest of ${all.length}`,
      value: seconds,
      unit: 's',
      target: '≤ 10',
      met: seconds <= 10,
      note: `${most(all, (one) => one.pages)} pages, ${Math.round(most(all, (one) => one.bytes) / 1_000)} kB`,
    },
    { what: 'memory of the process beyond before', value: memory, unit: 'MB', target: '≤ 400', met: memory <= 400 },
    {
      what: 'longest work of the main thread in one turn',
      value: busy,
      unit: 'ms',
      target: '≤ 50',
      met: busy <= 50,
      baseline: most(all, (one) => one.calmBusyMs),
      of: 'without a report',
      note: 'processor time',
    },
    {
      what: 'longest pause of the main thread',
      value: pause,
      unit: 'ms',
      target: '≤ 50',
      met: pause <= 50,
      baseline: most(all, (one) => one.calmPauseMs),
      of: 'without a report',
      note: '100 events a second meanwhile; others on the machine count',
    },
  ];
};
