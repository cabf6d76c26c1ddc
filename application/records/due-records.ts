/** Records of no tenant that say what is to be looked at once it has been quiet for a while. */
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { TurnPorts } from './in-turn.ts';
import { recordChunks } from './list-records.ts';
import { revise } from './revise.ts';

type Needed = Pick<Ports, 'records' | 'clock'>;
type Marking = Needed & TurnPorts;

/** Says at least of which tenant it is, so that it goes with the tenant. */
interface Owned {
  readonly tenant: string;
}
interface Times {
  /** The first change that was not looked at, ms. */
  readonly since: number;
  readonly dueAt: number;
}
type Due<T> = T & Times;

/** When a change is looked at: so long after the last one, and so long after the first one at the latest; ms. */
export interface DueAfter {
  readonly quietMs: number;
  readonly latestMs: number;
}

interface Marked<T> {
  readonly body: Due<T> | null;
  readonly revision: number;
}

/** `id` names what has changed, `what` is kept as of the last change. By the clock of this process, which the job goes by as well: records may be stamped by another. */
export const markDue = async <T extends Owned>(
  ports: Marking,
  [kind, id]: readonly [kind: string, id: string],
  what: T,
  { quietMs, latestMs }: DueAfter,
): Promise<void> => {
  const { records, clock } = ports;
  const now = clock.now();
  await revise<Marked<T>>(ports, {
    of: [kind, SYSTEM_TENANT, id],
    ifMatch: null,
    load: async () => (await records.get<Due<T>>(SYSTEM_TENANT, kind, id)) ?? { body: null, revision: 0 },
    change({ body, revision }) {
      const since = body?.since ?? now;
      const times: Times = { since, dueAt: Math.min(now + quietMs, since + latestMs) };
      return { body: { ...what, ...times }, revision: revision + 1 };
    },
    put: ({ body }, { revision }) => records.put(SYSTEM_TENANT, kind, id, body, { expected: revision }),
  });
};

/** Changes made meanwhile stay. */
const settle = async ({ records, clock }: Needed, kind: string, { id, revision, body }: StoredRecord<unknown>) => {
  await records
    .put(SYSTEM_TENANT, kind, id, body, { expected: revision, expiresAt: clock.now() })
    .catch((error: unknown) => {
      if (!isOvertaken(error)) throw error;
    });
};

/** Those that are due, the longest first. */
const allDue = async <T extends Owned>(
  { records, clock }: Needed,
  kind: string,
  most: number,
): Promise<StoredRecord<Due<T>>[]> => {
  const now = clock.now();
  let due: StoredRecord<Due<T>>[] = [];
  for await (const chunk of recordChunks<Due<T>>(records, SYSTEM_TENANT, kind)) {
    due.push(...chunk.filter(({ body }) => body.dueAt <= now));
    due = due.sort((a, b) => a.body.dueAt - b.body.dueAt).slice(0, most);
  }
  return due;
};

export interface EachDue {
  /** In one call. */
  readonly most: number;
  readonly isStopping: () => boolean;
  /** The sentence about so many failures. */
  readonly failed: (count: number) => string;
}

/** Looks at what is due; it is done once, or again after a crash. Throws when one failed, after all others had their turn: it stays due. */
export const eachDue = async <T extends Owned>(
  needed: Needed,
  kind: string,
  { most, isStopping, failed }: EachDue,
  look: (what: T) => Promise<void>,
): Promise<void> => {
  const errors: unknown[] = [];
  for (const due of await allDue<T>(needed, kind, most)) {
    if (isStopping()) return;
    await look(due.body)
      .then(() => settle(needed, kind, due))
      .catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw new Error(failed(errors.length), { cause: errors[0] });
};
