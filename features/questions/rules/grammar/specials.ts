import { numberNamed, unitNamed } from '#features/ai/rules/time/words.ts';
import type { QueryDraft } from './draft.ts';
import { phrases, type Sentence, wordSet } from './sentence.ts';
import type { When } from './times.ts';
import { MOST } from './words.ts';

/* Conditions of a few words that no single reader has: the age of what is open, what an incident began with, what CIs run on. */

const OLDER = phrases('older|longer than / open|unresolved for more|longer than / more than');

/** `older than one hour`: the minimum age of open things. */
function takeAge(sentence: Sentence, draft: QueryDraft, { now, calendar }: When): void {
  for (let at = 0; at < sentence.length; at++) {
    const older = sentence.matchesAt(OLDER, at);
    if (older === null) continue;
    const [first = '', second = ''] = sentence.tokens.slice(older.to, older.to + 2).map(({ spelled }) => spelled);
    const number = first === 'a' || first === 'an' ? 1 : numberNamed(first);
    const unit = unitNamed(second) ?? unitNamed(second.replace(/s$/, ''));
    if (number === null || unit === null) continue;
    draft.olderThan = now - calendar.add(now, -number, unit);
    const behind = sentence.word(older.to + 2) === 'old' || sentence.word(older.to + 2) === 'ago' ? 3 : 2;
    draft.tell('time', sentence.text(at, older.to + behind), `before ${new Date(now - draft.olderThan).toISOString()}`);
    sentence.take(at, older.to + behind);
    return;
  }
}

const HOUR_OF_DAY = phrases('hour|time of the? day');

/** `busiest hour of the day`: hours of the range, since none are added up over days. */
function takeHours(sentence: Sentence, draft: QueryDraft): void {
  const isRanked = sentence.findWord(MOST) !== null;
  const piece = sentence.takeFirst(isRanked ? [...HOUR_OF_DAY, ...phrases('what time')] : HOUR_OF_DAY);
  if (piece === null) return;
  draft.groupBy = 'hour';
  draft.sort ??= 'desc';
  draft.tell('group', sentence.text(piece.from, piece.to), 'hour');
}

const UNMEASURED = wordSet('availability uptime sla slo');

/** Shares of time are measured nowhere: a count would be no answer. */
function takeUnmeasured(sentence: Sentence, draft: QueryDraft): void {
  const at = sentence.findWord(UNMEASURED);
  if (at === null) return;
  draft.deny(`${sentence.text(at, at + 1)} is not measured`);
  sentence.take(at);
}

const CAUSED =
  /\b(?:caused by|because of|due to|as (?:the |a |its |their )?(?:root )?cause|(?:was|were|is|are) (?:the )?(?:root )?cause|root cause|started (?:on|by|with)|began (?:on|with))\b/i;
const CAUSE_WORDS = wordSet('caused cause because due root started began as');

const RUNS = /\b(?:run(?:s|ning)?|hosted|live|lives|sit|sits|reside[sd]?) on\b/i;
const RUN_WORDS = wordSet('run runs running hosted live sit reside');

export function takeSpecials(sentence: Sentence, draft: QueryDraft, when: When): void {
  takeAge(sentence, draft, when);
  takeUnmeasured(sentence, draft);
  takeHours(sentence, draft);
  const text = sentence.text(0, sentence.length);
  if (CAUSED.test(text)) sentence.takeAll(CAUSE_WORDS);
  if (RUNS.test(text)) sentence.takeAll(RUN_WORDS);
}

/** Names become what the words around them make of them. */
export function settleSpecials(question: string, draft: QueryDraft, { now }: When): void {
  const cis = draft.values('ci');
  const isOfIncidents = draft.metric === 'incidents' || draft.metric === 'incident_duration';
  if (CAUSED.test(question) && isOfIncidents && cis.length > 0) draft.move('ci', 'cause');
  if (RUNS.test(question) && (draft.metric === 'cis' || draft.metric === null) && cis.length > 0) {
    draft.metric = 'cis';
    draft.move('ci', 'on');
    // `VMs` and `servers` are whatever runs there.
    if (draft.values('ci_type').every((type) => ['virtual_machine', 'server', 'vm'].includes(type)))
      draft.replace('ci_type', []);
  }
  if (draft.olderThan !== null && draft.range === null) draft.range = { from: 0, to: now - draft.olderThan };
}
