import { corrected } from '#features/questions/rules/grammar/tokens.ts';

/** Words of chats, each with its long form. */
const SHORT =
  "wich which / wut what / hw how / noone nobody / todays today's / yesterdays yesterday's / wats what's / wat what / im I'm / ive I've / abt about / nite night / rite right / tmrw tomorrow / tonite tonight / yday yesterday / pls please / plz please / thx thanks / tnx thanks / u you / ur your / w with / bc because / cuz because / ppl people / sth something / y why";
/** The same and those without their apostrophes, as readers of questions know them. */
const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['what', 'who', 'how', 'where', 'when', 'why', 'that', 'there'].map((w) => [`${w}s`, `${w}'s`]),
  ),
  ...Object.fromEntries(
    ['is', 'are', 'was', 'were', 'do', 'does', 'did', 'has', 'have', 'had', 'could', 'should', 'would', 'ca', 'wo'].map(
      (w) => [`${w}nt`, `${w}n't`],
    ),
  ),
  ...Object.fromEntries(SHORT.split(' / ').map((pair) => pair.split(' '))),
};
const WORD = /(?<![\p{L}\p{N}._:/'-])\p{L}{1,10}(?![\p{L}\p{N}_:/'-]|\.\p{L})/gu;

/** Words at the end that ask nothing. */
const FILLERS =
  /(?:[ ,]{1,3}(?:or not|please|though|tho|anyway|btw|by the way|thanks|mate|guys|folks|lol|asap|at all))+(?=[ ?.!]*$)/i;

type Rewriting = readonly [said: RegExp, by: string];
/** One rewriting a line: an expression, and the words in its place. */
const rewritings = (text: string): readonly Rewriting[] =>
  [...text.matchAll(/^ {2}(.+) => (.+)$/gm)].map(([, said = '', by = '']) => [new RegExp(said, 'gi'), by]);
const rewritten = (text: string, all: readonly Rewriting[]): string =>
  all.reduce((left, [said, by]) => left.replace(said, by), text);

/** `not closed` is open. */
const PHRASES = rewritings(String.raw`
  ^n (?=\w+ \w) => and 
  \b(?:(?:ends?|ended|lands?|landed|are|were|is|was|got|went) (?:up )?in|went into) (?:an?|any|some) groups?\b => were grouped
  \b(?:pull(?:s|ed|ing)? the plug (?:on|of))\b => unplug
  \b(what|who|which) dies\b => $1 fails
  \b(?:are )?(?:any )?(?:disks?|volumes?) (?:are |is )?(?:filling up|filling|nearly full|almost full)\b => any disks low on space
  \b((?:that|what|which)(?:'s| is| are)|incidents?|events?|alerts?|problems?|groups?|still) not (?:yet |been ){0,2}(?:closed|resolved|fixed|solved|over)\b(?: yet)? => $1 open
  \b(what(?:'s| is)) still(?= (?:burning|on fire\b)) => $1
  \b(?:switch|turn|shut|power|take|bring) (?:the )?([\w.-]{2,40}) (?:off|down|offline)\b => turn off $1
  \bswitch(?=(?:ed|ing)? (?:off|on)\b) => turn
  \bcomplain(?:s|ed|ing)? (?:about|of) (?:the )?(\w{3,20}) => had $1 alerts
`);

/** Chat words and missing apostrophes in full, outside quotes: `whats` is `what's`, `abt` is `about`. */
export function plainChat(text: string): string {
  const parts = text.split('"');
  const words = parts.map((part, at) =>
    at % 2 === 1 ? part : part.replace(WORD, (word) => WORDS[word.toLowerCase()] ?? word),
  );
  const whole = words
    .join('"')
    .replaceAll(DAY_PART, (_, day: string, word: string) => `${day} ${corrected(word, DAY_PARTS)}`);
  return rewritten(whole, PHRASES).replace(FILLERS, '');
}
const DAY_PARTS: ReadonlySet<string> = new Set(['morning', 'afternoon', 'evening']);
const DAY_PART = /\b(this|yesterday) ([a-z]{5,10})\b/g;

const CLOCK = String.raw`\d{1,2}(?::\d{2})?`;
const SPAN = new RegExp(
  String.raw`(?<![\p{L}\d.:_-])(${CLOCK}) ?[-–—] ?(${CLOCK})(?: ?h| o'clock)?(?![\p{L}\d:._-])`,
  'gu',
);

/** `since 9` is `since 9:00`, and `before 3pm` the part of the day until then; beside tonight, last night is the one before. */
const TIMES = rewritings(String.raw`
  \b(with|than|vs|versus|against|to|or|and) (\d{1,2}) (?:to|until|till) (\d{1,2})\b(?! \w+ago) => $1 between $2 and $3
  \b(?:yesterday (?:or|and) today|today (?:or|and) yesterday)\b(?!.*\b(?:than|worse|more|which)\b) => since yesterday
  \b(since|after|before|until|at|around) (\d{1,2})(?=[ ?.!,]*$|[,?!] | (?:this|today|yesterday|last|what|who|was|were|is|are|and|or)\b) => $1 $2:00
  (?<!\b(?:will|done|be|by|long|ever)\b.{0,60})\bbefore (\d{1,2}(?::\d{2}(?: ?[ap]m)?| ?[ap]m)|noon)\b => between 0:00 and $1
  \btonight (between|from|at|since|around|after)\b => $1
  (?<=\btonight\b.{0,80})\blast night\b|\blast night\b(?=.{0,80}\btonight\b) => the night prior to tonight
  \brn\b|\bat the mo\b => right now
  \b(?:of|in|during) the night\b => last night
  \b(?:of|in|during) the (morning|afternoon|evening)\b => this $1
  \btill when\b => until when
  \bw\/ ?(\w) => with $1
  \b(this|yesterday|last) (morning|afternoon|evening|night) (vs\.?|versus|or|and|than) (morning|afternoon|evening|night)\b => $1 $2 $3 $1 $4
  \bthan the (morning|afternoon|evening)\b => than this $1
  (?<!(?:this|last|the|yesterday|day|mon|tues|wednes|thurs|fri|satur|sun|good|tomorrow) ?)\b(morning|afternoon|evening)\b(?=.{1,20}\b(?:morning|afternoon|evening)\b|[ ?]*$) => this $1
`);

/** Times in the words that readers of times know: `17–18` is `between 17 and 18`, `rn` is `right now`. */
export const plainTimes = (text: string): string =>
  rewritten(text.replace(SPAN, 'between $1 and $2'), TIMES).replace(/(?<!\bthe )\batm(?=[?.! ]*$)/, 'right now');
