/** Predicates of a model, with the sentence that is proven in their place. */
const PREDICATES: Readonly<Record<string, string>> = {
  reports: '{s} reports {o}',
  began: '{s} began {at}',
  ended: '{s} ended {at}',
  'is-open': '{s} is open',
  'is-acknowledged': '{s} is acknowledged',
  'is-unacknowledged': '{s} is unacknowledged',
  'has-severity': '{s} is {o}',
  'is-healthy': '{s} is healthy',
  'is-down': '{s} is down',
  'is-protected': '{s} is protected',
  has: '{s} has {n} {o}',
  precedes: '{s} came before {o}',
  'came-first': '{s} came first',
  repeats: '{s} came {n} times',
  'is-of-one-incident-with': '{s} and {o} belong to one incident',
  'depends-on': '{s} depends on {o}',
  'is-needed-by': '{n} CIs depend on {s}',
  hits: '{s} hits {o}',
  'fails-with': '{s} fails with {o}',
  'caused-by': '{s} was caused by {o}',
  against: '{s} is not the cause',
  'assigned-to': '{s} is assigned to {o}',
  unassigned: '{s} is unassigned',
  unknown: 'It is not known {o}',
  'may-worsen': '{s} may get worse',
  'wait-for': 'wait until {s} is over',
  check: 'check {s}',
};
export const PREDICATE_NAMES = Object.keys(PREDICATES);

export interface ModelStatement {
  /** Names, or aliases of items. */
  readonly subject?: string | undefined;
  readonly predicate?: string | undefined;
  readonly object?: string | undefined;
  readonly at?: string | undefined;
  readonly count?: number | null | undefined;
  /** A sentence, where there is no statement. */
  readonly text?: string | undefined;
}

/** The statement as a sentence; empty: there is no such predicate. */
export const sentenceOf = ({
  subject = '',
  predicate = '',
  object = '',
  at = '',
  count,
  text = '',
}: ModelStatement): string => {
  if (predicate === '') return text;
  const parts: Readonly<Record<string, string>> = {
    s: subject,
    o: object,
    at: at === '' ? '' : `at ${at}`,
    n: String(count ?? ''),
  };
  const sentence = Object.hasOwn(PREDICATES, predicate) ? (PREDICATES[predicate] ?? '') : '';
  return sentence.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '').trim();
};
