import type { Database } from '#infra/embedded/redo-log/database.ts';

/** Position of each reader. */
export interface CursorTable {
  /** 0 when it has read nothing. */
  read(): number;
  write(position: number): void;
}

const PIPELINE_CURSOR = 'pipeline';

export const openCursorTable = (database: Database, name: string = PIPELINE_CURSOR): CursorTable => ({
  read: () => Number(database.statement('SELECT position FROM cursor WHERE name = ?').get(name)?.position ?? 0),
  write(position) {
    database.write(
      'INSERT INTO cursor VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position',
      name,
      position,
    );
  },
});
