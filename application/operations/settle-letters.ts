import { audit } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { isConflict } from '#domain/fault.ts';
import type { DeadLetter, Settled } from '#domain/ports/operations.ts';
import { alreadySettled, type FoundLetter, findLetter, listLetters, settle, stateOf } from './dead-letters.ts';
import { appendAnew, replayable, replayLetter, saveAnew } from './replay-letter.ts';

/** An action on many letters at once. */
export interface SettleMany {
  readonly processor?: string | undefined;
  readonly reason?: string | undefined;
  /** At most 1,000. */
  readonly limit: number;
}
export interface SettledMany {
  readonly settled: number;
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
  readonly more: boolean;
}

type State = Settled['state'];
const DISCARDED = 'discarded';

const summary = ({ processor, topic, reason, position }: DeadLetter) => ({ processor, topic, reason, position });

const settleNow = (context: UseCaseContext, found: FoundLetter, state: State): Promise<DeadLetter | null> =>
  state === 'replayed' ? replayLetter(context, found) : settle(context, found, state, DISCARDED);

/** Replays or discards one letter, once: asked again it answers with what was done. Throws Fault `conflict` when the other was. */
export const settleOne = async (context: UseCaseContext, id: string, state: State): Promise<DeadLetter> => {
  const found = await findLetter(context, id);
  const before = found.stored.body;
  if (stateOf(before) === state) return before;
  if (before.settled !== null) throw alreadySettled(before);
  const letter = await settleNow(context, found, state);
  if (letter === null) return (await findLetter(context, id)).stored.body;
  const target = { kind: 'dead-letter', id };
  const after = { outcome: letter.settled?.outcome };
  await audit(context, { action: `dead-letter.${state}`, target, before: summary(before), after });
  return letter;
};

const PAGE = 100;
/** Each looks at 1,000 letters at most. */
const ROUNDS = 100;
/** Of the records of one append; a larger one goes alone. */
const APPEND_CHARACTERS = 2 ** 20;

const sizeOf = ({ stored: { body } }: FoundLetter): number =>
  body.content.kind === 'json' ? JSON.stringify(body.content.record).length : body.content.base64.length;

interface Ready {
  readonly found: FoundLetter;
  readonly incoming: Incoming;
}

/** In groups that one append takes. */
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

/** Somebody else may have settled it meanwhile. */
const note = async (context: UseCaseContext, found: FoundLetter, state: State, outcome: string, failures: Failures) => {
  try {
    await settle(context, found, state, outcome);
  } catch (error) {
    if (!isConflict(error)) throw error;
    failures.push({ id: found.stored.id, reason: error.message });
  }
};

/** A document that is not taken keeps no other back. */
const saveOne = async (context: UseCaseContext, found: FoundLetter, failures: Failures): Promise<void> => {
  try {
    const outcome = await saveAnew(context.ports, found);
    await note(context, found, 'replayed', outcome, failures);
  } catch (error) {
    if (!isConflict(error)) throw error;
    failures.push({ id: found.stored.id, reason: error.message });
  }
};

const replayPage = async (context: UseCaseContext, page: readonly FoundLetter[], failures: Failures): Promise<void> => {
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
  page: readonly FoundLetter[],
  failures: Failures,
): Promise<void> => {
  await Promise.all(page.map((found) => note(context, found, 'discarded', DISCARDED, failures)));
};

/**
 * Replays or discards what waits and matches, the oldest first, so that a recovery comes after its problem. When the log or
 * the store fails half way, what was settled stays so, and asking again goes on.
 */
export const settleMany = async (
  context: UseCaseContext,
  { limit, ...filter }: SettleMany,
  state: State,
): Promise<SettledMany> => {
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
    const { items, nextCursor } = await listLetters(context, wanted);
    const page = items.map((stored): FoundLetter => ({ tenant: context.tenant, stored }));
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
