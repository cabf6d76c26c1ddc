import { counted } from '#features/ai/rules/findings.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { impact } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { changes, events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { be, type Desk, listed, quoted } from '../desk.ts';
import { faultsIn } from '../tell-events.ts';

const COUNT = /^(?:and |so )?how many\b/;
/** Questions about the events that were counted last. */
const AGAIN =
  /\b(?:twice|more than once|several times|more (?:or|and) less|less or more|(?:in|de)creas\w*|rising|fewer|more often|which (?:ones?|hosts?)|still|gone|open|over|the (?:last|first|latest))\b/;
const DAYS = 7;

/** Words of a title that the question counts, or that were counted last; null: it counts something else. */
function wordsCounted({ reading, memory }: Desk): readonly string[] | null {
  const { lower, things, topic, strange, titles, asked } = reading;
  if (things.length > 0) return null;
  const isNew = topic.length + strange.length + titles.length > 0;
  if (!isNew) return AGAIN.test(lower) && reading.time === null ? (memory.counted ?? null) : null;
  const filters = asked.query?.filters ?? {};
  // A name that nothing has is a word of a title.
  const isMisread = 'text' in filters && ['service', 'source', 'ci'].some((name) => name in filters);
  const isOfHosts = asked.query === null || asked.query.metric === 'cis';
  return COUNT.test(lower) && (isMisread || isOfHosts) ? (titles.length > 0 ? titles : topic) : null;
}

/** Events with all words in the title: how many, on how many hosts, how many are open, and in which half of the time. False: none has them. */
export async function tellTitled(desk: Desk): Promise<boolean> {
  const words = wordsCounted(desk);
  if (words === null || words.length === 0) return false;
  const { reading, memory, asking, clock } = desk;
  // The second question of one message, which the first answer has covered.
  if (memory.counted === words && desk.findings.claims.length > 0) return true;
  const time = reading.time ?? (memory.counted === words ? (memory.time ?? null) : null);
  const { time_range, when } = desk.within(DAYS, time);
  const calls = desk.runs.length;
  const looked = await desk.look(events, { time_range });
  const [title = ''] = words;
  const isMeant = (row: ToolEventRow): boolean => row.title.includes(title) || speaksOf(row.title, words) === 1;
  const rows = faultsIn(looked.rows)
    .filter(isMeant)
    .toSorted((a, b) => a.from.localeCompare(b.from));
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    desk.runs.length = calls;
    return false;
  }
  const byHost = Map.groupBy(rows, ({ place }) => place ?? 'no host');
  const hosts = [...byHost].toSorted(([, a], [, b]) => b.length - a.length);
  const named = hosts.map(([name, { length }]) => (length === 1 ? name : `${name} (${length})`));
  const open = rows.filter(({ to }) => to === null).length;
  const least = looked.isCut ? 'At least ' : '';
  desk.say(looked)`${least}${counted(rows.length, 'event')} with ${quoted(words.join(' '))} in the title, on
    ${counted(hosts.length, 'host')}, ${when}: ${listed(named)}; ${open === 0 ? 'none' : open} ${be(open)} open.`;
  const range = time?.range ?? { from: Date.parse(first.from), to: asking.receivedAt };
  const middle = (range.from + Math.min(range.to, asking.receivedAt)) / 2;
  const before = rows.filter(({ from }) => Date.parse(from) < middle).length;
  desk.say([looked, last])`${before} of them began before ${clock.time(new Date(middle).toISOString())},
    ${rows.length - before} later; the first ${clock.ago(first.from)}, the last ${clock.ago(last.from)}.`;
  const range_text = { text: isoRange(range), range };
  desk.remember({ counted: words, time: time ?? range_text, list: hosts.slice(0, 8).map(([name]) => name) });
  return true;
}

const OF_BEFORE = /\b(?:before|was|were|old|previous\w*|earlier|used to|touched|changed?|history|who set)\b/;
const OF_USE = /\bstill (?:use|need|have|run|using)\b|\bin use\b|\bretired\b|\bdecommission\w*/;
const EDITED = /([\w.]{1,60}) ([^,()→]{1,60}) → ([^,()→]{1,60})/g;

/** Edits of a field of one CI, with the values before and after: its status, where its use is asked for. False: none. */
export async function tellEdits(desk: Desk): Promise<boolean> {
  const { lower, things, missing, strange, topic } = desk.reading;
  const [thing, other] = things.filter(({ kind }) => kind !== 'type');
  const isOfUse = OF_USE.test(lower);
  const words = isOfUse ? ['status'] : OF_BEFORE.test(lower) ? [...new Set([...missing, ...strange, ...topic])] : [];
  if (thing?.id == null || thing.kind !== 'ci' || other !== undefined || words.length === 0) return false;
  const calls = desk.runs.length;
  const looked = await desk.look(changes, { ci: thing.id, edits: true, time_range: desk.lastDays(30) });
  const edits = looked.rows.flatMap((row) =>
    [...row.title.matchAll(EDITED)].flatMap(([, field = '', before = '', after = '']) =>
      words.some((word) => field.split('.').at(-1) === word) ? [{ row, field, before, after }] : [],
    ),
  );
  const [newest] = edits;
  if (newest === undefined) {
    desk.runs.length = calls;
    return false;
  }
  desk.say(newest.row)`${newest.field} of ${thing.name} is ${newest.after} now; before: ${edits.at(-1)?.before}.`;
  for (const { row, field, before, after } of edits.slice(0, 5))
    desk.say(row)`${field} ${before} → ${after}, ${desk.clock.ago(row.at)}${row.by === null ? '' : `, by ${row.by}`}.`;
  desk.rememberThing(thing);
  const hit = isOfUse ? await desk.find(impact, { ci: thing.id }) : null;
  if (hit !== null) desk.say(hit)`${impact.tell(hit, { ci: thing.id })}`;
  return true;
}
