import { corrected } from '#features/questions/rules/grammar/tokens.ts';

/** Words of chats, as readers of questions know them. */
const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['what', 'who', 'how', 'where', 'when', 'why', 'that', 'there'].map((w) => [`${w}s`, `${w}'s`]),
  ),
  ...Object.fromEntries(
    ['is', 'are', 'was', 'were', 'do', 'does', 'did', 'has', 'have', 'had', 'could', 'should', 'would', 'ca', 'wo'].map(
      (w) => [`${w}nt`, `${w}n't`],
    ),
  ),
  wich: 'which',
  wut: 'what',
  hw: 'how',
  noone: 'nobody',
  todays: "today's",
  yesterdays: "yesterday's",
  wats: "what's",
  wat: 'what',
  im: "I'm",
  ive: "I've",
  abt: 'about',
  nite: 'night',
  rite: 'right',
  tmrw: 'tomorrow',
  gonna: 'going to',
  tonite: 'tonight',
  yday: 'yesterday',
  pls: 'please',
  plz: 'please',
  thx: 'thanks',
  tnx: 'thanks',
  u: 'you',
  ur: 'your',
  w: 'with',
  bc: 'because',
  cuz: 'because',
  ppl: 'people',
  sth: 'something',
  y: 'why',
};
const WORD = /(?<![\p{L}\p{N}._:/'-])\p{L}{1,10}(?![\p{L}\p{N}_:/'-]|\.\p{L})/gu;

/** Words at the end that ask nothing. */
const FILLERS =
  /(?:[ ,]{1,3}(?:or not|please|though|tho|anyway|btw|by the way|thanks|mate|guys|folks|lol|asap|at all))+(?=[ ?.!]*$)/i;

/** Chat words and missing apostrophes in full, outside quotes: `whats` is `what's`, `abt` is `about`. */
export const plainChat = (text: string): string =>
  text
    .split('"')
    .map((part, at) => (at % 2 === 1 ? part : part.replace(WORD, (word) => WORDS[word.toLowerCase()] ?? word)))
    .join('"')
    .replaceAll(DAY_PART, (_, day: string, word: string) => `${day} ${corrected(word, DAY_PARTS)}`)
    .replace(/\b(?:pull(?:s|ed|ing)? the plug (?:on|of))\b/gi, 'unplug')
    .replace(/\b(what|who|which) dies\b/gi, '$1 fails')
    .replace(
      /\b(?:are )?(?:any )?(?:disks?|volumes?) (?:are |is )?(?:filling up|filling|nearly full|almost full)\b/gi,
      'any disks low on space',
    )
    .replace(NOT_OVER, '$1 open')
    // `switch` alone is a type of systems.
    .replace(/\b(?:switch|turn|shut|power|take|bring) (?:the )?([\w.-]{2,40}) (?:off|down|offline)\b/gi, 'turn off $1')
    .replace(/\bswitch(?=(?:ed|ing)? (?:off|on)\b)/gi, 'turn')
    .replace(/\bcomplain(?:s|ed|ing)? (?:about|of) (?:the )?(\w{3,20})/gi, 'had $1 alerts')
    .replace(/\b(what(?:'s| is)) still (?=burning|on fire\b)/gi, '$1 ')
    .replace(FILLERS, '');

const DAY_PARTS: ReadonlySet<string> = new Set(['morning', 'afternoon', 'evening']);
const DAY_PART = /\b(this|yesterday) ([a-z]{5,10})\b/g;
/** `not closed` is open. */
const NOT_OVER =
  /\b((?:that|what|which)(?:'s| is| are)|incidents?|events?|alerts?|problems?|groups?|still) not (?:yet |been ){0,2}(?:closed|resolved|fixed|solved|over)\b(?: yet)?/gi;

const CLOCK = String.raw`\d{1,2}(?::\d{2})?`;
const SPAN = new RegExp(
  String.raw`(?<![\p{L}\d.:_-])(${CLOCK}) ?[-–—] ?(${CLOCK})(?: ?h| o'clock)?(?![\p{L}\d:._-])`,
  'gu',
);
const PART =
  /(?<!(?:this|last|the|yesterday|day|mon|tues|wednes|thurs|fri|satur|sun|good|tomorrow) ?)\b(morning|afternoon|evening)\b(?=.{1,20}\b(?:morning|afternoon|evening)\b|[ ?]*$)/gi;

/** Beside tonight, last night is the one before. */
const BESIDE = /(?<=\btonight\b.{0,80})\blast night\b|\blast night\b(?=.{0,80}\btonight\b)/gi;

/** Times in the words that readers of times know: `17–18` is `between 17 and 18`, `rn` is `right now`. */
export const plainTimes = (text: string): string =>
  text
    .replace(SPAN, 'between $1 and $2')
    .replace(
      /\b(with|than|vs|versus|against|to|or|and) (\d{1,2}) (?:to|until|till) (\d{1,2})\b(?! \w+ago)/gi,
      '$1 between $2 and $3',
    )
    .replace(
      /\b(?:yesterday (?:or|and) today|today (?:or|and) yesterday)\b(?!.*\b(?:than|worse|more|which)\b)/gi,
      'since yesterday',
    )
    // `since 9`, `after 5`.
    .replace(
      /\b(since|after|before|until|at|around) (\d{1,2})(?=[ ?.!,]*$|[,?!] | (?:this|today|yesterday|last|what|who|was|were|is|are|and|or)\b)/gi,
      '$1 $2:00',
    )
    // `before 3pm` is the part of the day until then.
    .replace(
      /(?<!\b(?:will|done|be|by|long|ever)\b.{0,60})\bbefore (\d{1,2}(?::\d{2}(?: ?[ap]m)?| ?[ap]m)|noon)\b/gi,
      'between 0:00 and $1',
    )
    .replace(/\btonight (?=(?:between|from|at|since|around|after)\b)/gi, '')
    .replace(BESIDE, 'the night prior to tonight')
    .replace(/\brn\b|\bat the mo\b/gi, 'right now')
    .replace(/\b(?:of|in|during) the (night|morning|afternoon|evening)\b/gi, (_, part) =>
      part === 'night' ? 'last night' : `this ${part}`,
    )
    .replace(/\btill when\b/gi, 'until when')
    .replace(/(?<!\bthe )\batm(?=[?.! ]*$)/, 'right now')
    .replace(/\bw\/ ?(?=\w)/gi, 'with ')
    .replace(
      /\b(this|yesterday|last) (morning|afternoon|evening|night) (vs\.?|versus|or|and|than) (morning|afternoon|evening|night)\b/gi,
      '$1 $2 $3 $1 $4',
    )
    .replace(/\bthan the (morning|afternoon|evening)\b/gi, 'than this $1')
    .replace(PART, 'this $1');
