/** Why a store of the topology refuses a change. */
import { Fault } from '#domain/fault.ts';

const changedSince = (what: string, id: string, stored: number): Fault =>
  new Fault('precondition', `${what} ${id} has changed since: revision ${stored} is stored`);

/** `stored` is null for what is not there: a later version would bring it back behind its end. */
export function refuseOld(what: string, id: string, stored: number | null, revision: number): void {
  if (stored !== null && revision <= stored) throw changedSince(what, id, stored);
  if (stored === null && revision > 1) throw new Fault('precondition', `${what} ${id} has been removed since`);
}

/** A removal that knows which revision it removes. */
export function refuseOther(what: string, id: string, stored: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== stored) throw changedSince(what, id, stored);
}

/** A CI that has relationships goes with them or not at all. */
export function refuseHeld(id: string, relationships: number, cascade: boolean): void {
  const data = { relationships };
  if (relationships > 0 && !cascade)
    throw new Fault(
      'conflict',
      `CI ${id} has ${relationships === 1 ? 'a relationship: remove it' : `${relationships} relationships: remove them`} first, or pass cascade=true`,
      [],
      { data },
    );
  if (relationships > MAX_CASCADE)
    throw new Fault(
      'unprocessable',
      `CI ${id} has ${relationships} relationships, and at most ${MAX_CASCADE} go with a CI: remove some first`,
      [],
      { data },
    );
}

/** Relationships removed with one CI. */
export const MAX_CASCADE = 10_000;
