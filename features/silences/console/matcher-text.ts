import { labelText } from '#domain/event/silences/labels.ts';
import type { SilenceData } from './api.ts';

const WORDS: Readonly<Record<keyof SilenceData['matcher'], string>> = {
  title: 'title contains',
  host: 'host',
  source: 'source',
  severity: 'severity',
  service: 'service',
  environment: 'environment',
  tag: 'tag',
  labels: 'labels',
  ciId: 'CI',
  ciType: 'CI type',
  below: 'CI (incl. impacted)',
};

type Matcher = SilenceData['matcher'];

/** Ids of the CIs that a silence is for. */
export const cisOf = ({ ciId, below }: Matcher): string[] => [ciId, below].filter((id) => id !== undefined);

/** `title contains SIP registration, host pet-voip`; CIs by their names, as far as these are known. */
export const matcherWords = (matcher: Matcher, names: ReadonlyMap<string, string> = new Map()): string =>
  Object.entries(matcher)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${WORDS[name as keyof typeof WORDS] ?? name} ${[value]
          .flat()
          .map((one) => (typeof one === 'object' ? labelText(one) : (names.get(one ?? '') ?? one)))
          .join(', ')}`,
    )
    .join(', ');
