import type { DatabaseSync } from 'node:sqlite';

/**
 * Rows between two checks: SQLite calls a function of ours in about a microsecond, and compares a number in some
 * nanoseconds.
 */
const ROWS = 1_024;
const NAME = 'interruptible';

/**
 * Node's SQLite cannot interrupt a statement, and a thread within one cannot be ended. Statements that may visit many rows call this
 * function now and then, which throws when they are to end.
 */
export function letInterrupt(db: DatabaseSync, look: () => void): void {
  db.function(NAME, () => {
    look();
    return 1;
  });
}

/** A condition that always holds, for a table whose rows have this number. */
export const interruptible = (seq: string): string => `(${seq} % ${ROWS} <> 0 OR ${NAME}())`;
