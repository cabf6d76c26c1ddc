import { counted } from '#features/ai/rules/findings.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { impact } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { changes, events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, listed, quoted } from '../desk.ts';
import { tellFromTalk, tellMerges } from '../recorded-answers.ts';
import { faultsIn } from '../tell-events.ts';

const COUNT = /^(?:and |so )?how many\b/;
const ON_HOSTS = /\bon how many\b/;
/** Questions about the events that were counted last. */
const AGAIN =
  /\b(?:twice|more than once|several times|more (?:or|and) less|less or more|(?:in|de)creas\w*|rising|fewer|more often|which (?:ones?|hosts?)|still|gone|open|over|the (?:last|first|latest))\b/;

/** Words of titles that the question counts, or that were counted last; none: it counts something else. */
function wordsCounted({ reading, memory }: Desk): readonly string[] {
  const { lower, things, topic, strange, titles, asked, time } = reading;
  if (things.some(({ kind }) => kind !== 'type') || (things.length > 0 && !ON_HOSTS.test(lower))) return [];
  if (topic.length + strange.length + titles.length === 0)
    return AGAIN.test(lower) && time === null ? (memory.counted ?? []) : [];
  const { metric = 'cis', filters = {} } = asked.query ?? {};
  // A name that nothing has is a word of a title.
  const isMisread = 'text' in filters && ['service', 'source', 'ci'].some((name) => name in filters);
  return COUNT.test(lower) && (isMisread || metric === 'cis') ? (titles.length > 0 ? titles : topic) : [];
}

/** Events with all words in the title: how many, on how many hosts, how many are open, in which half of the time. False: none has them. */
async function tellTitled(desk: Desk): Promise<boolean> {
  const { reading, memory, asking, clock } = desk;
  const words = wordsCounted(desk);
  const isAgain = memory.counted === words;
  if (words.length === 0) return false;
  // The second question of one message, which the first answer has covered.
  if (isAgain && desk.findings.claims.length > 0) return true;
  const time = reading.time ?? (isAgain ? memory.time : undefined) ?? null;
  const { time_range, when } = desk.within(7, time);
  const looked = await desk.look(events, { time_range });
  const isMeant = ({ title }: ToolEventRow): boolean => title.includes(words.join(' ')) || speaksOf(title, words) === 1;
  const rows = faultsIn(looked.rows).filter(isMeant);
  const times = rows.map(({ from }) => from).sort();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return false;
  const hosts = [...Map.groupBy(rows, ({ place }) => place ?? 'no host')].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const named = hosts.map(([name, { length }]) => (length === 1 ? name : `${name} (${length})`));
  const open = rows.filter(({ to }) => to === null).length;
  desk.say(looked)`${looked.isCut ? 'At least ' : ''}${counted(rows.length, 'event')} with ${quoted(words.join(' '))}
    in the title, on ${counted(hosts.length, 'host')}, ${when}: ${listed(named)}; open: ${open === 0 ? 'none' : open}.`;
  const { from, to } = time?.range ?? { from: Date.parse(first), to: asking.receivedAt };
  const middle = new Date((from + Math.min(to, asking.receivedAt)) / 2).toISOString();
  const before = times.filter((at) => at < middle).length;
  desk.say(looked)`${before} of them began before ${clock.time(middle)}, ${rows.length - before} later; the first
    ${clock.ago(first)}, the last ${clock.ago(last)}.`;
  desk.remember({ counted: words, ...(time !== null && { time }), list: hosts.slice(0, 8).map(([name]) => name) });
  return true;
}

const OF_BEFORE = /\b(?:before|was|were|old|previous\w*|earlier|used to|touched|changed?|history|who set)\b/;
const OF_USE = /\bstill (?:use|need|have|run|using)\b|\bin use\b|\bretired\b|\bdecommission\w*/;
const EDITED = /([\w.]{1,60}) ([^,()→]{1,60}) → ([^,()→]{1,60})/g;

/** Edits of a field of one CI, with the values before and after: its status, where its use is asked for. False: none. */
async function tellEdits(desk: Desk): Promise<boolean> {
  const { lower, things, missing, strange } = desk.reading;
  const [thing, other] = things.filter(({ kind }) => kind !== 'type');
  const isOfUse = OF_USE.test(lower);
  const words = isOfUse ? ['status'] : OF_BEFORE.test(lower) ? [...missing, ...strange] : [];
  if (thing?.id == null || thing.kind !== 'ci' || other !== undefined || words.length === 0) return false;
  const ci = thing.id;
  const { rows } = await desk.look(changes, { ci, edits: true, time_range: desk.lastDays(30) });
  const edits = rows.flatMap((row) =>
    [...row.title.matchAll(EDITED)].map(([text, field = '', , after = '']) => ({ row, text, field, after })),
  );
  const meant = edits.filter(({ field }) => words.some((word) => field.split('.').at(-1) === word));
  const [newest] = meant;
  if (newest === undefined) return false;
  desk.say(newest.row)`${newest.field} of ${thing.name} is ${newest.after} now.`;
  for (const { row, text } of meant.slice(0, 5))
    desk.say(row)`${text}, ${desk.clock.ago(row.at)}${row.by === null ? '' : `, by ${row.by}`}.`;
  desk.rememberThing(thing);
  const hit = isOfUse ? await desk.find(impact, { ci }) : null;
  if (hit !== null) desk.say(hit)`${impact.tell(hit, { ci })}`;
  return true;
}

/** Answers before any intent: of the records and counts of the talk, of titles, and of the history of fields. */
export async function tellAhead(desk: Desk): Promise<boolean> {
  const calls = desk.runs.length;
  for (const tell of [tellMerges, tellFromTalk, tellTitled, tellEdits]) {
    if (await tell(desk)) return true;
    // A call that finds nothing is no evidence of another answer.
    desk.runs.length = calls;
  }
  return false;
}
