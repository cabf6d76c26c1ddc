import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#domain/ports/clock.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import { lastBefore } from './events/row.ts';
import type { Tables } from './open-tables.ts';
import type { Database } from './redo-log/database.ts';

/** Events per transaction, so that a purge of millions does not block other work. */
const CHUNK = 200;

interface ExpiredRow {
  readonly id: string;
  readonly resolved: number;
}

/** Groups of tenant ?1 that nothing has joined since ?2 and that no event names, under any of their names: each event adds names to its own. */
const NAMED_BY_NONE = `SELECT g.id FROM grp g WHERE g.tenant = ?1 AND g.last < ?2
  AND NOT EXISTS (SELECT 1 FROM grp_name n WHERE n.tenant = g.tenant AND n.grp = g.id)`;

/** The place of `resolved` in STATUSES. */
const RESOLVED = 2;

export interface Retention {
  /**
   * Resolves open events and deletes resolved ones of all that were last seen and last received before `before` (ms).
   * Returns the number of deleted ones. Remaining events when `isStopping` holds wait for the next call.
   */
  purge(before: number, isStopping?: () => boolean): Promise<number>;
}

export const openRetention = (
  database: Database,
  { events, correlation }: Pick<Tables, 'events' | 'correlation'>,
  log: Pick<EventLog, 'append'>,
  clock: Clock,
): Retention => {
  const dueOf = (tenant: string, before: number): ExpiredRow[] => {
    const old = lastBefore(before);
    const select = `SELECT e.id, e.status = ${RESOLVED} AS resolved FROM tally t INDEXED BY tally_slot
       JOIN event e ON e.seq = t.seq WHERE t.tenant = ? AND ${old.text} AND t.updated_at < ? ORDER BY t.slot, t.last LIMIT ${CHUNK}`;
    return database.statement<ExpiredRow>(select).all(tenant, ...old.values, before);
  };
  const tenants = (): string[] =>
    database
      .statement('SELECT DISTINCT tenant FROM event_count')
      .all()
      .map(({ tenant }) => String(tenant));

  const inTurn = (work: () => void): Promise<void> => database.exclusive(() => database.transaction(work));
  const remove = (tenant: string, ids: readonly string[]): Promise<void> =>
    inTurn(() => {
      for (const id of ids) {
        events.remove(tenant, id);
        correlation.forget(tenant, id);
      }
    });
  const forgetGroups = (tenant: string, before: number): Promise<void> =>
    inTurn(() => {
      database.write(`DELETE FROM grp_alias WHERE tenant = ?1 AND grp IN (${NAMED_BY_NONE})`, tenant, before);
      database.write(`DELETE FROM grp WHERE tenant = ?1 AND id IN (${NAMED_BY_NONE})`, tenant, before);
    });

  /** An open event is first resolved by its owner, so that its subscribers are notified. */
  const purgeTenant = async (tenant: string, before: number, isStopping: () => boolean): Promise<number> => {
    let removed = 0;
    for (;;) {
      if (isStopping()) return removed;
      const due = dueOf(tenant, before);
      if (due.length === 0) break;
      const open = due.filter(({ resolved }) => !resolved);
      const receivedAt = clock.now();
      if (open.length > 0) {
        await log.append(
          tenant,
          open.map(({ id: eventId }) => ({ ask: { kind: 'expired', eventId }, receivedAt })),
        );
      }
      await remove(
        tenant,
        due.map(({ id }) => id),
      );
      removed += due.length;
      await setImmediate();
    }
    await forgetGroups(tenant, before);
    return removed;
  };
  return {
    async purge(before, isStopping = () => false) {
      let removed = 0;
      for (const tenant of tenants()) removed += await purgeTenant(tenant, before, isStopping);
      return removed;
    },
  };
};
