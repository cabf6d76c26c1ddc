import type { Event } from '#domain/event/event.ts';
import { globMatches } from '#domain/glob.ts';
import { labelTest } from './labels.ts';
import type { SilenceMatcher } from './silence-rule.ts';
import { hostsOf } from './written-pattern.ts';

/** The fields of an event or occurrence that silences match. */
export type Silenceable = Pick<
  Event,
  'source' | 'sourceId' | 'severity' | 'hostname' | 'service' | 'application' | 'environment' | 'tags' | 'title' | 'ci'
>;
export type SilenceTest = (event: Silenceable) => boolean;

/** Length of a name that is compared with a pattern. */
const MAX_NAME = 255;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');

/** Words of the last requested title: many silences check one title after the other. */
export type TitleWords = (title: string) => ReadonlySet<string>;
export const openTitleWords = (): TitleWords => {
  let last: { readonly title: string; readonly words: ReadonlySet<string> } | null = null;
  return (title) => {
    if (last?.title !== title) last = { title, words: new Set(wordsOf(title)) };
    return last.words;
  };
};

/** One of the texts is the wanted one, regardless of case. */
const sameText =
  (...reads: readonly ((event: Silenceable) => string | undefined)[]) =>
  (wanted: string): SilenceTest => {
    const lower = wanted.trim().toLowerCase();
    return (event) => reads.some((read) => read(event)?.trim().toLowerCase() === lower);
  };

/** One test for each part that is given. */
const TESTS: {
  readonly [K in Exclude<keyof SilenceMatcher, 'title' | 'ciId' | 'ciIds' | 'below'>]-?: (
    wanted: NonNullable<SilenceMatcher[K]>,
  ) => SilenceTest;
} = {
  source: sameText(({ source }) => source),
  severity: (wanted) => {
    const severities = new Set(wanted);
    return ({ severity }) => severities.has(severity);
  },
  host: (wanted) => {
    const patterns = hostsOf(wanted.toLowerCase());
    return ({ hostname, ci }) => {
      const name = (hostname ?? ci?.name)?.toLowerCase().slice(0, MAX_NAME);
      return name !== undefined && patterns.some((pattern) => globMatches(pattern, name));
    };
  },
  service: sameText(
    ({ service }) => service,
    ({ application }) => application,
  ),
  environment: sameText(({ environment }) => environment),
  tag:
    (wanted) =>
    ({ tags }) =>
      tags.includes(wanted),
  labels: (wanted) => {
    const tests = wanted.map(labelTest);
    return (event) => tests.every((test) => test(event));
  },
  ciType: sameText(({ ci }) => ci?.type),
};

const titleTest = (wanted: string, wordsIn: TitleWords): SilenceTest => {
  const words = wordsOf(wanted);
  return ({ title }) => words.every((word) => wordsIn(title).has(word));
};

/** CIs that a matcher means, as they are called now. */
export interface ResolvedCis {
  readonly own?: ReadonlySet<string> | undefined;
  readonly below?: ReadonlySet<string> | undefined;
}

/** Tests that depend on CIs alone are the cheapest: they are first. */
const ciTests = ({ own, below }: ResolvedCis): SilenceTest[] =>
  [own, below].flatMap((ids) => (ids === undefined ? [] : [({ ci }: Silenceable) => ci !== null && ids.has(ci.id)]));

/** Compiles a matcher to one test; its parts are parsed once, and regular expressions run in time linear to the text. */
export function compileMatcher(matcher: SilenceMatcher, meant: ResolvedCis, wordsIn: TitleWords): SilenceTest {
  const tests = ciTests(meant);
  for (const [part, make] of Object.entries(TESTS)) {
    const wanted = matcher[part as keyof typeof TESTS];
    if (wanted !== undefined) tests.push((make as (wanted: unknown) => SilenceTest)(wanted));
  }
  if (matcher.title !== undefined) tests.push(titleTest(matcher.title, wordsIn));
  return (event) => {
    for (const test of tests) if (!test(event)) return false;
    return tests.length > 0;
  };
}
