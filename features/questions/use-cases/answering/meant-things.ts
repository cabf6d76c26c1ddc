import { counted, enumeration } from '#features/ai/rules/findings.ts';
import { type Desk, listed, quoted } from './desk.ts';
import { contextOf } from './tell-events.ts';
import { ciThing, findThings, likeNames, narrowed, type Thing, unheardOf } from './things.ts';

const NEAR = 5;

/** The named things, else those of the conversation. */
export const meantThings = async (desk: Desk): Promise<readonly Thing[]> =>
  desk.reading.things.length > 0 ? narrowed(desk.reading.things) : talkThings(desk);

/** `any alerts on it`, `any disk issues there`: the question is about the things of the conversation. */
export const refersBack = ({ shape, things }: Pick<Desk['reading'], 'shape' | 'things'>): boolean =>
  things.length === 0 &&
  /\b(?:on|in|at|for|with|from|about) (?:it|that|this|them|these|those|there)\b|(?<!\b(?:is|are|was|were) )\bthere[ ?.!]*$/.test(
    shape,
  );

/** The things of the conversation. */
export async function talkThings(desk: Desk): Promise<readonly Thing[]> {
  const { memory, asking } = desk;
  const isOfTalk = asking.current === null || asking.current.id === memory.current;
  const told = isOfTalk && memory.subject !== undefined ? await findThings(asking, `"${memory.subject}"`) : null;
  if (told !== null && told.things.length > 0) return told.things;
  const id = asking.current?.id ?? memory.current;
  if (id === null) return [];
  const [ci] = await asking.ports.topology.getCis(asking.tenant, [id]);
  return ci === undefined || !asking.caller.permissions.has('cmdb.read') ? [] : [{ ...ciThing(ci), said: ci.name }];
}
/** Subjects that are systems, before their types: `which servers run on esx-05` is about esx-05. */
export const subjectsOf = (things: readonly Thing[]): readonly Thing[] => {
  const own = things.filter(({ kind }) => kind !== 'type');
  return own.length > 0 ? own : things;
};

/** The meant subjects; if there are none, the answer lists the unknown names, or asks for one. */
export async function meantSubjects(desk: Desk, what?: string, hasCis = false): Promise<readonly Thing[]> {
  const subjects = subjectsOf(await meantThings(desk)).filter(({ cis }) => !hasCis || cis.length > 0);
  if (subjects.length === 0) await (desk.reading.missing.length > 0 ? unknownNames(desk) : askWhich(desk, what));
  return subjects;
}

export async function askWhich(desk: Desk, what = 'Which system do you mean?'): Promise<void> {
  desk.lead.push(what);
  desk.isAbstained = true;
}
/** Unknown words are no all-clear: true where the question has no others. */
export async function tellUnheard(desk: Desk): Promise<boolean> {
  const { things, topic } = desk.reading;
  const unheard = things.length > 0 || topic.length === 0 ? [] : await unheardOf(desk.asking, topic);
  if (unheard.length === 0 || unheard.length < topic.length) return false;
  desk.isAbstained = true;
  const row = await contextOf(desk);
  const open = row?.openEvents == null ? '' : ` ${counted(row.openEvents, 'event is', 'events are')} open in all.`;
  const none = `nothing here is called ${listed(unheard.map(quoted))}, and no event mentions it`;
  desk.say(row)`Not known: ${none}.${open}`;
  return true;
}
/** States that nothing has the names. */
export async function unknownNames(desk: Desk): Promise<void> {
  const { missing } = desk.reading;
  desk.isAbstained = true;
  const row = await contextOf(desk);
  const of = row?.cis == null ? '' : ` among ${counted(row.cis, 'CI')}`;
  for (const name of missing.slice(0, 3)) {
    const near = await likeNames(desk.asking, name);
    const meant = near.length === 0 ? '' : ` Did you mean ${enumeration(near, NEAR).replace(/ and (?=\S+$)/, ' or ')}?`;
    desk.say(row)`No CI found named ${quoted(name)}${of}, and no event has that host.${meant}`;
  }
}
