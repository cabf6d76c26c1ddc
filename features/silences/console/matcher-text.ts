import { inSentence, names as namesText } from '#console/text/counts.ts';
import { labelText } from '#domain/event/silences/labels.ts';
import type { SilenceData } from './api.ts';

export const CONDITION_NAMES: Readonly<Record<keyof SilenceData['matcher'], string>> = {
  title: 'Title contains',
  host: 'Host',
  source: 'Source',
  severity: 'Severity',
  service: 'Service',
  environment: 'Environment',
  tag: 'Tag',
  labels: 'Label',
  ciId: 'CI',
  ciIds: 'CI',
  below: 'CI (incl. impacted)',
  ciType: 'CI type',
};

type Matcher = SilenceData['matcher'];

/** Ids of the CIs that a silence is for. */
export const cisOf = ({ ciId, ciIds = [], below }: Matcher): string[] =>
  [ciId, ...ciIds, below].filter((id) => id !== undefined);

const MAX_NAMES = 5;

/** `title contains SIP registration, host pet-voip`; CIs by their names, as far as these are known. */
export const matcherWords = (matcher: Matcher, names: ReadonlyMap<string, string> = new Map()): string =>
  Object.entries(matcher)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const words = [value]
        .flat()
        .map((one) => (typeof one === 'object' ? labelText(one) : (names.get(one ?? '') ?? one ?? '')));
      const list = name === 'ciIds' ? namesText(words, words.length, MAX_NAMES) : words.join(', ');
      return `${inSentence(CONDITION_NAMES[name as keyof typeof CONDITION_NAMES] ?? name)} ${list}`;
    })
    .join(', ');
