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
    .replace(/\b(what(?:'s| is)) still (?=burning|on fire\b)/gi, '$1 ')
    .replace(FILLERS, '');
