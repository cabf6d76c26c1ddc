import type { Intent } from '#features/questions/rules/asking/intents.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { wordsIn } from '#features/questions/rules/query.ts';
import { everyPerson, type Person } from '#features/questions/use-cases/queries/people.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';

/** Conditions on the people of groups and events. */
export interface Care {
  /** Name of a user or team, `none` for unassigned; null: any. */
  readonly assignee: string | null;
  /** Name of the user that acted; null: any. */
  readonly by: string | null;
  /** The first user or team that is named. */
  readonly person: string | null;
}

const OF_PEOPLE =
  /^(?:and|or|what about|how about) \S+(?: \S+)?[ ?]*$|\b(?:assign\w*|owns?|owned|work\w*|got|has|have|had|ack\w*|handl\w*|tak(?:en|ing)|took|by|notes?|wrote|writ\w*|said|says|did|done|do|does|doing|mine|my|me|on|for|plate|queue|closed?|resolved?|teams?|to)\b|'s\b/i;

/** Users and teams in a text, whose words become @. */
export async function takePeople(asking: Asking, text: string) {
  const nobody = { people: [] as readonly Person[], left: text };
  if (!OF_PEOPLE.test(text) || !asking.caller.permissions.has('events.read')) return nobody;
  const all = await everyPerson(asking);
  const own = new Set(all.flatMap(({ words, isTeam }) => (isTeam ? [] : words.filter((word) => word.length > 2))));
  // `anns plate`: a name without its apostrophe.
  const whole = text.replaceAll(/(?<![\p{L}\p{N}._-])\p{L}{3,40}s(?![\p{L}\p{N}._'’-])/giu, (word) => {
    const [name, lower] = [word.slice(0, -1), word.toLowerCase()];
    return own.has(name.toLowerCase()) && !own.has(lower) && !PLAIN.has(lower) ? `${name}'s` : word;
  });
  const said = [...whole.toLowerCase().matchAll(/[\p{L}][\p{L}\p{N}._-]*/gu)].map(([word]) => word.replace(/'s$/, ''));
  const has = (words: string): boolean => ` ${said.join(' ')} `.includes(` ${words} `);
  const wordFor = ({ name: written, words, isTeam, members }: Person): string | undefined => {
    const name = written.toLowerCase();
    if (!isTeam)
      return has(name) && !PLAIN.has(name) ? name : words.find((one) => one.length > 2 && !PLAIN.has(one) && has(one));
    // `network` is mostly no team.
    const [whose] = members.includes(asking.caller.id) ? ['my team', 'our team'].filter(has) : [];
    if (whose !== undefined) return whose;
    const isSaid = [`${name} team`, `team ${name}`, `assigned to ${name}`].some(has);
    return isSaid || (has(name) && (/\bteam\b/.test(name) || text.toLowerCase().includes(`"${name}"`)))
      ? name
      : undefined;
  };
  const named = all.flatMap((person) => {
    const word = wordFor(person);
    return word === undefined ? [] : [{ person, word }];
  });
  const longest = named.toSorted((a, b) => b.word.length - a.word.length);
  let left = whole;
  for (const { word } of longest) {
    const [found = word] = [`"${word}"`, word].filter((one) => left.toLowerCase().includes(one));
    const at = left.toLowerCase().indexOf(found);
    if (at >= 0) left = `${left.slice(0, at)}@${left.slice(at + found.length)}`;
  }
  return { people: longest.map(({ person }) => person), left };
}

const NOBODY =
  /\b(?:un-?assigned|un-?owned|unclaimed|orphan(?:ed)?(?!.{0,30}\bcis?\b)|nobody|no ?one|without (?:an? |any)?(?:assignee|owner|one|body)|(?:not|hasn't|haven't) (?:yet |been ){0,2}(?:assigned|taken|picked)|no (?:owner|assignee)|up for grabs|untouched|unattended|unhandled)\b/;
const ME =
  /\b(?:assigned to me|mine|my (?:open |active )?(?:groups?|incidents?|events?|alerts?|problems?|tickets?|queue|plate)|(?:do|have|am) i (?:have(?! to\b)|own|got|on)|on my plate)\b/;
const ACTED =
  /\b(?:ack(?:ed|nowledged|nowledge)?|closed?|resolved?|fixed|wr[io]te|written|noted|notes?|say|judged|decided|verdicts?|said|did|done|been (?:doing|up to))\b/;

export const careIn = ({ caller }: Asking, shape: string, people: readonly Person[]): Care => {
  const person = people[0]?.name ?? null;
  const isActing = ACTED.test(shape);
  const named = ME.test(shape) ? caller.username : isActing ? null : person;
  const assignee = NOBODY.test(shape) && !/\back/.test(shape) ? 'none' : named;
  return { assignee, by: isActing ? person : null, person };
};

const LISTS: readonly (Intent | null)[] = [
  null,
  ...wordsIn('who find events summary status query services depends notes'),
];

/** The intent of a message about the work of users; null: it has another one. */
export function ofPeople(intent: Intent | null, shape: string, care: Care, isOfIncident: boolean): Intent | null {
  // `what did priya touch`: user actions and edits of one user.
  if (intent === 'changes' && care.person !== null) return 'notes';
  const isOfDuty = intent === 'blame' && /^[^@]*@.*\bresponsible for\b/.test(shape);
  if (intent === 'summary' && /\b(?:hand|carry|tak)\w* over\b/.test(shape)) return null;
  if (/\b(?:if|when|unless|once) (?:nobody|no ?one)\b/.test(shape)) return null;
  if (isOfIncident || !(isOfDuty || LISTS.includes(intent))) return intent === 'notes' ? intent : null;
  if (care.by !== null) return 'notes';
  // `who has it` contains no name.
  return care.assignee !== null && !/^who (?:is|has|was)\b.{0,12}\bit\b/.test(shape) ? 'assigned' : null;
}
