import { INTENT_PARTS } from '#features/questions/rules/asking/intents.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { stemsOf } from '#features/questions/rules/asking/speaks-of.ts';
import { STOP } from '#features/questions/rules/grammar/words.ts';
import { type FullIncidentRow, wordsOf } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { silences } from '#features/questions/use-cases/tools/kinds/silences.ts';
import { type ActionRow, whoActed } from '#features/questions/use-cases/tools/kinds/who.ts';
import { type Desk, quotedNote } from './desk.ts';
import { inFull } from './meant-incident.ts';
import { subjectsOf } from './meant-things.ts';
import type { MessageReading } from './read-message.ts';
import { headline } from './tell-incident.ts';
import { isOnAny, unheardOf } from './things.ts';

const LISTED = 4;
const MOST_WORDS = 6;

/** Words of a question beside names, times, people and words of the language. */
export function contentWords({ lower, things, time, asked, care }: MessageReading): readonly string[] {
  const known = [...things.map(({ said }) => said), time?.text ?? '', care.person ?? ''];
  const conditions = asked.entities.flatMap(({ kind, text }) => (kind === 'time' ? [text] : []));
  const without = [...known, ...conditions]
    .filter((text) => text !== '')
    .reduce((left, text) => left.replace(text.toLowerCase(), ' '), lower);
  const words = without.match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !PLAIN.has(word) && !STOP.has(word));
}

/** Numbers of tickets and of cases at vendors. */
const TICKET = /\b[A-Z]{2,10}-\d{1,8}\b|\b(?:case|ticket|bug|inc|chg|sr)\s?#?\d{2,12}\b|#\d{2,10}\b/i;
const OF_TICKET = /^(?:tickets?|bugs?|jira|cases?|reference|chg|inc)$/;

const hasWord = (text: string, stems: ReadonlySet<string>, word: string): boolean =>
  stemsOf(word).every((stem) => stems.has(stem)) || (OF_TICKET.test(word) && TICKET.test(text));

/** Notes, and comments on states and verdicts. */
const saidIn = ({ kind, text }: ActionRow): string | null => (kind === 'verdict' ? text : wordsOf(kind, text));

/** A note on one system is none on another that the question names. */
const isAbout = ({ things }: MessageReading, row: ActionRow, of: FullIncidentRow | null): boolean => {
  const named = things.filter(({ kind }) => kind !== 'type');
  const text = row.text.toLowerCase();
  const isSaid = named.some(({ name, said }) => [name, said].some((one) => text.includes(one.toLowerCase())));
  return named.length === 0 || isSaid || (of?.members.some(isOnAny(named)) ?? false);
};

/**
 * Notes that have words of the question that nothing else here has: `when does the spare come`. A note on the incident or CI of the
 * question needs one of its words. False: there are none.
 */
export async function tellNoted(desk: Desk, names: readonly string[] = [], isLast = false): Promise<boolean> {
  const { asking, reading, memory } = desk;
  const own = contentWords(reading);
  const words = names.length > 0 ? names : isLast ? own : own.filter((word) => !INTENT_PARTS.has(word));
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  const unheard = new Set(names.length > 0 ? names : await unheardOf(asking, words));
  if (unheard.size === 0 && !isLast) return false;
  const calls = desk.runs.length;
  const kind = ['note', 'status', 'verdict'] as const;
  const [thing] = subjectsOf(reading.things).filter(({ kind: one }) => one === 'ci');
  const ci = thing?.id ?? undefined;
  const group = ci === undefined ? memory.incident : undefined;
  const near = group === undefined && ci === undefined ? null : await desk.look(whoActed, { kind, group, ci });
  const plainWords = stemsOf(reading.lower).filter((word) => word.length > 2 && !STOP.has(word));
  const sharedBy = (row: ActionRow): number => {
    const text = saidIn(row) ?? '';
    const stems = new Set(stemsOf(text));
    const shared = words.filter((word) => hasWord(text, stems, word));
    // The note with more of the other words, if several fit as well.
    const others = plainWords.filter((word) => hasWord(text, stems, word)).length / 100;
    const isNear = near?.rows.includes(row) ?? false;
    const isMeant = isNear && shared.length > 0 && (isLast || shared.some((word) => unheard.has(word)));
    const isAll = unheard.size > 0 && [...unheard].every((word) => shared.includes(word));
    return isMeant || isAll ? shared.length + others : 0;
  };
  const fitting = near?.rows.filter((row) => sharedBy(row) > 0) ?? [];
  const all = fitting.length > 0 ? fitting : (await desk.look(whoActed, { kind })).rows;
  const most = Math.max(0.01, ...all.map(sharedBy));
  let isNoted = false;
  for (const row of all.filter((one) => sharedBy(one) === most).slice(-LISTED)) {
    const of = await inFull(desk, row.of);
    if (fitting.length === 0 && !isAbout(reading, row, of)) continue;
    isNoted = true;
    if (of !== null) desk.remember({ incident: of.id });
    const state = of === null ? '' : `, ${of.to === null ? 'which is open' : `which ended ${desk.clock.ago(of.to)}`}`;
    const where = of === null ? '' : ` on ${headline(of)}${state}`;
    desk.say(row)`Noted by ${row.by}, ${desk.clock.ago(row.at)}: ${quotedNote(saidIn(row) ?? '')}${where}.`;
  }
  if (isNoted) return true;
  const reasons = unheard.size === 0 ? [] : (await desk.look(silences, {})).rows;
  const hasAll = (text: string): boolean => {
    const stems = new Set(stemsOf(text));
    return [...unheard].every((word) => hasWord(text, stems, word));
  };
  const fits = reasons.filter(({ reason }) => hasAll(reason ?? ''));
  for (const row of fits.slice(0, LISTED))
    desk.say(row)`Reason of the silence of ${row.what}, by ${row.by ?? 'no recorded user'}:
      ${quotedNote(row.reason ?? '')}, ${row.to === null ? 'without an end' : `until ${desk.clock.time(row.to)}`}.`;
  // Calls that found nothing are no evidence of the answer.
  if (fits.length === 0) desk.runs.length = calls;
  return fits.length > 0;
}
