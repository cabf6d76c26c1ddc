import type { Receipt } from '#domain/event/incoming.ts';
import type { Delivery } from '#domain/ports/processor.ts';
import type { Database } from './database.ts';

/** Answers to deliveries that carried an id of their own; the first answer counts. */
export interface DeliveryTable {
  get(tenant: string, id: string): Delivery | undefined;
  write(delivery: Delivery): boolean;
  /** Forgets answers given before `at` (ms); returns how many. */
  prune(at: number): number;
}

type Row = { at: number; position: number; receipt: string };

export const openDeliveryTable = (database: Database): DeliveryTable => ({
  get(tenant, id) {
    const row = database
      .statement('SELECT at, position, receipt FROM delivery WHERE tenant = ? AND id = ?')
      .get(tenant, id) as Row | undefined;
    return row && { tenant, id, at: row.at, position: row.position, receipt: JSON.parse(row.receipt) as Receipt };
  },
  write({ tenant, id, at, position, receipt }) {
    const statement = database.statement('INSERT INTO delivery VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING');
    return statement.run(tenant, id, at, position, JSON.stringify(receipt)).changes === 1;
  },
  prune: (at) => Number(database.statement('DELETE FROM delivery WHERE at < ?').run(at).changes),
});
