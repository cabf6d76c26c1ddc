import type { Changes } from '#infra/embedded/changes.ts';
import type { Landed, Writer } from '#infra/embedded/writer.ts';

/** What goes wrong; each is called before (`after`: after) the real thing and may throw. */
export interface Faults {
  commit?: (changes: Changes) => void;
  afterCommit?: () => void;
  /** Writes wait while this is true. */
  hold?: boolean;
}

interface Held {
  readonly changes: Changes;
  readonly landed: Landed;
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
  const pass = ({ changes, landed }: Held): void => {
    const n = writes++;
    const before = attempt(n, () => faults.commit?.(changes));
    // The real writer carries it out in any case, or answers would change their order: an empty write changes nothing.
    real.write(before === null ? changes : { texts: [], steps: [], values: [] }, (error, ms) => {
      landed(error ?? before ?? attempt(n, () => faults.afterCommit?.()), ms);
    });
  };
  const release = (): void => {
    for (const write of held.splice(0)) pass(write);
  };
  return {
    write(changes, landed) {
      held.push({ changes, landed });
      if (faults.hold !== true) release();
    },
    release,
    settle() {
      release();
      real.settle();
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
