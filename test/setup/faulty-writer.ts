import type { RowChanges } from '#infra/embedded/redo-log/statements.ts';
import type { Writer, WriterEvents } from '#infra/embedded/redo-log/writer.ts';

/** Simulated faults; each is called before (`after`: after) the real thing and may throw. */
export interface Faults {
  commit?: (changes: RowChanges) => void;
  afterCommit?: () => void;
  /** Batches wait while this is true. */
  hold?: boolean;
}

/** A writer that can be made to fail, and to hold back its batches. */
export const faultyWriter = (
  open: (events: WriterEvents) => Writer,
  events: WriterEvents,
  faults: Faults,
): Writer & { release(): void } => {
  const held: { readonly batch: number; readonly changes: RowChanges }[] = [];
  /** Batches that the real writer carries out, though they are reported as failed. */
  const failed = new Set<number>();
  let failure: { readonly from: number; readonly error: Error } | null = null;
  /** Returns the error of the batch: a fault of its own, or one before it. */
  const attempt = (batch: number, work: () => void): Error | null => {
    if (failure !== null && failure.from <= batch) return failure.error;
    try {
      work();
      return null;
    } catch (error) {
      failure = { from: batch, error: error as Error };
      return failure.error;
    }
  };
  const before = new Map<number, Error>();
  const lose = (batch: number, error: Error): void => {
    failed.add(batch);
    events.batchLost(batch, error);
  };
  const real = open({
    batchDurable(batch) {
      const error = before.get(batch) ?? attempt(batch, () => faults.afterCommit?.());
      if (error === null) events.batchDurable(batch);
      else lose(batch, error);
    },
    batchLost: lose,
    batchApplied(batch) {
      if (!failed.has(batch)) events.batchApplied(batch);
    },
    storeFailed: (error) => events.storeFailed(error),
    changesRefused: (all) => events.changesRefused(all),
  });
  const release = (): void => {
    for (const { batch, changes } of held.splice(0)) {
      const error = attempt(batch, () => faults.commit?.(changes));
      if (error !== null) before.set(batch, error);
      // The real writer carries it out in any case, or answers would change their order: an empty batch changes nothing.
      real.write(batch, error === null ? changes : { texts: [], steps: [], values: [] });
    }
  };
  return {
    write(batch, changes) {
      held.push({ batch, changes });
      if (faults.hold !== true) release();
    },
    release,
    applyNow: () => real.applyNow(),
    wroteBeside: () => real.wroteBeside(),
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
