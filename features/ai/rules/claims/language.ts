import { wordsOf } from './words.ts';

/* Claims are checked as English sentences, since claims in other languages would pass unchecked. */

/** Words of English sentences that are not words of German, French, Spanish, Italian, Portuguese or Dutch too. */
const ENGLISH: ReadonlySet<string> = new Set(
  (
    'the of and or to at by with without from for into over under between before after since during until about against through because ' +
    'that this these those there they it its which who whose when where while then than what how why ' +
    'are were be been being has have had having does did do will would can could may might must should shall cannot not ' +
    'as if but also only both each every all any many more most much other others another same such several few less least ' +
    'first second third last next earlier later now still yet again often likely probably possibly ' +
    'one two three four five six seven eight nine ten hours hour minutes seconds days day weeks times time ' +
    'here below above behind up down out off back together likely nothing none never ' +
    'began begin begins started start starts ended end ends failed fail fails failing failure failures caused cause causes reported reports ' +
    'shows show showed seen saw see check look restart restore verify confirm ask move add keep free plan wait watch test tell depends ' +
    'depend dependents dependent dependencies dependency upstream downstream affected affects affect hit hits lost loses lose ran runs run ' +
    'reached reach answers answer serves serve hosts host rises rose rising fell falls fall grew grows slow slower high higher low lower ' +
    'open closed severe severity events event changes change changed problem problems group groups server database switch disk ' +
    'outage service services single point known unknown unusual usual rare new old root whole half full near wide'
  ).split(' '),
);
const SHARE = 0.3;
const OTHER_SCRIPTS = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}µΩ]/u;

const WORD = /^\p{L}+(?:['’]\p{L}+)?$/u;

/**
 * True if the text is English. `isQuoted` detects words of its evidence, which may be in any language: they do not
 * count.
 */
export const isEnglish = (text: string, isQuoted: (word: string) => boolean): boolean => {
  const words = wordsOf(text)
    .map((word) => word.text.toLowerCase())
    .filter((word) => WORD.test(word));
  const own = words.filter((word) => ENGLISH.has(word) || !isQuoted(word));
  if (own.some((word) => OTHER_SCRIPTS.test(word))) return false;
  return own.length === 0 || own.filter((word) => ENGLISH.has(word)).length >= SHARE * own.length;
};
