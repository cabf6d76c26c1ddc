import { wordsIn } from '#features/questions/rules/query.ts';
import type { Intent } from './intents.ts';

const KINDS = wordsIn(
  'titled nothing things missing several system ci service places relative relatives services served typed topic time ahead gone level done field uncounted health incident there measured back grouped denied silences tallied advised cis nowhere no_topic',
);
/**
 * Facts about a message and its conversation, which may change the meaning of its words. missing: names that nothing has. relative: a type
 * beside the subject. topic: words of a complaint. ahead, gone: a time after, or before now.
 */
export type NamedKind = (typeof KINDS)[number];

/** `its rack`, `which rack is it in`. */
export const OF_ITS =
  /\b(?:its|his|whose) (?:\w{1,12} )?§|\b(?:what|which|whats|what's)\b.{0,12}§ (?:is|does|do|has) (?:it|this|that)\b/;

/** A ranking of one type of CIs by another. */
export const RANKED =
  /^(?:and )?(?:which|what) § (?:has|have|runs?|hosts?|carr(?:y|ies)) (?:the )?(?:most|fewest|least) §/;

const CLASSES: Readonly<Record<string, string>> = {
  comparative: String.raw`\b(?:more|most|less|fewer|worse|worst|better|(?:noisi|busi|quiet|calm|loud|sick|healthi|hard)er)\b`,
  counting: String.raw`\b(?:how many|how much|number of|count|total|average|mean)\b`,
  ranked: RANKED.source,
  of_events: String.raw`\b(?:alerts?|events?|alarms?|incidents?|outages?|problems?|issues?|criticals?|down|broken|open|noisiest|most|least|fail\w*|affected|hit|changed|changes|deploy\w*|first|last|worst|when|why)\b`,
};

/**
 * Messages that mean something else than their words; the first row that fits counts. A row has the meaning, intents by words, and facts;
 * below it stand expressions that must fit (+), and must not (-).
 */
const TABLE = String.raw`
none: blame & things
  + ^(?:and |so )?(?:does|do|did|has|have) § (?:\w+ )?(?:have|got)\b
ranked: any
  + ^(?:and |so )?(?:which|what) (?:incident|outage|group|problem)\b.{0,20}\b(?:most|fewest|least) (?:business )?(?:services?|§)
changes: any & back
  + ^(?:and |so )?(?:was|wasn't|were|weren't|is|isn't)(?: there)? (?:an? |any |some )?(?:\w+ )?(?:releas|deploy|rollout|updat|upgrad|patch)\w* (?:of|to|on|for) (?:it|this|that|them)\b
advice: repeats, events, none, find, occurred & advised
  + ^(?:and |what about |how about )
components: any & ci
  + ^(?:and |so )?(?:how many|which|what) § (?:nodes?|instances?|boxes|hosts?|machines?|servers?|members?|vms?)\b
depends: any & typed
  + ^(?:and |so )?(?:which|what|how many|list|show) § (?:\w+ )?(?:talks?|connects?|speaks?) (?:to|with)\b
depends: any & things
  + §.{0,12}\b(?:which|what) § ?,? ?(?:and )?(?:which |what )?§
tally: any & tallied, nothing
  + \b(?:how many|which|what|any) (?:of (?:them|those|these) )?(?:\w+ ){0,2}(?:are |is )?(?:still|now|yet)\b|\bservices?\b.{0,16}\b(?:still|suffer\w*)\b
tally: any & back, incident
  + \b(?:which|what|how many) (?:business )?services? (?:still |are still |is still )?(?:suffer|affected|broken|down|degraded|hurt\w*|impaired)\w*\b|\b(?:which|what|how many) of (?:our|the|my) (?:business )?services? (?:did|has) (?:it|this|that)\b
  - \b(?:if|would|when)\b
tally: any & topic
  + ^(?:and |so )?(?:how many|which|what) (?:\w+ )?(?:hosts?|boxes|box|machines?|servers?|systems?|nodes?|cis|devices?|services?|§)\b.{0,30}\b(?:in|by|during|from|because of|due to|with|after) (?:the|that|this|our)\b.{0,40}\b(?:cut|loss|outages?|failures?|crash\w*|blackout|incident|storm|mess|problem|trouble|breakdown)\b
query: together & nothing, measured
over: status, none, blame, find, healthy, past & nothing, back
  + [,;.] ?(?:so |and |but )?(?:is|are|has|have) (?:it|that|this|they|everything) (?:all )?(?:over|done|finished|fixed|gone|resolved|solved|back|ok|okay)\b
why: any & nothing, incident
  + ^(?:and |so |now )?(?:one|another|something|an? (?:line|sentence|update|version)) for (?:my|the|our|a) \w
why: none, status, summary, find, events, who, services, impact, over & topic
  + \b(?:sentences?|lines?|words|paragraph|blurb|wording|update)\b.{0,20}\b(?:for|to)\b.{0,60}\b(?:about|on|of)\b
together: any & titled
  + \b(?:to do with|related to|connected (?:to|with)|linked (?:to|with)|because of|caused by)\b
occurred: status, healthy, none, compare, forecast, find, depends & topic
  + \bgetting (?:\w+er|worse|more)\b
  - \bthan\b
why: status, none, blame & nothing, incident, back
  + ^(?:and |so |but )?what (?:was|is) (?:it|that|this) (?:really|actually|then|in the end|caused by)\b
who: assigned, notes
  + \bpaged\b|\bif .{1,40} (?:does ?n['o]?t|do ?n['o]?t|fails? to|never) (?:ack|respond|react|answer|pick)
who: any
  + ^(?:and |so )?(?:(?:why|when|how) (?:did|has|had)|did|has) @ (?:\w+ly |just |already )?(?:re-?boot|re-?start|bounc|unplug|pull|shut ?down|turn|switch|power|delet|remov|disabl|drain|kill|stop|br[eo]a?k|crash|wip|format|reset)\w*
over: any & nothing, incident
  + ^(?:and |so )?(?:(?:is|are|has|have|did) )?(?:everything|all|everyone|the (?:rest|others)|anything else|they all)\b.{0,16}\b(?:recover\w*|c[ao]me back|back)\b
over: any & relatives, incident
  + ^(?:and |so )?(?:are |have |did )?all (?:the )?§ (?:\w+ )?(?:recover\w*|c[ao]me back|back)\b
silenced: any
  + \b(?:planned|scheduled|upcoming|coming up)\b.{0,12}\b(?:work|changes?|deploy\w*|releas\w*|upgrades?)\b|\b(?:work|changes?|deploy\w*|releas\w*|upgrades?)\b.{0,20}\b(?:planned|scheduled|upcoming|coming up)\b
  - \b(?:was|were|had|risk\w*|safe|assess\w*)\b
why: none, status, summary, find, events, who, services, impact, over & things
  + \b(?:sentences?|lines?|words|paragraph|blurb|wording|update)\b.{0,20}\b(?:for|to)\b.{0,60}\b(?:about|on|of) .{0,8}§
why: none, status, summary, find, events, query & nothing, topic
  + \b(?:status ?page|sentences?|blurb|wording|announcement|paragraph)\b
why: toll, impact, ranked, worst & things
  + ^(?:and |so )?why\b
silenced: changes & nothing, ahead
silenced: summary, find, events, occurred, none & nothing, ahead
  + \b(?:planned|scheduled|plans?|work|maintenance|changes?|happening|going on|coming(?: up)?|expect\w*|agenda|calendar)\b
  - \b(?:alerts?|incidents?|problems?|outages?)\b
summary: healthy & nothing, gone
  - ^can\b
compare: query & places
  + \b(?:per|by|(?:in|for|at|of) each) §
services: status, healthy, find, query, events, over & services
  + \b(?:green|healthy|unhealthy|ok|okay|fine|red|amber|yellow|degraded|sick|failing)\b
  - \b(?:if|would|when|depend\w*|belong\w*)\b
attribute: duration & ci, field
  + ^how old\b
customers: status, why, attribute, query, events, none & things
  + \b(?:costs?|expensive|prices?)\b
  - \b(?:ai|llm|model|openai|gpt|assistant|tokens?)\b
impact: depends, find, services & system
  + ^(?:and |so )?(?:which|what|how many|list|show) (?:of )?(?:the |our |all )?(?:\w+ )?(?:business )?services? (?:that |which )?(?:depend|rely|rel|need|use|run)
who: repeats, over, fixed, duration, past, why, status, events & things
  + ^(?:and |so )?(?:who|when (?:did|has) @) (?:resolv|fix|clos|solv|ack)
  - \b(?:most|least)\b
toll: query, find & back, incident
  + ^(?:and |so )?how many (?:\w+ )?(?:events?|alerts?|alarms?|messages?|notifications?)\b.{0,24}\b(?:it|this|that|(?:the|this|that) (?:group|incident|outage))\b
  - \bon (?:it|this|that)\b|\b(?:still|open)\b
over: any & nothing, incident
  + ^(?:and |so )?(?:is|are) (?:everything|all|things)\b.{0,12}\b(?:from|of|in|with) (?:it|this|that)\b
why: events, status, summary, find, none, impact & things
  + \b(?:the|this|that|our) § (?:incident|outage|group|one)\b|(?:^|\bthe |\ban )(?:incident|outage|group) (?:of|on|with|at|around|about|in) (?:the )?§
  - \b(?:how|which|any|open|still|if|write|wrote|list|all|over|before|events?|alerts?|hit|affect\w*)\b
services: impact & nothing, back, incident
  + \bservices?\b.{0,30}\b(?:by|because of|due to|from|with) (?:it|this|that)\b
  - \b(?:if|would|will|could|when)\b
impact: services, find, query, status, events, depends, changes, none & things, system
  + \b(?:would|could|might|will)\b.{0,60}\b(?:touch|affect|hit|impact|break|hurt|suffer|fail|(?:take|go|bring) down|be (?:affected|hit|impacted|touched|hurt))\b
query: fixed, back, advice
  + \b(?:mean|average|avg|typical|median)\b.{0,8}\btime to\b
find: any & typed
  + ^(?:and )?(?:which|what) (?:team|owner|site|location|vendor|manufacturer|department)s? (?:has|have|owns?|runs?)\b.{0,30}§|^(?:and )?(?:the |all )?§ (?:\w+ )?(?:per|by|in each|for each) \S+[ ?.!]*$
  - \b(?:alerts?|events?|alarms?|incidents?|problems?|outages?|down)\b
find: any & typed
  + ^(?:and |so )?(?:how many|which|what|list|show|count|give me|number of|any|all|find|are there|do we have)\b[^§]{0,30}§ (?:[\w']+ ){0,4}(?:belong\w*|owned|own|teams?|department|vendor|without|missing|lack\w*|no)\b
  - \b(?:redundan|backup|spare|failover|depend|relationship)
find: any
  + ^(?:and |so )?(?:(?:which|what|list|show|any|how many|are there any)\b(?: me| all| of the| of our)* )?(?:§|hosts?|machines?|servers?|systems?|cis?|nodes?|boxes)\b.{0,30}(?:\b(?:no|without|zero|never|not)|n't)\b.{0,25}\b(?:alert\w*|alarms?|events?|problems?|issues?|incidents?)\b
find: any & nothing, cis
  + ^(?:and |so )?(?:(?:is|are|do|did|does|has|have|was|were) )?(?:any(?:thing)?|which|what|how many|some|all|none) of (?:them|these|those|that)\b
  - \b(?:worst|best|most|least|biggest|noisiest|important|urgent|redundan\w*|silenc\w*|maintenance|chang\w*|deploy\w*|depend\w*)\b
find: any
  + ^(?:and |so )?(?:(?:which|what|list|show|any|how many|are there any)\b(?: me| all| of the| of our)* )?(?:hosts?|machines?|servers?|systems?|cis?|nodes?|boxes|devices?)\b.{0,12}\b(?:no|without|missing|lack\w*)\b.{0,8}\b(?:owners?|teams?|vendors?|sites?|locations?|departments?|runbooks?|serial\w*|contacts?)\b
services: any
  + ^(?:and )?(?:which|what) (?:business )?services? (?:did|has|does) (?:it|this|that)\b
status: why & things
  + ^(?:is|are|was|were|any)\b.{0,16}\b(?:any(?:thing)?|something|problems?|issues?|trouble)\b
find: any & typed
  + ^(?:how many|which|what|list|show)\b[^§]{0,20}§ (?:\w+ ){0,2}(?:(?:runs?|running|hosted|are|is) (?:on|in|at|under|behind) (?:it|that|this|there)|(?:runs?|are|is) there|(?:depends? on|uses?|needs?) (?:it|that|this))\b
  - {of_events}
find: any
  + ^(?:which|what|how many) of (?:them|these|those)\b.{0,20}\b(?:no|without|teams?|owners?|vendor|linux|windows|belong\w*)\b
  - {of_events}
attribute: status, find, events, none & typed, field
  + ^(?:and )?(?:what(?:'s| is| are)|show|list|give me)? ?(?:the )?\w+ (?:addresses )?of\b
summary: members & nowhere
  + ^what
find: toll & nowhere, nothing
  - \b(?:it|this|that)\b
none: any & things
  + \boutside(?: of)? (?:the )?§
  - \bfailure\b|\bspofs?\b|redundan
toll: query, find
  + ^(?:on |in )?how many (?:hosts?|machines?|servers?|systems?|§)(?! (?:run|use|need|depend)).{0,30}\b(?:it|this|that)\b
occurred: status, none & things
  + ^(?:did|has|have|had)\b
  - \b(?:up|ok|okay|fine|recover\w*)\b
silenced: back, duration, who, why, status, over
  + \b(?:silences?|mutes?|maintenance)\b
find: depends, status, find, events, query, none & typed
  + ^(?:and |so )?(?:how many|which|what(?! is| are|'s| did| does| do| was| were)|list|show|count|give me|all|find|are there|do we have)\b[^§]{0,20}§ (?:\w+ ){0,3}(?:runs?|running|hosted|depends?|uses?|using|needs?|needing|behind|in|on|at|within|from|of|under|below|connected|powered)\b.{0,12}§
  - {of_events}
compare: any & places
  + {comparative}
  - \bmore than \d
status: healthy & typed
occurred: why, blame & nothing, topic
  + ^(?:is|are|was|were) there\b|\bany(?:thing)?\b
compare: any & places
  + \b(?:hit|hurt|affected|impacted|down|ok|okay|fine|healthy|problems?|issues?|suffer\w*|too|trouble)\b
occurred: none, status, find & nothing, topic
  + ^(?:and |so )?(?:(?:were|was|are|is) there |did (?:we|you) (?:see|have|get) |(?:are|is|were|was|do|did) (?=any ))?(?:any|some|anything|something)\b|^(?:which|what) \w+ (?:have |has |had |were |was )?(?:\w{3,12}ed|ran|went|died|broke)\b
silenced: why, who & nothing, no_topic, silences
  - \b(?:down|open|broken|slow|critical)\b
silenced: duration, back, over, forecast, none, find, status & nothing, silences
  + \b(?:until|how long|ends?|runs? out|running out|expires?)\b
impact: depends, find, services, status & served
silenced: any & silences
  + \b(?:covered|included|excluded|affected|part|under|in)\b.{0,8}\b(?:that|it|this|those|them|these)\b
compare: repeats, who, find, events, query, status, summary, services, blame, healthy, none & several
  + {comparative}
depends: status, find, attribute, healthy, why, none & relative
impact: services, status, find & relatives
  + ^(?:and )?(?:which|what) (?:of (?:the|our|my) )?§ (?:is|are|was|were|got) (?:also )?(?:affected|impacted|hit|hurt)[ ?]*$
services: services & services
query: services & typed
  + \b(?:worst|sickest|most|noisiest|unhealthiest)\b
find: services & typed
toll: impact & nothing, back
  + ^(?:and )?what (?:else )?did\b
toll: query, find & nothing, incident
  + ^(?:and )?how many (?:hosts?|boxes|box|machines?|servers?|systems?|cis) (?:were|was|went|got|are|is) (?!there\b|in\b|open\b)
status: healthy & things
status: summary & there
query: any & nothing, measured
  + \b(?:usually|on average|average|mean|typical\w*|normally|mttr|mtta|do (?:incidents|outages|alerts|events|problems))\b
find: any & typed
  + {ranked}
occurred: past & time
  + ^(?:did|has|have)\b
noise: repeats
  + \brepeats? (?:the )?most\b|\bmost (?:repeated|often)\b
summary: query & uncounted, nothing, time
  - {counting}
status: query & uncounted, things
  - {counting}
services: query & uncounted, nothing, health
  - {counting}
why: none & back, no_topic
services: any & services
  + \b(?:worst|sickest|unhealthiest|hit|hurt|suffer\w*|degraded|down|broken|bad|red|amber|yellow|critical|unhealthy|failing|impaired|not (?:ok|okay|fine|healthy|green))\b
  - \b(?:if|would|when)\b
none: events, query, find, changes, compare & denied
  - \b(?:without|no|missing) (?:an? |any )?(?:ci\b|§)
none: who & nothing
  + \b(?:most|least)\b
  - \bopen\b|\b(?:team|person|user|colleague) (?:has|have|got)\b
none: who & nothing, topic
  - \b(?:ack|resolv|fix|clos|solv|deploy|releas|chang|patch|roll|assign|work|note|decid|verdict|confirm|judg|on it|handl|deal|tak|ha[sd]|on[- ](?:call|duty|shift)|owner|team|look|call|contact|ask|page|ping|phone|reach|escalat|responsib|own)
status: none & missing
events: none & nothing, time, no_topic
events: status, why, summary, find, none
  + \b(?:longest|oldest|newest)\b
query: events, status, summary, none & grouped
events: status & things, done
compare: any & places
  + \b(?:worst|best|noisiest|busiest|quietest|most|least)\b
events: find, none & nothing, level
attribute: status, find, who, depends, events, query, summary, none & ci, field
  - \b(?:how many|usage|full|high|alerts?|alarms?|warnings?|problems?|issues?|events?)\b
services: status & service
none: status, find & nothing, topic
none: blame & nothing, topic, nowhere
summary: status & nothing, nowhere
events: query
  + \b(?:open|list|show)\b
  - \b(?:how many|count|number|most|top|least|total|average|noisiest|mttr|mtta|by|per)\b
`;

const expression = (text: string | undefined): RegExp | undefined =>
  text === undefined ? undefined : new RegExp(text.replace(/^\{(\w+)\}$/, (all, name) => CLASSES[name] ?? all));
const intentNamed = (word: string | undefined): Intent | null => (word === 'none' ? null : (word as Intent));
export const CHOICES = [...TABLE.matchAll(/^(\w+): ([\w, ]+?)(?: & (.+))?\n(?: {2}\+ (.+)\n)?(?: {2}- (.+)\n)?/gm)].map(
  ([, means, of = '', named, said, unsaid]) => ({
    means: intentNamed(means),
    of: of === 'any' ? undefined : of.split(', ').map(intentNamed),
    named: (named?.split(', ') ?? []) as readonly NamedKind[],
    said: expression(said),
    unsaid: expression(unsaid),
  }),
);

/** The intent that words and names have together; null: the message is not understood. */
export function settledIntent(intent: Intent | null, shape: string, has: ReadonlySet<NamedKind>): Intent | null {
  const row = CHOICES.find(
    ({ of, named, said, unsaid }) =>
      (of?.includes(intent) ?? true) &&
      named.every((one) => has.has(one)) &&
      (said?.test(shape) ?? true) &&
      !(unsaid?.test(shape) ?? false),
  );
  return row === undefined ? intent : row.means;
}
