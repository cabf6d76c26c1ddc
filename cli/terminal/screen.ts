import Table from 'cli-table3';
import { forTerminal } from '#domain/texts/unseen.ts';

/** Output of commands. */
export interface Screen {
  print(text: string): void;
  /** Bars and colors on a terminal only. */
  readonly isTerminal: boolean;
}

export const processScreen: Screen = { print: (text) => console.log(text), isTerminal: process.stdout.isTTY === true };

export interface ScreenColumn {
  readonly title: string;
  /** Characters of text; longer text is broken between words. */
  readonly width?: number;
  readonly right?: boolean;
}

/** A table without colors, so that it can be copied and compared. */
export const tableOf = (titled: readonly (string | ScreenColumn)[], rows: readonly (readonly string[])[]): string => {
  const columns: ScreenColumn[] = titled.map((one) => (typeof one === 'string' ? { title: one } : one));
  const table = new Table({
    head: columns.map(({ title }) => title),
    colWidths: columns.map(({ width }) => (width === undefined ? null : width + 2)),
    colAligns: columns.map(({ right }) => (right ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
    wordWrap: true,
  });
  table.push(...rows.map((row) => row.map(forTerminal)));
  return table.toString();
};

export const exactPercent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)}%`);
export const count = (n: number): string => n.toLocaleString('en-US');
/** `1 service`, `1,200 services`. */
export const counted = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? '' : 's'}`;
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;
/** `2026-11-21 11:04:12`, UTC. */
export const moment = (iso: string): string => iso.slice(0, 19).replace('T', ' ');
