import { isNearly } from '#domain/search/nearly.ts';
import { stemOf } from '#domain/search/stem.ts';
import { COMPLAINTS } from '#features/questions/rules/grammar/words.ts';

/** Words that monitors and people use for the same. */
const SAME: readonly (readonly string[])[] = [
  ['login', 'logon', 'signin', 'bind', 'ldap', 'auth', 'password', 'sso'],
  ['connect', 'lost', 'link', 'carrier', 'interfac', 'port', 'unreach'],
  ['payment', 'card', 'authoris', 'author', 'checkout', 'pay'],
  ['certif', 'cert', 'tl', 'ssl', 'expir'],
  ['memori', 'oom', 'kill', 'heap'],
  ['disk', 'volum', 'space', 'full', 'filesystem', 'storag'],
  ['releas', 'deploy', 'rollout', 'version'],
  ['slow', 'latenc', 'respons', 'timeout', 'time', 'wait'],
  ['cluster', 'evict', 'node', 'rac'],
  ['error', 'fail', 'exception', '502', '500'],
  ['power', 'ups', 'pdu', 'batteri'],
  ['network', 'switch', 'port', 'interfac', 'packet', 'crc'],
  ['database', 'db', 'sql', 'jdbc', 'ora'],
  ['backup', 'job', 'batch'],
  ['temperatur', 'temp', 'hot', 'hotter', 'heat', 'overheat', 'warm', 'warmer', 'cool', 'thermal', 'inlet'],
];
const same: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  SAME.flatMap((words) =>
    words.map((word) => [word, new Set(SAME.filter((row) => row.includes(word)).flat())] as const),
  ),
);

/** A word that monitors complain with. */
export const isComplaint = (word: string): boolean => COMPLAINTS.has(word) || same.has(stemOf(word));
export const stemsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf);

/** Share of the topic's words in a title, 0 to 1; synonyms count half. */
export function speaksOf(title: string, topic: readonly string[]): number {
  if (topic.length === 0) return 0;
  const stems = new Set(stemsOf(title));
  const scores = topic.map((word) => {
    if (/[^\p{L}\p{N}]/u.test(word) && title.toLowerCase().includes(word)) return 1;
    const stem = stemOf(word);
    const isLike = (one: string): boolean => one.startsWith(stem) || (stem.length > 4 && isNearly(stem, one));
    if (stems.has(stem) || (word.length > 4 && [...stems].some(isLike))) return 1;
    const others = same.get(stem);
    return others !== undefined && [...stems].some((one) => others.has(one)) ? 0.5 : 0;
  });
  return scores.reduce((sum: number, one) => sum + one, 0) / topic.length;
}
