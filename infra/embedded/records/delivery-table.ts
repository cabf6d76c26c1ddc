import type { Receipt } from '#domain/event/incoming.ts';
import type { AnsweredDelivery } from '#domain/pipeline/processor.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { WriteBehindCache } from '#infra/embedded/redo-log/write-behind.ts';

/** Answers to deliveries that carried an id of their own; the first answer counts. */
export interface DeliveryTable {
  /** Including pending batches. */
  get(tenant: string, id: string): AnsweredDelivery | undefined;
  write(delivery: AnsweredDelivery): boolean;
  /** Forgets answers given before `at` (ms); returns how many. */
  prune(at: number): number;
}

type DeliveryRow = { at: number; position: number; receipt: string };

const keyOf = (tenant: string, id: string): string => `${tenant} ${id}`;

export const openDeliveryTable = (database: Database): DeliveryTable => {
  const pending = database.addListener((isRecording) => new WriteBehindCache<string, AnsweredDelivery>(isRecording));
  const stored = (tenant: string, id: string): AnsweredDelivery | undefined => {
    const row = database
      .statement('SELECT at, position, receipt FROM delivery WHERE tenant = ? AND id = ?')
      .get(tenant, id) as DeliveryRow | undefined;
    return row && { tenant, id, at: row.at, position: row.position, receipt: JSON.parse(row.receipt) as Receipt };
  };
  return {
    get: (tenant, id) => pending.get(keyOf(tenant, id)) ?? stored(tenant, id),
    write(delivery) {
      const { tenant, id, at, position, receipt } = delivery;
      pending.set(keyOf(tenant, id), delivery);
      const values = [tenant, id, at, position, JSON.stringify(receipt)];
      return database.write('INSERT INTO delivery VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING', ...values) === 1;
    },
    prune: (at) => database.write('DELETE FROM delivery WHERE at < ?', at),
  };
};
