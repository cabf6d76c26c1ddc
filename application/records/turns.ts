import { Fault } from '#domain/fault.ts';
import type { Turns } from '#domain/ports/memory.ts';

/** Of one thing; each is a request that waits. */
const MOST_WAITING = 500;

interface Line {
  last: Promise<unknown>;
  length: number;
}

export class RecordTurns implements Turns {
  readonly #lines = new Map<string, Line>();

  /** Throws Fault `unavailable` when too many wait for the same thing. */
  async take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(thing) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= MOST_WAITING)
      throw new Fault('unavailable', `${MOST_WAITING} changes of the same record are waiting`, [], { retryAfter: 1 });
    line.length++;
    this.#lines.set(thing, line);
    const done = line.last.then(work);
    line.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      line.length--;
      if (line.length === 0) this.#lines.delete(thing);
    }
  }
}
