/**
 * Finds CIs by the identifiers that a scanner reports: names and addresses in memory, hardware in a table of its own.
 */
import { itemAt } from '#domain/assert.ts';
import { nodesIn } from '#domain/topology/binding.ts';
import { type FindCis, type MachineKeys, type MatchedCis, type MatchIndex, matchOne } from '#domain/topology/match.ts';
import type { TenantTopology } from './memory.ts';
import type { Statements } from './rows.ts';

const ADD = 'INSERT INTO ci_hardware (tenant, mark, ci) VALUES (?, ?, ?)';
const DROP = 'DELETE FROM ci_hardware WHERE tenant = ? AND ci = ?';
const MARKS = 'SELECT mark FROM ci_hardware WHERE tenant = ? AND ci = ?';
/** Bound texts are not looked up by thousands: a machine has a serial number and a few interfaces. */
const FIND = 'SELECT ci FROM ci_hardware WHERE tenant = ? AND mark = ? ORDER BY ci LIMIT 11';

/** Runs within the transaction that writes the CI; `known`: it existed before. Writes only differences. */
export function writeHardware(
  db: Statements,
  tenant: string,
  ci: string,
  marks: readonly string[],
  known: boolean,
): void {
  if (known) {
    const stored = db.statement<{ mark: string }>(MARKS).all(tenant, ci);
    if (stored.length === marks.length && stored.every(({ mark }) => marks.includes(mark))) return;
    db.statement(DROP).run(tenant, ci);
  }
  for (const mark of marks) db.statement(ADD).run(tenant, mark, ci);
}

export const dropHardware = (db: Statements, tenant: string, ci: string): void => {
  db.statement(DROP).run(tenant, ci);
};

const finder =
  (db: Statements, { directory, graph }: TenantTopology, tenant: string): FindCis =>
  (index: MatchIndex, text: string) => {
    if (index !== 'hardware') return nodesIn(directory[index], text).map((node) => itemAt(graph.ids, node));
    return db
      .statement<{ ci: string }>(FIND)
      .all(tenant, text)
      .map(({ ci }) => ci);
  };

export function matchIn(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  machines: readonly MachineKeys[],
): MatchedCis[] {
  const find = finder(db, topology, tenant);
  return machines.map((machine) => matchOne(find, machine));
}
