import type { MemberShown } from '#console/api/group-parts.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { titledOn } from '#domain/event/event-words.ts';

export interface CauseChoice {
  readonly eventId: string;
  readonly words: string;
}

const MOST = 50;

const nameOf = ({ title, ciId, hostname }: MemberShown): string => titledOn(title, ciId?.name ?? hostname);

/** Members that may have been the cause in place of the named one: the next best first, then the earliest; those that have all words of `search`. */
export const causeChoices = (
  { cause }: Pick<GroupDetailShown, 'cause'>,
  members: readonly MemberShown[],
  search: string,
): readonly CauseChoice[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const best = (cause?.alternatives ?? []).map(({ eventId, title, ciName }) => ({
    eventId,
    words: titledOn(title ?? eventId, ciName ?? undefined),
  }));
  const others = members
    .toSorted((a, b) => Date.parse(a.firstOccurrence) - Date.parse(b.firstOccurrence))
    .map((member) => ({ eventId: member.eventId, words: nameOf(member) }));
  const choices = new Map([...best, ...others].map((choice) => [choice.eventId, choice]));
  choices.delete(cause?.event.eventId ?? '');
  return [...choices.values()]
    .filter((choice) => words.every((word) => choice.words.toLowerCase().includes(word)))
    .slice(0, MOST);
};

/** `Ann says: the cause was wrong, it was “Link down on sw-1”`. */
export const verdictWords = (
  { verdict, cause }: Pick<GroupDetailShown, 'verdict' | 'cause'>,
  members: readonly MemberShown[],
): string => {
  if (verdict === null) return 'Was this the cause?';
  const said = { right: 'was right', wrong: 'was wrong', unknown: 'is not known' }[verdict.cause];
  const known = causeChoices({ cause }, members, '').find(({ eventId }) => eventId === verdict.rootEventId);
  return `${verdict.by.name} says: the cause ${said}${known === undefined ? '' : `, it was “${known.words}”`}`;
};
