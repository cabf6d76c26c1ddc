import type { SilenceShown } from '#console/api/silences.ts';

const WORDS: Readonly<Record<keyof SilenceShown['matcher'], string>> = {
  title: 'title has',
  host: 'host',
  source: 'source',
  severity: 'severity',
  service: 'service',
  environment: 'environment',
  tag: 'tag',
  ciId: 'CI',
  ciType: 'CI type',
  below: 'CI and what it impacts',
};

/** `title has SIP registration, host pet-voip`. */
export const matcherWords = (matcher: SilenceShown['matcher']): string =>
  Object.entries(matcher)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${WORDS[name as keyof typeof WORDS] ?? name} ${[value].flat().join(', ')}`)
    .join(', ');
