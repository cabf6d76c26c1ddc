import { actorOf } from '#application/access/actor.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { scanRecords } from '#application/records/scan-records.ts';
import { Fault, isOvertaken, notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import { DEAD_LETTER_KIND, type DeadLetter, LETTER_STAYS_MS, type Settled } from '#domain/ports/operations.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { isPlatformAdmin } from './platform-admin.ts';

/** Letters looked at per request; the cursor goes on from there. */
const MOST_SCANNED = 1_000;
/** Letters may be large. */
const CHUNK = 100;

export type LetterState = 'waiting' | Settled['state'];
export interface LetterFilter {
  readonly processor?: string | undefined;
  /** Part of the reason, in any case of letters. */
  readonly reason?: string | undefined;
  readonly state: LetterState | 'all';
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Those whose tenant could not be read. */
  readonly unassigned?: boolean;
  readonly oldestFirst?: boolean;
}

export type StoredLetter = StoredRecord<DeadLetter>;
/** A dead letter and the tenant that it is kept in. */
export interface FoundLetter {
  readonly tenant: string;
  readonly stored: StoredLetter;
}

export const stateOf = ({ settled }: DeadLetter): LetterState => settled?.state ?? 'waiting';

const matches =
  ({ processor, reason, state }: LetterFilter) =>
  (letter: DeadLetter): boolean =>
    (state === 'all' || stateOf(letter) === state) &&
    (processor === undefined || letter.processor === processor) &&
    (reason === undefined || letter.reason.toLowerCase().includes(reason.toLowerCase()));

/** Of the tenant acted on, newest first. Throws Fault `forbidden` when `unassigned` is asked by other than a platform administrator. */
export const listLetters = (context: UseCaseContext, filter: LetterFilter): Promise<Page<StoredLetter>> => {
  const { limit, cursor, unassigned = false, oldestFirst = false } = filter;
  if (unassigned && !isPlatformAdmin(context))
    throw new Fault('forbidden', 'Records without a tenant are shown to platform administrators only');
  return scanRecords<DeadLetter>(context.ports.records, unassigned ? SYSTEM_TENANT : context.tenant, {
    kind: DEAD_LETTER_KIND,
    descending: !oldestFirst,
    limit,
    after: cursor,
    matches: matches(filter),
    atMost: MOST_SCANNED,
    chunk: CHUNK,
  });
};

/** Platform administrators find those without a tenant too. Throws Fault `not-found`. */
export const findLetter = async (context: UseCaseContext, id: string): Promise<FoundLetter> => {
  const tenants = isPlatformAdmin(context) ? [context.tenant, SYSTEM_TENANT] : [context.tenant];
  for (const tenant of tenants) {
    const stored = await context.ports.records.get<DeadLetter>(tenant, DEAD_LETTER_KIND, id);
    if (stored !== null) return { tenant, stored };
  }
  throw notFound('Dead letter', id);
};

/**
 * Notes what was done; the first note counts. Throws Fault `conflict` when the letter was settled otherwise meanwhile.
 * Returns null when somebody else noted the same first.
 */
export const settle = async (
  context: UseCaseContext,
  { tenant, stored }: FoundLetter,
  state: Settled['state'],
  outcome: string,
): Promise<DeadLetter | null> => {
  const { records, clock, metrics } = context.ports;
  const at = clock.now();
  const letter: DeadLetter = { ...stored.body, settled: { state, at, by: actorOf(context.caller), outcome } };
  try {
    const options = { expected: stored.revision, expiresAt: at + LETTER_STAYS_MS };
    await records.put(tenant, DEAD_LETTER_KIND, stored.id, letter, options);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    const now = (await findLetter(context, stored.id)).stored.body;
    if (stateOf(now) === state) return null;
    throw alreadySettled(now);
  }
  metrics.count('faultline_dead_letters_settled_total', { outcome: state });
  return letter;
};

export const alreadySettled = (letter: DeadLetter): Fault =>
  new Fault('conflict', `The dead letter ${letter.id} was ${stateOf(letter)} before`);
