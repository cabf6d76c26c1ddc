import type { RowChanges } from '#infra/embedded/journal/statements.ts';
import type { WriteListener, Writer } from '#infra/embedded/journal/writer.ts';

/** What goes wrong; each is called before (`after`: after) the real thing and may throw. */
export interface Faults {
  commit?: (changes: RowChanges) => void;
  afterCommit?: () => void;
  /** Writes wait while this is true. */
  hold?: boolean;
}

interface Held {
  readonly changes: RowChanges;
  readonly told: WriteListener;
}

/** A writer that can be made to fail, and to keep what it was given in flight. */
export const faultyWriter = (real: Writer, faults: Faults): Writer & { release(): void } => {
  const held: Held[] = [];
  let failure: { readonly from: number; readonly error: Error } | null = null;
  let writes = 0;
  /** What is wrong with the write of this number: a fault of its own, or one before it. */
  const attempt = (n: number, work: () => void): Error | null => {
    if (failure !== null && failure.from <= n) return failure.error;
    try {
      work();
      return null;
    } catch (error) {
      failure = { from: n, error: error as Error };
      return failure.error;
    }
  };
  const pass = ({ changes, told }: Held): void => {
    const n = writes++;
    const before = attempt(n, () => faults.commit?.(changes));
    // The real writer carries it out in any case, or answers would change their order: an empty write changes nothing.
    let failed: Error | null = null;
    real.write(before === null ? changes : { texts: [], steps: [], values: [] }, {
      durable(error) {
        failed = error ?? before ?? attempt(n, () => faults.afterCommit?.());
        told.durable(failed);
      },
      applied() {
        if (failed === null) told.applied();
      },
    });
  };
  const release = (): void => {
    for (const write of held.splice(0)) pass(write);
  };
  return {
    write(changes, told) {
      held.push({ changes, told });
      if (faults.hold !== true) release();
    },
    release,
    applyNow: () => real.applyNow(),
    waitApplied() {
      release();
      real.waitApplied();
    },
    resume() {
      failure = null;
      real.resume();
    },
    close() {
      release();
      return real.close();
    },
  };
};
