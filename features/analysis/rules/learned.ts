import type { CauseLesson } from '#domain/correlation/root-cause/cause-lesson.ts';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import type { LearnedCause } from './case.ts';

/** Groups by the kinds of the candidate that the score had and of the cause that a user set. */
function judgedGroups(lessons: Iterable<CauseLesson>): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { rootKind, scoredKind, groupId } of lessons) {
    if (rootKind === null || scoredKind === null) continue;
    const key = `${scoredKind} ${rootKind}`;
    groups.set(key, (groups.get(key) ?? new Set()).add(groupId));
  }
  return groups;
}

/** The suspect whose kind users preferred to that of the candidate in most verdicts; null without a majority. */
export function learnedCause(
  candidate: Event | undefined,
  suspects: readonly Event[],
  lessons: Iterable<CauseLesson>,
): LearnedCause | null {
  const scored = candidate && complaintKindOf(candidate).name;
  if (!candidate || !scored) return null;
  const judged = judgedGroups(lessons);
  const times = (from: string, to: string): number => judged.get(`${from} ${to}`)?.size ?? 0;
  const others = suspects.flatMap((event): LearnedCause[] => {
    const { name } = complaintKindOf(event);
    if (event.id === candidate.id || name === null || name === scored) return [];
    const verdicts = times(scored, name);
    const against = times(name, scored) + times(scored, scored);
    return verdicts > against ? [{ event, verdicts }] : [];
  });
  return others.toSorted((a, b) => b.verdicts - a.verdicts)[0] ?? null;
}
