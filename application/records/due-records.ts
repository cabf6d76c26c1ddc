/** Records without a tenant key about objects to process after a quiet period. */
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { slices } from '#domain/slices.ts';
import type { TurnPorts } from './in-turn.ts';
import { recordChunks } from './list-records.ts';
import { revise } from './revise.ts';

type DuePorts = Pick<Ports, 'records' | 'clock'>;
type Marking = DuePorts & TurnPorts;

/** Contains at least its tenant, so that it is deleted with the tenant. */
interface Owned {
  readonly tenant: string;
}
interface DueTimes {
  /** Time of the first unprocessed change, ms. */
  readonly since: number;
  readonly dueAt: number;
}
type DueBody<T> = T & DueTimes;

/** Delay before a change is processed: after the last change, and at most after the first one; ms. */
export interface DueAfter {
  readonly quietMs: number;
  readonly latestMs: number;
}

interface Marked<T> {
  readonly body: DueBody<T> | null;
  readonly revision: number;
}

/**
 * `id` names the changed object, `what` is stored as of the last change. Uses the clock of this process, as the job
 * does: records may be stamped by another.
 */
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
    load: async () => (await records.get<DueBody<T>>(SYSTEM_TENANT, kind, id)) ?? { body: null, revision: 0 },
    change({ body, revision }) {
      const since = body?.since ?? now;
      const times: DueTimes = { since, dueAt: Math.min(now + quietMs, since + latestMs) };
      return { body: { ...what, ...times }, revision: revision + 1 };
    },
    put: ({ body }, { revision }) => records.put(SYSTEM_TENANT, kind, id, body, { expected: revision }),
  });
};

/** Changes made meanwhile stay. */
const settle = async ({ records, clock }: DuePorts, kind: string, { id, revision, body }: StoredRecord<unknown>) => {
  await records
    .put(SYSTEM_TENANT, kind, id, body, { expected: revision, expiresAt: clock.now() })
    .catch((error: unknown) => {
      if (!isOvertaken(error)) throw error;
    });
};

/** Returns due records, the longest due first. */
const allDue = async <T extends Owned>(
  { records, clock }: DuePorts,
  kind: string,
  most: number,
): Promise<StoredRecord<DueBody<T>>[]> => {
  const now = clock.now();
  let due: StoredRecord<DueBody<T>>[] = [];
  for await (const chunk of recordChunks<DueBody<T>>(records, SYSTEM_TENANT, kind)) {
    due.push(...chunk.filter(({ body }) => body.dueAt <= now));
    due = due.sort((a, b) => a.body.dueAt - b.body.dueAt).slice(0, most);
  }
  return due;
};

export interface EachDue {
  /** Maximum in one call. */
  readonly most: number;
  readonly isStopping: () => boolean;
  /** Returns the sentence about this number of failures. */
  readonly failed: (count: number) => string;
}

/**
 * Processes due records by tenant, at most `atOnce` together; each is done once, or again after a crash. A failed batch
 * is repeated one by one. Throws when one failed, after all others were processed: it stays due.
 */
export const dueByTenant = async <T extends Owned>(
  needed: DuePorts,
  kind: string,
  { most, isStopping, failed, atOnce }: EachDue & { readonly atOnce: number },
  look: (tenant: string, all: readonly T[]) => Promise<void>,
): Promise<void> => {
  const errors: unknown[] = [];
  const lookAt = async (tenant: string, some: readonly StoredRecord<DueBody<T>>[]): Promise<void> => {
    try {
      await look(
        tenant,
        some.map(({ body }) => body),
      );
      await Promise.all(some.map((due) => settle(needed, kind, due)));
    } catch (error) {
      if (some.length === 1) errors.push(error);
      else for (const due of some) await lookAt(tenant, [due]);
    }
  };
  const due = await allDue<T>(needed, kind, most);
  for (const [tenant, own] of Map.groupBy(due, ({ body }) => body.tenant))
    for (const some of slices(own, atOnce)) {
      if (isStopping()) return;
      await lookAt(tenant, some);
    }
  if (errors.length > 0) throw new Error(failed(errors.length), { cause: errors[0] });
};

/** The same one by one, the longest due first. */
export const eachDue = async <T extends Owned>(
  needed: DuePorts,
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
