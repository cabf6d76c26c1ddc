import { stemsOf } from '../asking/speaks-of.ts';

/** A paragraph, list item or table row of a page, with the heading above it. */
export interface Passage {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** First cells of a row, by which it is found. */
  readonly key: string;
}

/** The documentation that the program ships. */
export interface Manual {
  passages(): Promise<readonly Passage[]>;
}
declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly manual: Manual;
  }
}

const bare = (text: string): string =>
  text
    .replaceAll(/\[([^\][]{1,200})\]\([^()]{1,300}\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .trim();
/** Columns for programmers and for writers of texts. */
const UNTOLD = /^(?:API names|Never)$/;
const cellsOf = (line: string): string[] =>
  line
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map(bare);

/** Passages of a page in Markdown; code is left out. */
export function passagesOf(markdown: string): readonly Passage[] {
  const found: Passage[] = [];
  let [page, heading, isCode]: [string, string, boolean] = ['', '', false];
  let [columns, block]: [readonly string[], string[]] = [[], []];
  const add = (text: string, key = ''): void => void (text !== '' && found.push({ page, heading, text, key }));
  const close = (): void => {
    add(bare(block.join(' ')));
    block = [];
  };
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks = '', title = ''] = line.match(/^(#{1,4}) (.+)$/) ?? [];
    const isRow = line.startsWith('|');
    if (isRow || title !== '' || line.trim() === '' || /^(?:- |\d\. )/.test(line)) close();
    if (isCode || line.startsWith('```')) continue;
    if (marks === '#') [page, heading] = [bare(title), ''];
    else if (title !== '') heading = bare(title);
    else if (!isRow) {
      if (line.trim() !== '') block.push(line.replace(/^(?:- |\d\. )/, '').trim());
      columns = [];
    } else if (columns.length === 0) columns = cellsOf(line);
    else if (!/^\|[-:| ]+$/.test(line)) {
      const cells = cellsOf(line).filter((cell, at) => cell !== '–' && !UNTOLD.test(columns[at] ?? ''));
      const [first = '', second = '', ...rest] = cells;
      const more = rest.length === 0 ? '' : ` (${rest.join('; ')})`;
      if (columns[1] === 'Term') add(`${second}: ${[first, ...rest].join('. ')}.`, second);
      else if (columns[0] === 'Key') add(`Press ${first}: ${second}${more}.`, second);
      else add(`${first}: ${second}${more}.`, `${first} ${second}`);
    }
  }
  close();
  return found;
}

const LEAST = 0.5;
const MOST_ROWS = 2_000;
/** Characters by which a word is looked for before it is stemmed. */
const BEGIN = 4;

/** The passages that have most of the rare words, the best first; at most two. Words that no passage has are passed over. */
export function bestPassages(all: readonly Passage[], words: readonly string[]): readonly Passage[] {
  const wanted = [...new Set(words.flatMap(stemsOf))];
  const begins = wanted.map((stem) => stem.slice(0, BEGIN));
  const rows = all.slice(0, MOST_ROWS).flatMap((one) => {
    const text = `${one.heading} ${one.text}`.toLowerCase();
    if (!begins.some((begin) => text.includes(begin))) return [];
    return [{ one, own: new Set(stemsOf(text)), key: new Set(stemsOf(one.key)) }];
  });
  const manyOf = (stem: string): number => rows.filter(({ own }) => own.has(stem)).length;
  const rarity = new Map(
    wanted.map((stem) => [stem, manyOf(stem) === 0 ? 0 : Math.log((2 + all.length) / manyOf(stem))]),
  );
  const weightOf = (stems: ReadonlySet<string>): number =>
    wanted.reduce((sum, stem) => sum + (stems.has(stem) ? (rarity.get(stem) ?? 0) : 0), 0);
  const whole = weightOf(new Set(wanted));
  const scored = rows
    .map(({ one, own, key }) => {
      const fits = weightOf(own);
      return { one, fits, score: (2 * fits + weightOf(key)) / (1 + own.size / 50) };
    })
    .filter(({ fits }) => fits > 0 && fits >= LEAST * whole)
    .toSorted((a, b) => b.score - a.score);
  const [best] = scored;
  const isClose = ({ score }: { readonly score: number }): boolean => best !== undefined && score >= 0.9 * best.score;
  return scored
    .filter(isClose)
    .slice(0, 2)
    .map(({ one }) => one);
}
