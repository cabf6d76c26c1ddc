/* Words of claims by their assertion. Assertions must be proven; neutral words need no proof. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Deny a sentence. */
export const DENIAL =
  /\b(?:not|no|none|never|nothing|nobody|nowhere|neither|nor|without|cannot|hardly|lacks?|no-one|\w{1,8}n['’]t)\b/;
/** Speak of all that there is. */
export const EVERY = /\b(?:all|every|everything|everybody|everyone|each|only|always)\b/;
/** Change something: never an advice of a model. */
const CHANGING =
  'restart|reboot|delete|remove|drop|kill|disable|enable|stop|start|shut|reset|replace|roll|revert|upgrade|downgrade|patch|install|uninstall|' +
  'run|execute|fail|switch|move|isolate|block|unblock|open|close|resolve|acknowledge|suppress|silence|ignore|grant|give|create|add|change|' +
  'modify|edit|set|update|format|wipe|purge|erase|clear|flush|free|scale|increase|decrease|raise|power|unplug|reseat|reload|deploy|visit|' +
  'go|click|download|send|forward|call|tell|inform|mark|allow|trust|open|sign|log|approve|cancel|turn|evict|promote|migrate|bypass|skip|disregard|dismiss|neglect';
const MODAL =
  'should|must|need to|needs to|have to|has to|ought to|please|recommend(?:ed)?|suggest(?:ed)?|advise[ds]?|best to|better to';
const LEADING =
  '^(?:please |so |then |also |first |next |now |just |therefore |hence |immediately |do |never |do not |don.t )*';
export const CHANGE = new RegExp(
  `${LEADING}(?:${CHANGING})\\b(?! (?:is|are|was|were|has|had|came|events?|incidents?|groups?|alerts?|issues?|critical|major)\\b)|` +
    `\\b(?:${MODAL}|to|can|let us|let.s) (?:be )?(?:now |then |simply |just |immediately )?(?:${CHANGING})(?:e?d)?\\b|` +
    `\\b(?:restart|reboot|delet|remov|dropp|kill|disabl|stopp|replac|revert|upgrad|patch|wip|purg|clear|execut)ing\\b`,
);
export const MODALS = new RegExp(`\\b(?:${MODAL})\\b`);
const ADVISED = `(?:${LEADING}|\\b(?:${MODAL}) )`;
export const WAIT = new RegExp(`${ADVISED}(?:hold|wait|postpone|delay|defer)\\b`);
/** Leave it alone. */
export const UNDISTURBED =
  /\b(?:do not|don.t|must not|should not|avoid|not (?:be )?safe to|never) (?:be )?(?:restart|reboot|stop|shut|patch|upgrad|fail|switch|touch|chang|mov|delet|remov|disabl|start|run|take down)\w*\b/;
export const LOOK = new RegExp(
  `${ADVISED}(?:check|look|verify|inspect|watch|monitor|ask|review|compare|confirm|investigate|examine|see)\\b`,
);

export const UNKNOWN =
  /\b(?:(?:cannot|can.t|can not|could not|unable to|impossible to|not possible to) (?:\w+ )?(?:tell|say|know|determined?|named?|judged?|predict|identif(?:y|ied)|established?)|(?:not|un) ?(?:yet )?(?:known|clear|certain|identified)|nothing (?:\w+ )?(?:says|shows|tells|names)|no (?:evidence|data|information|eta|word)|unknown|unclear|do(?:es)? not (?:say|show|tell|know)|no (?:root )?cause)\b/;
export const CAUSED =
  /\b(?:caus(?:ed|es|ing) by|(?:root )?cause (?:is|was|of .{1,80} (?:is|was))|(?:root )?cause:|due to|because(?: of)?|triggered by|explained by|(?:results?|consequences?) (?:of|from)|(?:stem|result|originat|com)(?:s|ed|es|e|ing)? from|originate[sd]? (?:in|on|at)|came from|owing to|blame[sd]?(?: on)?|fault of|behind (?:it|this|that|the))\b/;
export const CAUSES =
  /\b(?:caus(?:ed|es|ing)|(?:led|leads|leading) to|trigger(?:ed|s|ing)|(?:brought|took|takes|taking|bringing|brings) (?:\w+ )?down|explains?|explained|(?:is|was|be|are|were|as|for) (?:\w+ ){0,3}(?:cause|culprit|origin|reason|root)|result(?:ed|s|ing) in|responsible for|broke|knocked out)\b/;
export const BEFORE = /\b(?:before|earlier than|ahead of|precede[sd]?|preceding|followed by)\b/;
export const AFTER = /\b(?:after|later than|follow(?:s|ed|ing)|preceded by)\b(?! (?:all|that|this)\b)/;
export const LATER = /\b(?:later|then|thereafter|afterwards|subsequently|next)\b/;
export const EARLIER = /\b(?:earlier|older)\b/;
export const FIRST =
  /\b(?:first|earliest|oldest)\b|\b(?:incident|outage|everything|it|it all|trouble|cascade|chain) (?:\w+ )?(?:began|started|begins|starts) (?:with|on|at|in)\b(?! \d)/;
/** Followed by a time. */
export const BEGAN = /\b(?:began|begun|started)\b.*(?:\d:\d\d|\b(?:yesterday|today)\b)/;
export const DEPENDS =
  /\b(?:depends? (?:\w+ )?on|depending on|dependent on|needs?|requires?|rel(?:ies|y) on|uses?|runs? on|running on|hosted on|connects? to|connected to|hangs? on|sits? behind|talks? to)\b/;
export const DEPENDENTS = /\b(?:dependents?|dependencies|dependency)\b/;
export const IMPACT =
  /\b(?:fails? (?:too )?(?:with|if|along)|go(?:es)? down|would fail|(?:is|are) (?:also )?lost|affect(?:s|ed|ing)?|impact(?:s|ed|ing)?|hit(?:s|ting)?|suffer(?:s|ed|ing)?)\b/;
export const TOGETHER =
  /\b(?:belongs? to|belonging to|part of|in|of|share|are|form) (?:the |a |an )?(?:same|one|single|this|that) (?:\w+ )?(?:incident|group|outage)\b|\b(?:incident|group) (?:with|of|has|have|contains?|comprises?)\b|\bbelongs? to (?:this|that|the|it)\b/;
export const ACKNOWLEDGED = /\b(?:acknowledged|acked|acknowledgement)\b/;
export const ASSIGNED = /\b(?:assigned|assignee|ownership|works? on|working on|owns|owner|responsible)\b/;
export const ENDED =
  /\b(?:ended|ends|(?:is|are|was|were|be|been|now|all|not|until it (?:is|was)) over|resolved|closed|cleared|finished|gone|lasted|took|recover(?:ed|s|y)|restored|repaired|fixed|solved|settled|subsided|(?:been|was|were|got) (?:\w+ )?(?:swapped|replaced|exchanged|rebuilt|rebooted|restarted|upgraded|patched|rolled back)|taken over)\b/;
export const GOOD =
  /\b(?:healthy|fine|ok|okay|normal|normally|good|well|green|stable|safe|safely|harmless|available|reachable|online|(?<!(?:rolled|going|dates) )back|work(?:s|ed|ing)? (?:again|normally|fine|well)|(?!failing|flapping|crashing|hanging|rising|growing)\w+ing again|operational|unaffected|untouched|intact|(?:notice|see|feel) little|little (?:impact|effect|harm)|minor impact|completed|on time|in time|as planned|calm|quiet|success(?:ful|fully)?|succeeded|passed|clean|spared|survived?|came up|is up|are up|up again|is running|are running|running again|alive|sufficient|enough|improv(?:ed|es|ing)|negligible|unimportant|false alarm)\b/;
export const SPARE = /\b(?:redundant|redundancy|protected|spare|fail-?safe)\b/;
export const OPEN =
  /\b(?:open(?! (?:\w+ )?(?:events|incidents|groups|alerts|issues)\b)|ongoing|unresolved|continues?|continuing|still|since|persists?|lasts|going on)\b/;
export const DOWN =
  /\b(?:down|degraded|unavailable|unreachable|offline|broken|failing|faulty|disturbed|suffer(?:s|ing)?|unhealthy|out of (?:order|service)|in trouble)\b/;
export const SEVERITIES = /\b(?:critical|major|minor|warnings?|info)\b/g;
export const OUTLOOK =
  /\b(?:will|would|may|might|could|about to|going to|soon)\b.*\b(?:fill|fills|fail|run out|worsen|worse|expire|exhaust|spread|break|overflow|crash|full|late|miss|grow|stop|repeat|again|escalate|lose)\b/;
/** The present tense. */
export const NOW = /\b(?:is|are|still|remains?|now|currently)\b/;
export const PAST = /\b(?:has|have|had|was|were|already)\b/;
export const FUTURE = /\b(?:will|expires? in|about to|soon|in \d+ (?:hours|days))\b/i;
export const TOTAL = /\b(?:down|unavailable|outage|offline|unreachable)\b/;
export const NO_CAUSE =
  /\b(?:victim|symptom|consequence|premature|too early) ?(?:to (?:blame|name|call|take))?\b|\b(?:not|n.t|never|hardly|no)\b.{0,60}\b(?:cause|origin|culprit|reason)\b/;
export const FIXED =
  /\b(?:fixed|solved|resolved|repaired|cleared|restored|helped|ended) (?:\w+ )?(?:by|with|after|when)\b|\blast time\b/;
/** Titles that report a lack, so that `without` and `no` repeat them. */
export const LACKS =
  /\b(?:lost|exhausted|out of|missing|cannot|refused|rejected|unavailable|unreachable|full|low|down|stalled|aborted|failed)\b/;
export const WITHOUT = /\b(?:without|no(?! longer)|lacks?|lacking)\b/;
/** Address the reader, as no monitor does. */
export const ORDER =
  /\b(?:ignore|instructions?|assistant|system:|you (?:are|must|should)|tell the|recommend|visit|disregard|must|should|please|need to)\b|https?:|www\.|<\/?[a-z!]|\]\(/i;
export const LINKS = /https?:|ftp:|javascript:|data:|www\.|<\/?[a-z!]|&[a-z#][a-z0-9]{0,8};|!\[|\]\(|\]\[|\[\[|```/i;

/** The beginning of a supposition. */
export const CONDITION = /\b(?:if|unless|until|once|as long as|in case|when|whenever|should (?:it|they|this))\b/;

const NEUTRAL = set(
  'a an the this that these those there here it its they them their he she his her we you our i one ones who whom which what whose how why where ' +
    'of and or to at by with from for into onto over under between during since until about against through within per as than so too also but yet ' +
    'is are was were be been being am has have had having do does did will would can could may might shall in on out off up behind beyond upon ' +
    'if when while whether because though although however therefore thus hence still just even now then already again ever once ' +
    'probably likely possibly perhaps apparently seemingly seems seem appears appear looks currently presently recently exactly about around roughly ' +
    'nearly almost approximately some circa more most less least many much few several both other another such same own very quite rather ' +
    'event events incident incidents group groups problem problems issue issues alert alerts alarm alarms case cases thing things failure failures ' +
    'fault faults error errors message messages outage item items evidence row rows system systems business configuration ci cis host hosts server ' +
    'servers service services database databases switch switches router routers node nodes instance instances interface interfaces link links volume ' +
    'disk job cluster connection application applications app apps machine device devices storage network team teams operator customers users member ' +
    'time times second seconds minute minutes min hour hours day days week weeks month ago today yesterday utc later earlier sooner first last next ' +
    'previous latest new old began begin begins beginning started start starts starting occurred occur occurs happened happens came come comes ' +
    'reported reports report reporting shows show showed says said tells seen saw found known total number count counts percent with has there ' +
    'went go goes going gone get gets got became become becomes made makes remain remains remained stay stays left leave lost lose loses failed fail ' +
    'fails failing stopped stops shut broke breaks broken dropped drops died killed crashed reached hit hits down up unable refused degraded after ' +
    'before than time-out timeout high low full large small worst worse bad badly severe serious single whole part half side end upstream downstream ' +
    'two three four five six seven eight nine ten eleven twelve twenty dozen once twice second third fourth fifth repeat repeats repeated repeatedly ' +
    'older oldest earliest recurring recurrent itself own entire entirely fully completely whole date eta ago for active open little bit slightly root cause causes caused causing origin culprit reason attention look matters important main direct directly together along only all every each status state severity type value present entry results',
);
const ASSERTIONS = [
  UNKNOWN,
  WAIT,
  LOOK,
  CAUSED,
  CAUSES,
  BEFORE,
  AFTER,
  LATER,
  FIRST,
  DEPENDS,
  DEPENDENTS,
  IMPACT,
  TOGETHER,
  ACKNOWLEDGED,
  ASSIGNED,
  ENDED,
  GOOD,
  SPARE,
  OPEN,
  DOWN,
  OUTLOOK,
  MODALS,
  DENIAL,
  EVERY,
  SEVERITIES,
];

/** Words that neither assert something nor are neutral. */
export const plainWordsOf = (text: string): readonly string[] =>
  ASSERTIONS.reduce((rest, pattern) => rest.replace(pattern, ' '), text)
    .split(/[^\p{L}\p{N}⟨⟩]+/u)
    .filter((word) => word.length > 1 && !NEUTRAL.has(word) && !/^[\d⟨]/.test(word));
