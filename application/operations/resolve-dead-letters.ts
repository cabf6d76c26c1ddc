import { audit } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { isConflict } from '#domain/fault.ts';
import type { DeadLetter, DeadLetterOutcome } from '#domain/ports/operations.ts';
import {
  alreadyResolved,
  type FoundDeadLetter,
  findDeadLetter,
  listDeadLetters,
  resolveDeadLetter,
  stateOf,
} from './dead-letters.ts';
import { appendAnew, replayable, replayDeadLetter, saveAnew } from './replay-dead-letter.ts';

/** An action on many letters at once. */
export interface ResolveManyDeadLetters {
  readonly processor?: string | undefined;
  readonly reason?: string | undefined;
  /** Limit, at most 1,000. */
  readonly limit: number;
}
export interface ResolvedManyDeadLetters {
  readonly settled: number;
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
  readonly more: boolean;
}

type State = DeadLetterOutcome['state'];
const DISCARDED = 'discarded';

const summary = ({ processor, topic, reason, position }: DeadLetter) => ({ processor, topic, reason, position });

const settleNow = (context: UseCaseContext, found: FoundDeadLetter, state: State): Promise<DeadLetter | null> =>
  state === 'replayed' ? replayDeadLetter(context, found) : resolveDeadLetter(context, found, state, DISCARDED);

/**
 * Replays or discards one letter, once: a repeated request returns the earlier outcome. Throws Fault `conflict` when
 * the other was done.
 */
export const resolveOneDeadLetter = async (context: UseCaseContext, id: string, state: State): Promise<DeadLetter> => {
  const found = await findDeadLetter(context, id);
  const before = found.stored.body;
  if (stateOf(before) === state) return before;
  if (before.settled !== null) throw alreadyResolved(before);
  const letter = await settleNow(context, found, state);
  if (letter === null) return (await findDeadLetter(context, id)).stored.body;
  const target = { kind: 'dead-letter', id };
  const after = { outcome: letter.settled?.outcome };
  await audit(context, { action: `dead-letter.${state}`, target, before: summary(before), after });
  return letter;
};

const PAGE = 100;
/** Each scans 1,000 letters at most. */
const ROUNDS = 100;
/** Maximum characters of the records of one append; a larger one is sent alone. */
const APPEND_CHARACTERS = 2 ** 20;

const sizeOf = ({ stored: { body } }: FoundDeadLetter): number =>
  body.content.kind === 'json' ? JSON.stringify(body.content.record).length : body.content.base64.length;

interface Ready {
  readonly found: FoundDeadLetter;
  readonly incoming: Incoming;
}

/** Groups letters by append. */
const grouped = (ready: readonly Ready[]): Ready[][] => {
  const groups: Ready[][] = [];
  let characters = 0;
  for (const one of ready) {
    characters += sizeOf(one.found);
    const last = groups.at(-1);
    if (last !== undefined && characters <= APPEND_CHARACTERS) last.push(one);
    else {
      groups.push([one]);
      characters = sizeOf(one.found);
    }
  }
  return groups;
};

type Failures = { readonly id: string; readonly reason: string }[];

/** Another caller may have resolved it meanwhile. */
const note = async (
  context: UseCaseContext,
  found: FoundDeadLetter,
  state: State,
  outcome: string,
  failures: Failures,
) => {
  try {
    await resolveDeadLetter(context, found, state, outcome);
  } catch (error) {
    if (!isConflict(error)) throw error;
    failures.push({ id: found.stored.id, reason: error.message });
  }
};

/** A rejected document does not block others. */
const saveOne = async (context: UseCaseContext, found: FoundDeadLetter, failures: Failures): Promise<void> => {
  try {
    const outcome = await saveAnew(context.ports, found);
    await note(context, found, 'replayed', outcome, failures);
  } catch (error) {
    if (!isConflict(error)) throw error;
    failures.push({ id: found.stored.id, reason: error.message });
  }
};

const replayPage = async (
  context: UseCaseContext,
  page: readonly FoundDeadLetter[],
  failures: Failures,
): Promise<void> => {
  const ready: Ready[] = [];
  for (const found of page) {
    const { incoming, because } = await replayable(context.ports, found);
    if (because !== null) failures.push({ id: found.stored.id, reason: because });
    else if (incoming === null) await saveOne(context, found, failures);
    else ready.push({ found, incoming });
  }
  for (const group of grouped(ready)) {
    const records = group.map(({ incoming }) => incoming);
    const outcomes = await appendAnew(context.ports, context.tenant, records);
    await Promise.all(group.map(({ found }, i) => note(context, found, 'replayed', outcomes[i] ?? 'queued', failures)));
  }
};

const discardPage = async (
  context: UseCaseContext,
  page: readonly FoundDeadLetter[],
  failures: Failures,
): Promise<void> => {
  await Promise.all(page.map((found) => note(context, found, 'discarded', DISCARDED, failures)));
};

/**
 * Replays or discards matching waiting letters, the oldest first, so that a recovery is after its problem. When the log
 * or the store fails half way, resolved ones stay so, and a repeated request continues.
 */
export const resolveDeadLetters = async (
  context: UseCaseContext,
  { limit, ...filter }: ResolveManyDeadLetters,
  state: State,
): Promise<ResolvedManyDeadLetters> => {
  const failures: Failures = [];
  let [seen, cursor, more] = [0, undefined as string | undefined, true];
  for (let round = 0; more && seen < limit && round < ROUNDS; round++) {
    const wanted = {
      ...filter,
      state: 'waiting',
      oldestFirst: true,
      cursor,
      limit: Math.min(PAGE, limit - seen),
    } as const;
    const { items, nextCursor } = await listDeadLetters(context, wanted);
    const page = items.map((stored): FoundDeadLetter => ({ tenant: context.tenant, stored }));
    await (state === 'replayed' ? replayPage : discardPage)(context, page, failures);
    seen += page.length;
    cursor = nextCursor ?? undefined;
    more = nextCursor !== null;
  }
  const settled = seen - failures.length;
  const target = { kind: 'dead-letters', id: filter.processor ?? 'all' };
  const after = { settled, failed: failures.length };
  if (seen > 0) await audit(context, { action: `dead-letters.${state}`, target, before: filter, after });
  return { settled, failures, more };
};
