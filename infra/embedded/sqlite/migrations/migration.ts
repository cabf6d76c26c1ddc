import type { SQLOutputValue } from 'node:sqlite';

/** One step of the file's layout. Ids count from 1 without gaps; a published step never changes. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /** Functions of SQL that its statements call. */
  readonly functions?: Readonly<Record<string, (...values: readonly SQLOutputValue[]) => string>>;
  /** Any number of statements; all of them are applied or none. */
  readonly sql: string;
}
