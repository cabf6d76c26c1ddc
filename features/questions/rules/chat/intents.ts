/** The intent of a message. */
export type Intent =
  | 'order'
  | 'help'
  | 'impact'
  | 'depends'
  | 'why'
  | 'changes'
  | 'compare'
  | 'count'
  | 'events'
  | 'find'
  | 'status';

/** Words that betray an intent; the first intent of which one is said counts. Each takes time that grows with the length alone. */
const SAID: readonly (readonly [Intent, RegExp])[] = [
  [
    'order',
    /^(?:(?:please|kindly|now|just|can you|could you|would you|will you|i want you to|go and) ){0,3}(?:delete|remove|drop|purge|erase|wipe|clear|close|resolve|acknowledge|ack|suppress|mute|silence|snooze|create|add|update|edit|modify|rename|set|assign|merge|restart|reboot|shut down|stop|kill|disable|enable|fix|repair|run|execute|install|deploy|send|escalate|(?:change|move|start) (?:the|my|its|it|all|this|that))\b(?! (?:status|rate|count)\b)/,
  ],
  ['count', /\b(?:how many|number of) relationships\b/],
  [
    'help',
    /^(?:help|hi|hello|hey|thanks|thank you)\b|\bwhat can (?:you|i)\b|\bhow (?:do|can) i (?:use|ask)\b|\bexamples?\b/,
  ],
  ['compare', /\b(?:compare[ds]?|comparison|versus|vs|difference|than (?:the|last|before|usual|yesterday))\b/],
  [
    'impact',
    /\b(?:impact|impacted|blast radius|consequences?|affect(?:ed|s)?|at risk|breaks?)\b|\bwhat (?:happens|fails|else)\b|\bif\b.{0,80}\b(?:fails?|dies?|goes down|is down|stops?|restarts?|breaks?|is lost)\b/,
  ],
  ['why', /\b(?:why|root causes?|caus(?:e|es|ed|ing)|reasons?|what happened|wrong|broken)\b/],
  [
    'depends',
    /\b(?:depend(?:s|ing|ency|encies|ents?)?|upstream|downstream|relies|rely|connected|relationships?|related|neighbou?rs?|uses|runs on|talks? to|needs?)\b/,
  ],
  ['changes', /\b(?:chang(?:e|es|ed)|deploy(?:ed|s|ments?)?|modified|edited|what.?s new)\b/],
  [
    'count',
    /\b(?:how many|how much|how long (?:does|do|did|until)|number of|count|counts|total|mttr|mtta|mean time|average|percentage|share of|ratio)\b/,
  ],
  [
    'events',
    /\b(?:events?|alerts?|alarms?|incidents?|problems?|issues?|complaints?|outages?|going on|happening|critical|major)\b/,
  ],
  [
    'status',
    /\b(?:status|state|health|healthy|how is|how are|how.?s|doing|details?|about|info|information|describe|ok|okay|fine|alive|up|down|slow|what is|what.?s|who is|is)\b/,
  ],
  ['find', /\b(?:list|show|find|search|which|give me|get|all|look up)\b/],
];

/** Words that name nothing, since they say what is wanted; in the singular and the plural. */
const PLAIN: ReadonlySet<string> = new Set(
  (
    'help hi hello hey thanks thank compare compared comparison versus vs difference than impact impacted blast radius consequence ' +
    'consequences affect affected affects risk break breaks broken happens happen happened fail fails failed else why root cause ' +
    'failing crashed crashing dead dying offline unavailable unhealthy degraded stuck ' +
    'causes caused causing reason reasons wrong depend depends depending dependency dependencies dependent dependents upstream ' +
    'downstream relies rely connected relationship relationships related neighbor neighbors neighbour neighbours uses use runs run ' +
    'talks talk needs need change changes changed deploy deploys deployed deployment deployments modified edited new many much number ' +
    'count counts total mean average percentage share ratio status state states health healthy doing detail details about info ' +
    'information describe ok okay fine alive up down slow list show find search which give get all look tell going on if goes dies ' +
    'stops stop restarts restart lost please can could would you your do does did know me us now still again right anything ' +
    'something everything thing things it its this that there same host server machine box one also and or then so what who how ' +
    'when where is are was were be been has have had any some other others explain see want like with from for the a an of in to ' +
    'by at as i we they them directly indirectly between happening current currently latest recent recently last'
  ).split(' '),
);
export const isPlainWord = (word: string): boolean => PLAIN.has(word.toLowerCase());

/** Stands for what the conversation is about. */
const POINTS_BACK =
  /\b(?:it|its|itself)\b(?! takes?\b)|\b(?:this|that) (?:ci|host|server|machine|one|system|database|application|service|device|node)\b/;

export interface WantedIntent {
  readonly intent: Intent | null;
  readonly pointsBack: boolean;
  /** Of a dependency: what it needs, or what needs it. */
  readonly direction: 'up' | 'down' | 'both';
}

/** `what does it depend on`, `what it needs`: up. `what depends on it`, `who uses it`: down. */
const directionOf = (text: string): WantedIntent['direction'] => {
  if (/\b(?:relationships?|related|connected|neighbou?rs?|talks? to)\b/.test(text)) return 'both';
  if (/\b(?:downstream|dependents?)\b/.test(text)) return 'down';
  if (/\b(?:upstream|dependency|dependencies)\b/.test(text)) return 'up';
  if (
    /\b(?:what|which|who|everything|anything|things?|systems?|hosts?|servers?)\s(?:\w{1,20}\s)?(?:depends?|depending|relies|rely|uses|needs|runs on)\b/.test(
      text,
    )
  )
    return /\bdo(?:es)?\b/.test(text) ? 'up' : 'down';
  return 'up';
};

/** Reads what a message wants, by its words; `text` without its quoted names. */
export const wantedBy = (text: string): WantedIntent => {
  const said = text.toLowerCase();
  const intent = SAID.find(([, words]) => words.test(said))?.[0] ?? null;
  return { intent, pointsBack: POINTS_BACK.test(said), direction: directionOf(said) };
};
