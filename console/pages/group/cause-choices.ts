import type { MemberData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { titledOn } from '#domain/event/event-words.ts';
import * as text from './texts.ts';

export interface CauseChoice {
  readonly eventId: string;
  readonly words: string;
}

const MOST = 50;

const nameOf = ({ title, ciId, hostname }: MemberData): string => titledOn(title, ciId?.name ?? hostname);

/**
 * Returns members that may have been the cause instead of the named one: the next best first, then the earliest; those
 * with all words of `search`.
 */
export const causeChoices = (
  { cause }: Pick<GroupDetailData, 'cause'>,
  members: readonly MemberData[],
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

/** `Ann: root cause wrong, should be “Link down on sw-1”`. */
export const verdictWords = (
  { verdict, cause }: Pick<GroupDetailData, 'verdict' | 'cause'>,
  members: readonly MemberData[],
): string => {
  if (verdict === null) return text.rootCause;
  const said = { right: text.correct, wrong: text.wrong, unknown: text.unknown }[verdict.cause];
  const { rootEventId } = verdict;
  const isSet = cause !== null && cause.event.eventId === rootEventId;
  const set = isSet ? titledOn(cause.event.title, cause.ci?.name ?? cause.event.hostname) : undefined;
  const known = causeChoices({ cause }, members, '').find(({ eventId }) => eventId === rootEventId);
  return text.verdictBy(verdict.by.name, said, set ?? known?.words);
};
