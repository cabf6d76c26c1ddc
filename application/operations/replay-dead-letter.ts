import type { UseCaseContext } from '#application/access/context.ts';
import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import { errorMessage, Fault } from '#domain/fault.ts';
import type { Untaken } from '#domain/pipeline/sinks.ts';
import type { DeadLetter } from '#domain/ports/operations.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { type FoundDeadLetter, resolveDeadLetter } from './dead-letters.ts';

const TIMEOUT_MS = 15_000;

/** The record of a letter as it was received, or why it cannot be read. Throws Fault `unavailable` while that cannot be known. */
const readDeadLetter = async (
  { operations }: Pick<Ports, 'operations'>,
  letter: DeadLetter,
): Promise<{ readonly record: unknown; readonly unreadable: string | null }> => {
  try {
    return { record: await operations.readLetter(letter), unreadable: null };
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unavailable') throw error;
    return { record: null, unreadable: errorMessage(error) };
  }
};

const isIncoming = (record: unknown): record is Incoming => {
  const { ask, receivedAt } = (record ?? {}) as Partial<Incoming>;
  return typeof ask?.kind === 'string' && typeof receivedAt === 'number';
};

const isOfSink = ({ sinks }: Pick<Ports, 'sinks'>, { processor }: DeadLetter): boolean =>
  sinks.names.includes(processor);
const untakenOf = ({ position, at }: DeadLetter, tenant: string, record: unknown): Untaken => ({
  tenant,
  position,
  at,
  record,
});

interface Replayable {
  readonly record: unknown;
  /**
   * Record to append; null for a letter that is saved or consumed again, and when the reason explains why it cannot be
   * replayed.
   */
  readonly incoming: Incoming | null;
  readonly because: string | null;
}

/** A record without a delivery id gets the letter's: replayed twice, it counts once. */
const withDelivery = (record: Incoming, { id }: DeadLetter): Incoming => ({
  ...record,
  deliveryId: record.deliveryId ?? `dead-letter:${id}`,
});

/** Returns the part of a letter that can be appended or saved again. */
export const replayable = async (
  ports: Pick<Ports, 'operations' | 'sinks'>,
  { tenant, stored: { body: letter } }: FoundDeadLetter,
): Promise<Replayable> => {
  const { record, unreadable } = await readDeadLetter(ports, letter);
  const not = (because: string): Replayable => ({ record, incoming: null, because });
  if (unreadable !== null) return not(unreadable);
  if (letter.content.kind === 'document')
    return { record, incoming: null, because: ports.operations.whyNotSaved(letter) };
  if (isOfSink(ports, letter)) {
    const because = ports.sinks.whyNotRetaken(letter.processor, untakenOf(letter, tenant, record));
    return { record, incoming: null, because };
  }
  if (letter.topic !== eventsIncoming)
    return not(
      `Records of ${letter.topic} are produced by the pipeline; only ${eventsIncoming} records can be replayed`,
    );
  if (tenant === SYSTEM_TENANT) return not('Tenant is not readable');
  if (!isIncoming(record)) return not('Not an event request');
  if (record.ask.kind === 'forgotten')
    return not('Tenant deletion markers are resent automatically until all processors have read them');
  return { record, incoming: withDelivery(record, letter), because: null };
};

const outcomeOf = (receipt: Receipt | undefined): string => {
  if (receipt === undefined) return 'queued';
  return receipt.ok ? receipt.outcome : `refused: ${receipt.message}`;
};

/**
 * Appends records of one tenant as one request; returns the outcome of each. Throws the log's errors: then nothing is
 * recorded.
 */
export const appendAnew = async (
  { eventLog, clock }: Pick<Ports, 'eventLog' | 'clock'>,
  tenant: string,
  records: readonly Incoming[],
): Promise<readonly string[]> => {
  const receivedAt = clock.now();
  // The newest receipt defines its lateness.
  const anew = records.map((record) => ({ ...record, receivedAt }));
  const reply = await eventLog.request(tenant, anew, { timeoutMs: TIMEOUT_MS });
  return records.map((_, index) => outcomeOf(reply.done ? reply.receipts[index] : undefined));
};

const NOT_REPLAYED: ReadonlySet<string> = new Set(['invalid', 'unprocessable']);

const TAKEN = 'taken';

/**
 * Delivers a rejected event to its sink once more. Throws Fault `conflict` with the reason when it is rejected again.
 */
const retake = async (
  { operations, sinks }: Pick<Ports, 'operations' | 'sinks'>,
  { tenant, stored: { body: letter } }: FoundDeadLetter,
): Promise<string> => {
  const record = await operations.readLetter(letter);
  try {
    await sinks.retake(letter.processor, untakenOf(letter, tenant, record));
    return TAKEN;
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unavailable') throw error;
    throw new Fault('conflict', `${letter.processor} can't process it: ${errorMessage(error)}`);
  }
};

/**
 * Saves a document again, or delivers a rejected event to its sink; returns the outcome. Throws Fault `conflict` with
 * the reason when it is rejected.
 */
export const saveAnew = async (ports: Pick<Ports, 'operations' | 'sinks'>, found: FoundDeadLetter): Promise<string> => {
  const letter = found.stored.body;
  if (isOfSink(ports, letter)) return retake(ports, found);
  try {
    return await ports.operations.saveAgain(letter);
  } catch (error) {
    if (!(error instanceof Fault) || !NOT_REPLAYED.has(error.kind)) throw error;
    throw new Fault('conflict', `Couldn't save the document: ${error.message}`);
  }
};

/**
 * Appends the record at a new position, saves the document again or delivers it to its sink, and records the outcome.
 * Throws Fault `conflict` with the reason on failure.
 */
export const replayDeadLetter = async (context: UseCaseContext, found: FoundDeadLetter): Promise<DeadLetter | null> => {
  const { incoming, because } = await replayable(context.ports, found);
  if (because !== null) throw new Fault('conflict', `Can't replay the record: ${because}`);
  if (incoming === null) return resolveDeadLetter(context, found, 'replayed', await saveAnew(context.ports, found));
  const [outcome = 'queued'] = await appendAnew(context.ports, found.tenant, [incoming]);
  return resolveDeadLetter(context, found, 'replayed', outcome);
};
