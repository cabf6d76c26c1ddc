import type { Recovery } from '#domain/pipeline/processor.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';

/** The last recovery of each condition, fenced by position. */
export interface RecoveryTable {
  write(recovery: Recovery): boolean;
  /** Those received at or after `since` (ms), by position. */
  since(since: number): Recovery[];
  /** Forgets those received before `at` (ms); returns how many. */
  prune(at: number): number;
}

interface RecoveryRow extends Omit<Recovery, 'eventId'> {
  readonly event: string | null;
}
const recoveryOf = ({ event, ...row }: RecoveryRow): Recovery => (event === null ? row : { ...row, eventId: event });

export const openRecoveryTable = (database: Database): RecoveryTable => ({
  write({ tenant, conditionId, at, receivedAt, position, eventId }) {
    const changes = database.write(
      `INSERT INTO recovery (tenant, condition, at, received_at, position, event) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET at = excluded.at, received_at = excluded.received_at, position = excluded.position,
         event = excluded.event
       WHERE excluded.position >= position`,
      tenant,
      conditionId,
      at,
      receivedAt,
      position,
      eventId ?? null,
    );
    return changes === 1;
  },
  since: (since) =>
    database
      .statement<RecoveryRow>(
        `SELECT tenant, condition AS conditionId, at, received_at AS receivedAt, position, event
         FROM recovery WHERE received_at >= ? ORDER BY position`,
      )
      .all(since)
      .map(recoveryOf),
  prune: (at) => database.write('DELETE FROM recovery WHERE received_at < ?', at),
});
