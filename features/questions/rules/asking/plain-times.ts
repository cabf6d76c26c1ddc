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
