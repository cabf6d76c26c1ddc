import type { Intent } from './intents.ts';

/** Facts about the names in a message, which may change the meaning of its words. */
export type NamedKind =
  /** No thing, known or not. */
  | 'nothing'
  | 'things'
  /** Names that nothing has. */
  | 'missing'
  /** Several things or sources. */
  | 'several'
  /** One CI, service, type of places, or type of services. */
  | 'ci'
  | 'service'
  | 'places'
  /** A type of CIs beside the subject: `its rack`. */
  | 'relative'
  /** Types alone, where the conversation has a subject. */
  | 'relatives'
  | 'services'
  /** The first thing is a type of CIs. */
  | 'typed'
  /** Words of a complaint, or none. */
  | 'topic'
  | 'no topic'
  | 'time'
  | 'level'
  /** Resolved or acknowledged ones. */
  | 'done'
  /** An attribute of a CI. */
  | 'field'
  /** Something that no filter can exclude. */
  | 'denied'
  /** The answer before was about silences. */
  | 'silences'
  /** Neither a page nor a conversation has a subject. */
  | 'nowhere';

/** `its rack`, `which rack is it in`. */
export const OF_ITS =
  /\b(?:its|his|whose) (?:\w{1,12} )?§|\b(?:what|which|whats|what's)\b.{0,12}§ (?:is|does|do|has) (?:it|this|that)\b/;

interface ChoiceRow {
  /** Null: the message is not understood. */
  readonly means: Intent | null;
  /** Intents by words; absent: any. */
  readonly of?: readonly (Intent | null)[];
  readonly named?: readonly NamedKind[];
  readonly said?: RegExp;
  readonly unsaid?: RegExp;
}

const WORST = /\b(?:worst|sickest|unhealthiest|hit|hurt|suffer\w*|degraded|down|broken|bad)\b/;
const COMPARATIVE = /\b(?:more|most|less|fewer|worse|worst|better|(?:noisi|busi|quiet|calm|loud|sick|healthi)er)\b/;
const WHO_DID =
  /\b(?:ack|resolv|fix|clos|solv|deploy|releas|chang|patch|roll|assign|work|note|decid|verdict|confirm|judg|on it|handl|deal|tak|ha[sd]|on[- ](?:call|duty|shift)|owner|team|look)/;
const COUNTED = /\b(?:how many|count|number|most|top|least|total|average|noisiest|mttr|mtta|by|per)\b/;

const OF_FIELD =
  /^(?:and |so )?(?:how many|which|what|list|show|count|give me|number of|any|all|find|are there|do we have)\b[^§]{0,30}§ (?:[\w']+ ){0,4}(?:belong\w*|owned|own|teams?|department|vendor|without|missing|lack\w*|no)\b/;
const OF_RELATION =
  /^(?:and |so )?(?:how many|which|what(?! is| are|'s| did| does| do| was| were)|list|show|count|give me|all|find|are there|do we have)\b[^§]{0,20}§ (?:\w+ ){0,3}(?:runs?|running|hosted|depends?|uses?|using|needs?|needing|behind|in|on|at|within|from|of|under|below|connected|powered)\b.{0,12}§/;
const OF_EVENTS =
  /\b(?:alerts?|events?|alarms?|incidents?|outages?|problems?|issues?|criticals?|down|broken|open|noisiest|most|least|fail\w*|affected|hit|changed|changes|deploy\w*|first|last|worst|when|why)\b/;
const OF_HURT = /\b(?:hit|hurt|affected|impacted|down|ok|okay|fine|healthy|problems?|issues?|suffer\w*|too|trouble)\b/;
/** `which applications are affected`: CIs of a type that depend on the subject. */
const OF_LOST =
  /^(?:and )?(?:which|what) (?:of (?:the|our|my) )?§ (?:is|are|was|were|got) (?:also )?(?:affected|impacted|hit|hurt)[ ?]*$/;
const OF_SOME =
  /^(?:and |so )?(?:(?:were|was|are|is) there |did (?:we|you) (?:see|have|get) )?(?:any|some|anything|something)\b|^(?:which|what) \w+ (?:have |has |had |were |was )?(?:\w{3,12}ed|ran|went|died|broke)\b/;
const WITHOUT_EVENTS =
  /^(?:and |so )?(?:(?:which|what|list|show|any|how many|are there any)\b(?: me| all| of the| of our)* )?(?:§|hosts?|machines?|servers?|systems?|cis?|nodes?|boxes)\b.{0,30}(?:\b(?:no|without|zero|never|not)|n't)\b.{0,25}\b(?:alert\w*|alarms?|events?|problems?|issues?|incidents?)\b/;

/** Messages that mean something else than their words alone; the first row that fits counts. */
const CHOICES: readonly ChoiceRow[] = [
  {
    named: ['typed'],
    said: OF_FIELD,
    unsaid: /\b(?:redundan|backup|spare|failover|depend|relationship)/,
    means: 'find',
  },
  { said: WITHOUT_EVENTS, means: 'find' },
  { said: /^(?:and )?(?:which|what) (?:business )?services? (?:did|has|does) (?:it|this|that)\b/, means: 'services' },
  {
    of: ['why'],
    named: ['things'],
    said: /^(?:is|are|was|were|any)\b.{0,16}\b(?:any(?:thing)?|something|problems?|issues?|trouble)\b/,
    means: 'status',
  },
  {
    named: ['typed'],
    said: /^(?:how many|which|what|list|show)\b[^§]{0,20}§ (?:\w+ ){0,2}(?:(?:runs?|running|hosted|are|is) (?:on|in|at|under|behind) (?:it|that|this|there)|(?:runs?|are|is) there|(?:depends? on|uses?|needs?) (?:it|that|this))\b/,
    unsaid: OF_EVENTS,
    means: 'find',
  },
  {
    said: /^(?:which|what|how many) of (?:them|these|those)\b.{0,20}\b(?:no|without|teams?|owners?|vendor|linux|windows|belong\w*)\b/,
    unsaid: OF_EVENTS,
    means: 'find',
  },
  {
    of: ['status', 'find', 'events', null],
    named: ['typed', 'field'],
    said: /^(?:and )?(?:what(?:'s| is| are)|show|list|give me)? ?(?:the )?\w+ (?:addresses )?of\b/,
    means: 'attribute',
  },
  { of: ['members'], named: ['nowhere'], said: /^what/, means: 'summary' },
  { of: ['toll'], named: ['nowhere', 'nothing'], unsaid: /\b(?:it|this|that)\b/, means: 'find' },
  // No answer but this one can leave a part out.
  { named: ['things'], unsaid: /\bfailure\b|\bspofs?\b|redundan/, said: /\boutside(?: of)? (?:the )?§/, means: null },
  {
    of: ['query', 'find'],
    said: /^(?:on |in )?how many (?:hosts?|machines?|servers?|systems?|§)(?! (?:run|use|need|depend)).{0,30}\b(?:it|this|that)\b/,
    means: 'toll',
  },
  {
    of: ['status', null],
    named: ['things'],
    said: /^(?:did|has|have|had)\b/,
    unsaid: /\b(?:up|ok|okay|fine|recover\w*)\b/,
    means: 'occurred',
  },
  {
    of: ['back', 'duration', 'who', 'why', 'status', 'over'],
    said: /\b(?:silences?|mutes?|maintenance)\b/,
    means: 'silenced',
  },
  {
    of: ['depends', 'status', 'find', 'events', 'query', null],
    named: ['typed'],
    said: OF_RELATION,
    unsaid: OF_EVENTS,
    means: 'find',
  },
  { named: ['places'], said: COMPARATIVE, unsaid: /\bmore than \d/, means: 'compare' },
  { of: ['healthy'], named: ['typed'], means: 'status' },
  {
    of: ['why', 'blame'],
    named: ['nothing', 'topic'],
    said: /^(?:is|are|was|were) there\b|\bany(?:thing)?\b/,
    means: 'occurred',
  },
  { named: ['places'], said: OF_HURT, means: 'compare' },
  { of: [null, 'status', 'find'], named: ['nothing', 'topic'], said: OF_SOME, means: 'occurred' },
  {
    of: ['why'],
    named: ['nothing', 'no topic', 'silences'],
    unsaid: /\b(?:down|open|broken|slow|critical)\b/,
    means: 'silenced',
  },
  {
    named: ['silences'],
    said: /\b(?:covered|included|excluded|affected|part|under|in)\b.{0,8}\b(?:that|it|this|those|them|these)\b/,
    means: 'silenced',
  },
  {
    of: ['who', 'find', 'events', 'query', 'status', 'summary', 'services', 'blame', 'healthy', null],
    named: ['several'],
    said: COMPARATIVE,
    means: 'compare',
  },
  { of: ['status', 'find', 'attribute', 'healthy', 'why', null], named: ['relative'], means: 'depends' },
  { of: ['services', 'status', 'find'], named: ['relatives'], said: OF_LOST, means: 'impact' },
  { named: ['services'], said: WORST, unsaid: /\b(?:if|would|when)\b/, means: 'services' },
  { of: ['events', 'query', 'find', 'changes', 'compare'], named: ['denied'], means: null },
  { of: ['who'], named: ['nothing'], said: /\b(?:most|least)\b/, means: null },
  { of: ['who'], named: ['nothing', 'topic'], unsaid: WHO_DID, means: null },
  { of: [null], named: ['missing'], means: 'status' },
  { of: [null], named: ['nothing', 'time', 'no topic'], means: 'events' },
  { of: ['status', 'why', 'summary', 'find', null], said: /\b(?:longest|oldest|newest)\b/, means: 'events' },
  { of: ['status'], named: ['things', 'done'], means: 'events' },
  { named: ['places'], said: /\b(?:worst|best|noisiest|busiest|quietest|most|least)\b/, means: 'compare' },
  { of: ['find', null], named: ['nothing', 'level'], means: 'events' },
  {
    of: ['status', 'find', 'who', 'depends', 'events', 'query', 'summary', null],
    named: ['ci', 'field'],
    unsaid: /\b(?:how many|usage|full|high|alerts?|events?)\b/,
    means: 'attribute',
  },
  { of: ['status'], named: ['service'], means: 'services' },
  { of: ['status', 'find'], named: ['nothing', 'topic'], means: null },
  { of: ['blame'], named: ['nothing', 'topic', 'nowhere'], means: null },
  { of: ['status'], named: ['nothing', 'nowhere'], means: 'summary' },
  // `list critical events` lists; `list all servers` finds.
  { of: ['query'], said: /\b(?:open|list|show)\b/, unsaid: COUNTED, means: 'events' },
];

/** The intent that words and names have together; null: the message is not understood. */
export function settledIntent(intent: Intent | null, shape: string, has: ReadonlySet<NamedKind>): Intent | null {
  const row = CHOICES.find(
    ({ of, named = [], said, unsaid }) =>
      (of?.includes(intent) ?? true) &&
      named.every((one) => has.has(one)) &&
      (said?.test(shape) ?? true) &&
      !(unsaid?.test(shape) ?? false),
  );
  return row === undefined ? intent : row.means;
}
