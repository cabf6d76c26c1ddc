import { actorOf } from '#application/access/actor.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { scanRecords } from '#application/records/scan-records.ts';
import { Fault, isOvertaken, notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import {
  DEAD_LETTER_KIND,
  type DeadLetter,
  type DeadLetterOutcome,
  LETTER_STAYS_MS,
} from '#domain/ports/operations.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { isPlatformAdmin } from './platform-admin.ts';

/** Letters scanned per request; the cursor continues from there. */
const MAX_SCANNED = 1_000;
/** Letters may be large. */
const CHUNK = 100;

export type DeadLetterState = 'waiting' | DeadLetterOutcome['state'];
export interface DeadLetterFilter {
  readonly processor?: string | undefined;
  /** Part of the reason; not case-sensitive. */
  readonly reason?: string | undefined;
  readonly state: DeadLetterState | 'all';
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Those whose tenant could not be read. */
  readonly unassigned?: boolean;
  readonly oldestFirst?: boolean;
}

export type StoredDeadLetter = StoredRecord<DeadLetter>;
/** A dead letter and the tenant in which it is stored. */
export interface FoundDeadLetter {
  readonly tenant: string;
  readonly stored: StoredDeadLetter;
}

export const stateOf = ({ settled }: DeadLetter): DeadLetterState => settled?.state ?? 'waiting';

const matches =
  ({ processor, reason, state }: DeadLetterFilter) =>
  (letter: DeadLetter): boolean =>
    (state === 'all' || stateOf(letter) === state) &&
    (processor === undefined || letter.processor === processor) &&
    (reason === undefined || letter.reason.toLowerCase().includes(reason.toLowerCase()));

/**
 * Lists letters of the tenant acted on, newest first. Throws Fault `forbidden` when a caller other than a platform
 * administrator requests `unassigned`.
 */
export const listDeadLetters = (context: UseCaseContext, filter: DeadLetterFilter): Promise<Page<StoredDeadLetter>> => {
  const { limit, cursor, unassigned = false, oldestFirst = false } = filter;
  if (unassigned && !isPlatformAdmin(context))
    throw new Fault('forbidden', 'Records without a tenant are shown to platform administrators only');
  return scanRecords<DeadLetter>(context.ports.records, unassigned ? SYSTEM_TENANT : context.tenant, {
    kind: DEAD_LETTER_KIND,
    descending: !oldestFirst,
    limit,
    after: cursor,
    matches: matches(filter),
    atMost: MAX_SCANNED,
    chunk: CHUNK,
  });
};

/** Platform administrators find those without a tenant too. Throws Fault `not-found`. */
export const findDeadLetter = async (context: UseCaseContext, id: string): Promise<FoundDeadLetter> => {
  const tenants = isPlatformAdmin(context) ? [context.tenant, SYSTEM_TENANT] : [context.tenant];
  for (const tenant of tenants) {
    const stored = await context.ports.records.get<DeadLetter>(tenant, DEAD_LETTER_KIND, id);
    if (stored !== null) return { tenant, stored };
  }
  throw notFound('Dead letter', id);
};

/**
 * Stores the action; the first one counts. Throws Fault `conflict` when the letter was resolved differently meanwhile.
 * Returns null when another caller stored the same first.
 */
export const resolveDeadLetter = async (
  context: UseCaseContext,
  { tenant, stored }: FoundDeadLetter,
  state: DeadLetterOutcome['state'],
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
    const now = (await findDeadLetter(context, stored.id)).stored.body;
    if (stateOf(now) === state) return null;
    throw alreadyResolved(now);
  }
  metrics.count('faultline_dead_letters_settled_total', { outcome: state });
  return letter;
};

export const alreadyResolved = (letter: DeadLetter): Fault =>
  new Fault('conflict', `Dead letter ${letter.id} was already ${stateOf(letter)}`);
