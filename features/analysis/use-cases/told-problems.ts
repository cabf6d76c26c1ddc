import { type ComplaintKind, complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import { isChange, problemKindOf } from '#domain/event/identity/problem-kind.ts';
import type { ProblemKind } from '#domain/event/identity/problem-kinds.ts';
import { Lru } from '#domain/lru.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** The problem that the words of an event name. */
interface ToldProblem {
  readonly kind: ComplaintKind;
  readonly complaint: ProblemKind;
}

/** Problems by title: parsing one costs as much as the rest of an analysis. */
const TOLD: MemorySlot<Lru<string, ToldProblem>> = { name: 'told-problems', open: () => new Lru(10_000) };

/** Titles that may be about the host itself. */
const OF_HOST = /down|unreachable/i;

const read = (event: Event): ToldProblem => ({ kind: complaintKindOf(event), complaint: problemKindOf(event) });

export const toldProblem = ({ memory }: Pick<Ports, 'memory'>, event: Event): ToldProblem => {
  // Its category or tags decide.
  if (isChange(event)) return read(event);
  const known = memory.of(TOLD);
  const key = OF_HOST.test(event.title) ? `${event.title}\n${event.hostname ?? ''}` : event.title;
  const told = known.get(key) ?? read(event);
  known.set(key, told);
  return told;
};
