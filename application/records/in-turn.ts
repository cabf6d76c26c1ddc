import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { pause } from './pause.ts';

/** Processes that change one record at once get by one another within these; the pauses sum up to two seconds at most. */
const TRIES = 8;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;
const RETRY_AFTER_S = 1;

export type TurnPorts = Pick<Ports, 'memory' | 'ids'>;

export interface ChangeTurn {
  /** Kind, tenant and id of the changed object. */
  readonly of: readonly [kind: string, tenant: string, id: string];
  /** A caller that named a revision is informed that there is another one. */
  readonly ifMatch: string | null;
}

/** Random part of the pause, so that colliding callers do not collide again. */
const pauseBefore = ({ ids }: TurnPorts, tries: number): Promise<void> => {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
  return pause((longest * Number.parseInt(ids.secret(4), 36)) / 36 ** 4);
};

const again = async <T>(ports: TurnPorts, { of, ifMatch }: ChangeTurn, change: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++)
    try {
      return await change();
    } catch (error) {
      if (!isOvertaken(error) || ifMatch !== null) throw error;
      if (tries === TRIES)
        throw new Fault('unavailable', `Concurrent changes to this ${of[0]}. Nothing changed. Retry`, [], {
          retryAfter: RETRY_AFTER_S,
          cause: error,
        });
      await pauseBefore(ports, tries);
    }
};

/**
 * Makes a change provided that its input is still current: serialized in this process, and retried when another process
 * was faster. Throws Fault `unavailable` when others are always faster, `precondition` for If-Match only.
 */
export const inTurn = <T>(ports: TurnPorts, turn: ChangeTurn, change: () => Promise<T>): Promise<T> =>
  ports.memory.turns.take(turn.of.join(' '), () => again(ports, turn, change));
