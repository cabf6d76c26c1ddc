/** Reasons why a store of the topology refuses a change. */
import { Fault } from '#domain/fault.ts';

const changedSince = (what: string, id: string, stored: number): Fault =>
  new Fault('precondition', `${what} ${id} was modified: current revision is ${stored}. Fetch it again and retry`);

/** `stored` is null for a missing object: a later version would restore it after its end. */
export function assertNewerRevision(what: string, id: string, stored: number | null, revision: number): void {
  if (stored !== null && revision <= stored) throw changedSince(what, id, stored);
  if (stored === null && revision > 1) throw new Fault('precondition', `${what} ${id} was deleted`);
}

/** A removal that knows which revision it removes. */
export function assertRevision(what: string, id: string, stored: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== stored) throw changedSince(what, id, stored);
}

/** A CI with relationships is removed with them or not at all. */
export function assertNoRelationships(id: string, relationships: number, cascade: boolean): void {
  const data = { relationships };
  if (relationships > 0 && !cascade)
    throw new Fault(
      'conflict',
      `CI ${id} has ${relationships === 1 ? 'a relationship. Remove it' : `${relationships} relationships. Remove them`} first or pass cascade=true`,
      [],
      { data },
    );
  if (relationships > MAX_CASCADE)
    throw new Fault(
      'unprocessable',
      `CI ${id} has ${relationships} relationships; cascade deletes at most ${MAX_CASCADE}. Remove some first`,
      [],
      { data },
    );
}

/** Relationships removed with one CI. */
export const MAX_CASCADE = 10_000;
