/** The stem of an English word (M. F. Porter, An algorithm for suffix stripping, 1980), as SQLite makes it. */

const VOWEL = /[aeiou]/;
const isVowel = (word: string, at: number): boolean =>
  VOWEL.test(word.charAt(at)) || (word[at] === 'y' && at > 0 && !isVowel(word, at - 1));

/** Counts the vowels that are followed by a consonant. */
const measure = (stem: string): number => {
  let [count, before] = [0, false];
  for (let at = 0; at < stem.length; at++) {
    const now = isVowel(stem, at);
    if (before && !now) count += 1;
    before = now;
  }
  return count;
};
const hasVowel = (stem: string): boolean => [...stem].some((_, at) => isVowel(stem, at));
const endsDouble = (word: string): boolean => {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last);
};
const endsShort = (word: string): boolean => {
  const last = word.length - 1;
  if (last < 2 || isVowel(word, last) || !isVowel(word, last - 1) || isVowel(word, last - 2)) return false;
  return !/[wxy]$/.test(word);
};

type Rules = readonly (readonly [ending: string, instead: string])[];
const rules = (text: string): Rules => text.split(' ').map((rule) => rule.split('>') as [string, string]);

const SECOND = rules(
  'ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble logi>log',
);
const THIRD = rules('icate>ic ative> alize>al iciti>ic ical>ic ful> ness>');
const FOURTH = rules(
  'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>',
);

/** The first matching ending decides, whether it is removed or not. */
const replaced = (word: string, all: Rules, mayGo: (stem: string, ending: string) => boolean): string => {
  const rule = all.find(([ending]) => word.endsWith(ending));
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule[0].length);
  return mayGo(stem, rule[0]) ? stem + rule[1] : word;
};

const plural = (word: string): string => {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
};

const completed = (stem: string): string => {
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
};

const past = (word: string): string => {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = ['ed', 'ing'].find((one) => word.endsWith(one));
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  return hasVowel(stem) ? completed(stem) : word;
};

const withI = (word: string): string =>
  word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;

const withoutE = (word: string): string => {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  return measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem)) ? stem : word;
};

/**
 * Returns the stem of a word in small letters without accents; words of other scripts, numbers and short ones stay
 * unchanged.
 */
export const stemOf = (word: string): string => {
  if (!/^[a-z0-9]{3,63}$/.test(word)) return word;
  const hasMeasure = (stem: string): boolean => measure(stem) > 0;
  let stem = withI(past(plural(word)));
  stem = replaced(stem, SECOND, hasMeasure);
  stem = replaced(stem, THIRD, hasMeasure);
  stem = replaced(stem, FOURTH, (rest, ending) => measure(rest) > 1 && (ending !== 'ion' || /[st]$/.test(rest)));
  stem = withoutE(stem);
  return endsDouble(stem) && stem.endsWith('l') && measure(stem) > 1 ? stem.slice(0, -1) : stem;
};
