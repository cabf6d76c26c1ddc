import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { plainWords } from '#domain/plain-words.ts';

/** Topics of a question about a subject. */
export const TOPICS = ['state', 'cause', 'impact', 'history', 'timeline', 'actions'] as const;
export type SubjectTopic = (typeof TOPICS)[number];

export interface TopicClaim {
  readonly topic: SubjectTopic;
  readonly claim: Claim;
}

/** Words of a question that ask for a topic. */
const WORDS: Readonly<Record<SubjectTopic, string>> = {
  state: 'status|state|health|healthy|now|open|wrong|ok',
  cause: 'why|cause|causes|caused|reason|root|culprit|origin|explain|because|hypothesis',
  impact:
    'impact|affect|affects|affected|depend|depends|dependent|dependents|downstream|suffer|suffers|services|service|customers|users|business|blast|break|breaks|hit',
  history: 'before|history|previous|previously|earlier|again|often|recurring|unusual|usual|past',
  timeline: 'when|timeline|sequence|order|first|began|begin|started|start|happened|since',
  actions:
    'do|fix|resolve|repair|solve|action|actions|recommend|recommendation|recommendations|next|step|steps|check|mitigate|should|advice',
};

/** The topic of a question, as far as rules understand it. */
export interface Focus {
  readonly topics: readonly SubjectTopic[];
  /** Evidence that it names. */
  readonly names: readonly { readonly ref: string; readonly label: string }[];
}

/** A longer question is treated as a text. */
const MAX_WORDS = 200;
const MAX_SENTENCES = 8;
const MIN_NAME = 3;

/** Reads words and names of found items from a question; no model receives the question. */
export function focusOf(question: string, pack: EvidencePack): Focus {
  const words = new Set(plainWords(question).split(' ').slice(0, MAX_WORDS));
  const topics = TOPICS.filter((topic) => WORDS[topic].split('|').some((word) => words.has(word)));
  const text = ` ${plainWords(question)} `;
  const isNamed = (name: string): boolean => {
    const plain = plainWords(name);
    return plain.length >= MIN_NAME && text.includes(` ${plain} `);
  };
  const names = pack
    .filter(({ kind, id, label }) => isNamed(id) || (kind !== 'query' && kind !== 'record' && isNamed(label)))
    .map(({ alias, label }) => ({ ref: alias, label }));
  return { topics, names };
}

/** The answer to a question without a topic: as many sentences of each topic, in this order. */
const USUAL: readonly (readonly [topic: SubjectTopic, sentences: number])[] = [
  ['cause', 2],
  ['state', 2],
  ['impact', 2],
  ['history', 1],
  ['actions', 1],
];

const usual = (claims: readonly TopicClaim[]): Claim[] =>
  USUAL.flatMap(([topic, most]) => claims.filter((one) => one.topic === topic).slice(0, most)).map(
    ({ claim }) => claim,
  );

/** Returns the sentences that answer; without a question or a match, the usual ones. */
export function narrowed(claims: readonly TopicClaim[], focus: Focus | null): Claim[] {
  if (focus === null) return usual(claims);
  const { topics, names } = focus;
  const isAsked = ({ topic }: TopicClaim): boolean => topics.length === 0 || topics.includes(topic);
  const isAbout = ({ claim }: TopicClaim): boolean => names.some(({ ref }) => claim.refs.includes(ref));
  const asked = topics.length === 0 ? [] : claims.filter(isAsked);
  const about = (topics.length === 0 ? claims : asked).filter(isAbout);
  const fitting = [about, asked].find((some) => some.length > 0);
  return fitting === undefined ? usual(claims) : fitting.slice(0, MAX_SENTENCES).map(({ claim }) => claim);
}
