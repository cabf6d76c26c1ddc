import { wordsIn } from '#features/questions/rules/query.ts';

const CHANGE =
  '(?:re-?start|re-?boot|bounce|patch|upgrade|update|fail ?over|shut ?down|power (?:off|cycle)|take (?:it |§ )?(?:down|offline|out)|turn off|switch off|stop|replace|swap|migrate|decommission|remove|unplug|reset|redeploy|deploy|roll ?back|change|touch|work on|maintain|reconfigure|renew|kill|pull|disable|drain|evict)';
/** Words of filters and marks in the console. */
const TERMS =
  /recurring|flap\w*|learning|stale|unbound|bound|retired|superseded|occurrences?|signatures?|condition|raw score|adjusted score|thresholds?|background rate|redundancy|impact(?:ed)?|low confidence|simulations?|dead letters?|proposals?|wallboard|unassigned|escalat\w*|criticality|health|no action|noise/;
/** Superlatives of age: `the oldest of them`. */
export const AGED = /\b(?:oldest|earliest|newest|latest)\b/;
export const REPEATS =
  /\bflap\w*|\bbounc(?:es|ed|ing)\b|\b(?:keeps?|kept) (?:on )?(?:coming|re-?occurr?ing|firing|alerting|failing|repeating|popping|returning|dropping|going)\b|\bcoming back\b|\b(?:came|comes?) back (?:again|after|several|many|more|often|twice|\d)|\b(?:recurr?ing|recurrent|repeated|repeating|intermittent|on and off|more than (?:once|twice)|several times|repeatedly)\b|\b(?:alerts?|events?|problems?|checks?|which|what) .{0,12}\brepeats?\b/;

/**
 * The table of intents; the first row that matches counts. A row has an intent with examples, which the tests ask, and below them a linear
 * expression, in which names are §, times ¤ and people @.
 */
const TABLE = String.raw`
foreign: show me events of other tenants
  \b(?:other|another|different|all|every|someone else'?s?) (?:tenants?|customers'? (?:data|events)|organi[sz]ations?|compan(?:y|ies))\b|\btenant [a-z]
language: Wie viele kritische Ereignisse sind offen? / pourquoi les serveurs sont en panne
  (?:^|[\s¿¡])(?:wie|warum|welche[rsn]?|ist|sind|wurde|gibt|wann|quels?|quelles?|pourquoi|combien|est-ce|cu[aá]ntos?|qu[eé]|por qu[eé]|cu[aá]l|perch[eé]|quanti|quali|hoeveel|waarom|ile|dlaczego)\s+(?!it\b|ready\b).*(?:\b(?:viele|kritische|ereignisse|sind|offen|der|die|das|ist|sont|les|des|est|los|las|del|son|est[aá]n?|gli|il|sono|zijn|de|het|jest)\b)
order: delete all events / please close all alarms on web-1 / can you restart web-1 / please roll back web-1 / roll web-1 back please / reboot web-1
  ^(?:(?:please|kindly|now|just|can you|could you|would you|will you|i want you to|go and) ){0,3}(?:delete|remove|drop|purge|erase|wipe|clear|close|resolve|acknowledge|ack|suppress|mute|silence|snooze|create|add|update|edit|modify|rename|set|assign|merge|restart|reboot|shut down|stop|kill|disable|enable|fix|repair|execute|install|deploy|send|escalate|(?:change|move|start) (?:the|my|its|it|all|this|that)|(?:roll ?back|revert|undo|bounce|evict|turn (?:on|off)|switch (?:on|off)|power (?:on|off|cycle|down))(?= \S)|roll (?:\S{1,20} ){1,3}back)\b(?! (?:status|rate|count)\b)
steps: how do I kick an event out of a group / where can I hand this over to another team / which key merges groups / how do I take back an acknowledge / where can I see why two events are not in one group / how do I tell it that its root cause is wrong / how can I confirm a root cause
  ^(?:and |so )?(?:how (?:to|(?:do|can|should|could|would) (?:i|we|you|one))|where (?:do|can) i|(?:which|what) (?:key|shortcut|button) .{0,12})\b.{0,40}\b(?:(?:tell|confirm|reject|mark|judge)\b.{0,60}\bcauses?|splits?|kick|take back|see|find|set up|configure|create|rotate|invite|change (?:my|the)|filter|throw|separate|detach|exclude|take .{1,30} out|merges?|join|combine|reopen|re-open|unresolve|hand .{0,20}(?:over|to)|handover|reassign|assign|undo|unack\w*|acknowledge|ack|resolve|close|add (?:a )?note|leave (?:a )?note|comment|export|download|search|jump|suppress|see why|explain)\b
meaning: difference between a silence and maintenance / how does a silence differ from maintenance
  \bdiffer(?:s|ence|ent)?\b(?=.{0,60}\b(?:groups?|incidents?|silences?|causes?|verdicts?|suppress\w*|maintenance|signature|acknowledge\w*|{terms})\b)[^§]{3,80}$
steps: merged two groups by mistake how do I get them apart again / how do I get it out of the group
  \bhow (?:do|can|could) (?:i|we) (?:get|take|pull) (?:it|them|these|those|this|that)\b.{0,20}\b(?:apart|out of)\b
silenced: why is web-1 so silent / why do I get no alerts from db-1
  \bwhy\b.{0,60}\b(?:silent|so quiet|(?:get|gets?|see|have|are|is) (?:\w+ )?no (?:alerts?|events?|alarms?|mails?|notifications?) (?:from|about|of|on))\b
silenced: if web-1 breaks again tonight will we hear about it / will anybody be notified if db-1 fails
  \b(?:will|would|do|did|are) (?:we|i|you|anyone|anybody|someone|somebody|they)\b.{0,12}\b(?:hear|be (?:told|notified|alerted|paged|informed)|get (?:an? |any )?(?:alerts?|notifications?|pages?|mails?))\b
over: can I close the web-1 group / is it ok to resolve that incident
  \b(?:can|could|may|should|shall|ok(?:ay)? to|safe to) (?:i |we |you )?(?:already |now |just )?(?:close|resolve) (?:the |that |this |it\b)
uncaused: which group are you least sure about / what are you not certain about
  \b(?:least|most|not(?: so| very)?|un|most un)[- ]?(?:sure|certain|confident)\b
who: what happens if nobody acks it / what happens when nobody acks the web-1 incident / what are our escalation settings / who gets paged if the network team doesn't answer
  \bif .{1,40} (?:does ?n['o]?t|do ?n['o]?t|fails? to|never) (?:ack|respond|react|answer|pick)\w*|\b(?:if|when|unless|once) (?:nobody|no ?one)\b.{0,20}\b(?:ack|respond|react|answer|pick)\w*|\b(?:escalations?|escalates?|escalated) (?:polic(?:y|ies)|settings?|rules?|chains?|paths?|times?|after|automatically)\b
who: did that come back by itself or did someone fix it
  ^(?:and )?did .{0,40}\b(?:(?:by|on) (?:itself|themselves|(?:its|their) own)|(?:any|some)(?:one|body) (?:fix|resolve|close|solve)\b)
uncaused: where is it just guessing the cause / which root causes have low confidence / what is the root cause with the least confidence
  \bguess\w*\b.{0,30}\bcauses?\b|\bcauses?\b.{0,40}\b(?:guess\w*|unsure|uncertain|not sure|shaky|doubtful)\b|\b(?:low(?:est)?|least|weak(?:est)?) (?:\w+ )?confidence\b
notes: did anyone say that's wrong
  ^(?:and )?(?:did|has|have|does) (?:any|some)(?:one|body)\b.{0,20}\b(?:say|said|think|thinks|thought|tell|told|claim\w*)\b.{0,24}\b(?:wrong|incorrect|right|correct)\b
notes: what did people write on the db-1 one
  \bwhat (?:did|has|have|had) (?:we|you|they|people|folks|the team|everyone|everybody) (?:\w{1,12} ){0,2}(?:write|written|say|said|note|noted|comment\w*|mention\w*)\b
notes: anything written on the db-1 one
  ^(?:and )?(?:is |was |has )?any(?:thing|one|body) (?:been )?(?:written|wrote|noted|said)\b
depends: where does web-1 run / is web-1 empty
  ^(?:is|are) (?:the )?§ (?:still |now |really )?(?:empty|idle|in use|unused)\b|^(?:and )?where(?:'s| does| is) (?:the )?§ (?:runs?|running|hosted)\b
noise: which of those does nobody ever touch
  ^(?:and )?(?:which|what) (?:of (?:those|these|them)|ones?|alerts?|checks?|events?)\b.{0,30}\b(?:never|nobody|no ?one|not|untouched)\b.{0,30}\b(?:touch\w*|ack\w*|look\w*|handled?|pick\w*)|\buntouched (?:alerts?|checks?|events?)\b
summary: what do I need to tell the next shift / what do I need to carry over in dub3
  \btell (?:the )?(?:next|night|day|late|early|morning|incoming|other) (?:shift|crew|team)\b|\bwhat (?:do|should|must) (?:i|we) (?:need to |have to )?(?:hand|pass|carry|take) (?:over|on)\b
meaning: what is a correlation group / what does acknowledged mean / what's a silence, I'm new here / what does "recurring" mean on an event / what is meant by learning / raw score vs adjusted score
  ^(?:and |so |hi,? )*(?:what(?:'s| is| are) (?:an? (?:\w+ )?|meant by )|what do(?:es)? (?:an? |the )?(?:\w+ )?|explain (?:what )?(?:an? )(?:\w+ )?|define (?:an? )?|meaning of |(?={terms} (?:vs\.?|versus|or) ))"?(?:groups?|incidents?|silences?|root causes?|confidence|verdicts?|cis?|acknowledge\w*|deduplicat\w*|severity|suppressed|maintenance|signature|events?|{terms})"?(?: (?:vs\.?|versus|or) {terms}| mean(?: here)?| is| here| stand for)?(?:[ ?.!]*$|,| (?:on|in|of|for|at|about|next to|mean)\b)
help: help / what can you do?
  ^(?:help|hi|hello|hey|thanks|thank you)\b[ !.]*$|\bwhat can (?:you|i) (?:do|ask)\b|\bhow (?:do|can) i (?:use|ask)\b|\bexamples?\b|\bwho are you\b|\bwhat are you\b
summary: how bad was last night, top 3 things / top 3 incidents today
  \bhow bad (?:is|are|was|were)\b(?!.*\b(?:compared|than|versus|vs)\b)|\btop (?:\d+|two|three|five|ten) (?:open |active |critical )?(?:incidents?|outages?|groups?|problems?|issues?|things)\b
safe: is now an ok time for it / could I do that tonight / is it okay to pull db-1 for maintenance now
  \b(?:ok|okay|safe|fine|alright) (?:if (?:i|we) |to )(?:just |quickly )?{change} (?:the |our )?§|\b(?:good|ok|okay|right|bad|safe) (?:time|moment) (?:for|to)\b|^(?:and |so )?(?:can|could|may|should|shall) (?:i|we) (?:still )?(?:do|start|go ahead with) (?:it|that|this)\b
impact: if I reboot db-1 who gets hurt / who is affected if db-1 fails / does anything customer facing hang on db-1
  ^(?:and |so )?(?:if|when|once) .{0,40}§.{0,30}\b(?:what|which|who|how many)\b|^who(?:'s| is| gets| will be| would be) .{0,20}\b(?:if|when)\b|^who(?:'d| would| will) (?:notice|feel|suffer|complain|care)|\b(?:customer|client|user)s?[- ]?facing\b
impact: would web-1 survive if db-1 dies / does web-1 keep running without db-1
  ^(?:and |so )?(?:would|will|does|do|could|can) (?:the |our )?§ (?:still |also )?(?:survive|live|cope|keep running|stay up|work|run|go down|fail|die|break)\b.{0,30}\b(?:if|when|without|losing) .{0,12}§
events: any alerts without a CI / unbound events
  \b(?:events?|alerts?|alarms?)\b.{0,16}\b(?:without|no|missing) (?:an? |any )?ci\b|\bunbound (?:events?|alerts?)\b
events: hosts with disk trouble
  ^(?:any |all |the |which )?(?:hosts?|machines?|systems?|boxes|§) with .{2,40}\b(?:trouble|problems?|issues?|errors?|alerts?|alarms?|failures?)[ ?.!]*$
services: most affected service today
  \b(?:most|worst|hardest|least) (?:affected|hit|impacted|degraded|hurt) (?:business )?(?:services?|applications?|apps?|§)
events: what else alarmed in the same minute
  \bwhat else\b.{0,12}\b(?:happen|alarm|alert|fail|fir(?:e|ed|ing)|break|broke|went|was|were)\w*\b(?!.{0,20}§)
blame: web-1 8.7.5, all good since? / web-1 2.0, anything since
  §(?: v?\d+\.\d+\S{0,20})?[ ,:.]{1,3}(?:(?:is|was) )?(?:(?:all|everything|it) )?(?:anything|good|ok|okay|fine|quiet|clean|stable) (?:\w{2,8} )?since(?: then)?[ ?.!]*$
blame: was web-1 ok after its deploy / has web-1 been stable since the last release
  ^(?:is|are|was|were|did|has|have|does|do)\b.{0,50}\b(?:after|since|following) (?:its|the|that|this|their)(?: last| latest| newest)? (?:deploy\w*|releas\w*|rollouts?|upgrades?|updates?|patch\w*|changes?)[ ?]*$
notes: did anyone mark a root cause as wrong / which root causes were judged wrong / what was resolved by hand today
  \b(?:mark(?:ed)?|judg(?:e|ed)|flag(?:ged)?|rated?)\b.{0,40}\b(?:wrong|right|correct|incorrect)\b|\b(?:confirm|reject)(?:ed)?\b.{0,20}\bcauses?\b|^(?:and )?(?:how many|which|what|any|list|show|are there(?: any)?) verdicts?\b|\b(?:resolved|closed|fixed)\b.{0,10}\b(?:by hand|manually|by (?:an? )?(?:person|people|humans?|someone|somebody|users?))\b
silenced: did it hide anything so far / which alerts did the silence swallow
  \b(?:did|does|has|have|is|was|were|what|which|how many)\b.{0,40}\b(?:hide|hides|hid|hidden|swallow(?:ed|s)?)\b
noise: what is just noise here / which alerts could we just turn off
  \b(?:which|what) (?:of (?:the|our|these|those) )?(?:alerts?|events?|alarms?|checks?|warnings?|notifications?) (?:can|could|should|may|might) (?:we|i|you) (?:\w+ ){0,2}(?:(?:turn|switch) off|mute|silence|disable|drop|ditch|get rid of|kill|stop)\b|\b(?:is|are|just|only|mere|pure|all|the) (?:just |only |mostly )?noise\b|\bnoisy (?:alerts?|events?|checks?)\b
summary: anything I need to know before the standup? / what did I miss since 6
  \banything (?:(?:that )?(?:i|we) (?:need|should|have|must|ought) (?:to )?know)\b|\bwhat (?:do|should) (?:i|we) (?:need to )?know\b|\bwhat (?:did|have) (?:i|we) miss(?:ed)?\b
services: top 3 services by downtime
  \b(?:which|what|top \d+|most|worst)\b.{0,30}\bservices?\b.{0,30}\bdowntime\b
together: was web-1 affected by it / was web-1 hit by the db-1 incident / did it hit card payments
  ^(?:and )?(?:is|was|were|are) (?:the |our )?§ .{0,12}\b(?:affected|hit|impacted|involved|touched|hurt|part)\b.{0,12}\b(?:it|this|that|them|the (?:§ )?(?:incident|outage|problem|issue))\b|^did (?:the )?.{3,40}\b(?:problem|issue|incident|outage)s? (?:also )?(?:affect|hit|impact|hurt|break|reach) (?:the |our )?(?:\w{1,12} )?§|^(?:and )?(?:did|does|has|will) (?:it|this|that|the (?:incident|outage|problem)) (?:also )?(?:affect|hit|impact|touch|hurt|break|reach) (?:the |our )?§
status: what's the web-1 thing
  \bwhat(?:'s| is| are) (?:this|that|the|a|an) §(?: thing| for| about)?[ ?]*$
impact: how important is web-1
  ^(?:is|are) (?:it|this|that|§) (?:very |so |really )?(?:important|critical|vital)[ ?]*$|\bhow (?:important|critical) (?:is|are)\b
components: what is card payments made of
  \b(?:made|consists?|composed|built|comprised) (?:up )?(?:of|from)\b|\b(?:components?|parts|members) of §|\b(?:which|what) (?:of )?(?:its|their|the) (?:parts?|components?|pieces)\b|\bwhat(?:'s| is) in (?:the )?§[ ?]*$
summary: did anything break last night
  ^(?:did|has|have) (?:anything|something|any (?:systems?|services?)) (?:else )?(?:break|broke|broken|fail|failed|happen|happened|go|gone|went|crash|crashed|come|came)\b(?!.{0,40}\b(?:before|ever|because|caus\w*)\b)
healthy: is everything ok again
  ^(?:is|are) (?:everything|all|things|we)\b.{0,20}\b(?:ok|okay|fine|good|healthy|green|up|running|normal|back|working)\b.{0,12}\bagain\b
uncaused: are there incidents without a root cause
  \b(?:incidents?|groups?|outages?|problems?)\b.{0,20}\b(?:without|no|unknown|unclear|unidentified) (?:a |an )?(?:known |identified |clear )?(?:root )?cause\b
blame: which incidents had a deployment as cause
  ^(?:is |are )?(?:any|one|some|which) of (?:them|these|those|it)\b.{0,12}\b(?:suspicious|guilty|to blame|the culprit|responsible|suspected)\b|\b(?:which|what|any|how many|list|show)\b.{0,12}\b(?:incidents?|groups?|outages?|problems?)\b.{0,40}\b(?:deploy\w*|releas\w*|changes?|rollouts?)\b.{0,20}\bcause\b
blame: did the web-1 release at 21:00 fill the disk on db-1
  ^(?:and |so )?did (?:the |that |this |our )?(?:§ )?(?:deploy\w*|releas\w*|changes?|rollouts?|upgrades?|updates?|patch\w*|re-?boots?|re-?starts?)\b.{0,40} \w+ .{0,60}§[ ?]*$
blame: did any of them hurt / has one of those broken anything
  ^(?:and )?(?:did|has|have) (?:any|one|some|either) of (?:them|those|these)\b.{0,20}\b(?:hurt|harm\w*|break|broke\w*|damage\w*|cause\w*|do any harm|trouble|go wrong|went wrong|backfire\w*)\b
blame: did the web-1 release go well / was the last deployment ok
  \b(?:deploy\w*|releas\w*|rollouts?|upgrades?|updates?|patch\w*|change)\b.{0,12}\b(?:well|ok|okay|fine|smooth\w*|wrong|bad\w*|succe\w*|work)[ ?]*$
ignore: can I ignore all those warnings? / should we worry about db-1
  \b(?:can|could|may|should|ok(?:ay)? to|safe to|fine to|need to|have to)\b.{0,20}\b(?:ignore|disregard|dismiss|forget about|worry about)\b
customers: how much money did we lose because of it / how many customers are affected / which users are hit / Can customers pay right now?
  \bare (?:any |our |the )?(?:customers?|users?|people) (?:affected|hit|impacted)\b|\b(?:how many|which|number of|what) (?:of our |of the )?(?:customers?|users?|clients?|people|employees?|transactions?|orders?)\b|\b(?:revenue|turnover|financial (?:loss|impact)|how much (?:does|did|will) (?:it|this|that|the outage) cost)\b|\bcan (?:the |our |any )?(?:customers?|users?|people|clients?|we|they) (?:still |\w{1,10}ly )?(?:pay|order|buy|check ?out|book|transfer|shop)\b|\bmoney\b(?!.*\bai\b)|\b(?:phone|telephone|cell) (?:numbers?|nrs?|no)\b|\bsalar(?:y|ies)\b
unrecorded: was last night's backup of db-1 ok / is web-1 backed up? / did the nightly job run ok? / why did nobody answer the pager
  \bpagers?\b|\bpaged\b|\b(?:is|are|was|were|did|do|does|has|have|had|when|how)\b.{0,80}\b(?:backups?|backed[ -]?up|snapshots?|restore points?)\b(?!.{0,20}\b(?:alerts?|events?|alarms?|disks?|space|servers?|links?)\b)|\b(?:did|was|were|has|have|is)\b.{0,40}\b(?:nightly|cron|batch|scheduled|etl) (?:jobs?|batch|runs?)\b.{0,40}\b(?:ok|okay|fine|run|ran|finish\w*|complet\w*|succe\w*|work\w*)\b
unmeasured: is web-1 slower than yesterday / cpu usage of web-1
  \b(?:slower|faster|quicker) (?:than|now)\b|\b(?:uptime|availability|sla|slo)\b.{0,30}§|§.{0,30}\b(?:uptime|availability|sla|slo)\b|\b(?:cpu|memory|ram|disk|bandwidth|network) (?:usage|utili[sz]ation|load|consumption)\b.{0,12}§|\bhow (?:fast|much (?:cpu|memory|ram|disk|traffic|load))\b.{0,30}§
listed: on which hosts? / list them
  ^(?:and )?(?:on|in|for|from|of)? ?(?:which|what|where)(?: (?:ones?|hosts?|systems?|cis?|machines?|servers?|services?|apps?|exactly|are (?:they|those|these)|were (?:they|those|these)))[ ?]*$|^(?:and )?(?:which|where)[ ?]*$|^(?:list|show|name) (?:them|those|these)\b|^(?:and )?(?:which|what) (?:of the )?§ (?:was|is|were|are) (?:it|that|this|those|they)[ ?]*$
worst: which of those is the worst / what is the most urgent of them? / oldest of them / which of them is the newest / and the oldest one? / what about the worst one
  ^(?:and |or |so |what about |which (?:one )?is |what(?:'s| is) )*the (?:oldest|earliest|newest|latest|worst|biggest|longest|shortest|most (?:recent|urgent|important|serious|severe|critical))(?: one)?[ ?]*$|\b(?:which|what|who)\b.{0,12}\bof (?:those|these|them)\b.{0,20}\b(?:worst|biggest|most (?:urgent|important|serious|severe|critical))\b|\b(?:worst|biggest|most (?:urgent|important|serious|severe|critical)) of (?:those|these|them|it|that)\b|\b(?:oldest|earliest|newest|latest) (?:one )?of (?:those|these|them)\b|\bof (?:those|these|them) (?:is|are|was|were) (?:the )?(?:oldest|earliest|newest|latest)\b
ranked: longest outage today / incidents with more than 20 events / which incident had the most events / which one took longest
  \b(?:incidents?|groups?)\b.{0,24}\b(?:longer|more|over) than (?:an?|\d+)\b|\b(?:longest|shortest|biggest|largest|smallest)\b.{0,24}\b(?:incidents?|outages?|groups?)\b|^(?:and )?(?:the )?(?:longest|shortest|biggest|largest|smallest) ones\b|\b(?:which|what)\b.{0,12}\b(?:incidents?|outages?|groups?|ones?|of (?:them|those|these))\b.{0,24}\b(?:longest|shortest|biggest|largest|smallest|(?:most|fewest|least) (?:business )?(?:events?|alerts?|alarms?|hosts?|cis?|systems?|machines?|servers?|services?))\b
occurred: did a database run out of disk lately and how was that fixed / has any server crashed last night? / which database host ran out of disk yesterday
  ^(?:did|has|have|had) (?:an?|any|one|some|another|any of the|one of the) (?!(?:of|one|body|events?|alerts?|alarms?|incidents?|notes?|criticals?|changes?|updates?|patch\w*|deploy\w*|releas\w*)\b).{0,60}\b(?:runs?|ran|running|fill(?:ed)?|fail(?:ed)?|crash(?:ed)?|go|gone|went|die[ds]?|re-?boot(?:ed)?|re-?start(?:ed)?|hang|hung|drop(?:ped)?|lose|lost|overheat(?:ed)?|expired?|stop(?:ped)?)\b(?!.{0,60}\b(?:before|again|because|caus\w*|due)\b)|^(?:which|what) § (?:hosts? |servers? |machines? )?(?:ran|run) out\b
forecast: will db-1 run out of disk before the morning? / is anything about to run full / is it going to get worse
  \b(?:will|going to|gonna|would)\b.{0,60}\b(?:run(?:ning)? out|fill(?: up)?|be full|overflow|crash|get worse|come back|recur|return|happen again|survive|last (?:until|till|the)|hold (?:until|till|out)|(?:fail|break|die) (?:soon|next|again|tonight|tomorrow))\b|\b(?:about to|close to|nearly|almost) .{0,20}(?:full|fail\w*|run\w* out|overflow\w*|crash\w*|break\w*)\b|\b(?:forecasts?|predict(?:ion|ions|ed)?)\b
back: when will ora-rac-1 be back / eta?
  (?<!\bsince )\bwhen (?:will|is|are|does|do) .*\b(?:back|fixed|up again|resolved|restored|over|recovered?|working|end)\b|\b(?:eta|time to (?:recovery|restore))\b|\bhow (?:much longer|long (?:until|till|will))\b|\buntil when will\b
window: when can I patch db-1? / what is the maintenance window of db-1
  \b(?:when|what time|which (?:night|day|window)) (?:can|could|may|should|would|is) .*\b(?:safe|{change})|\b(?:next|best|better|quieter|safer) (?:maintenance )?(?:window|time|moment|slot)\b|\bmaintenance (?:window|time|slot)s? (?:of|for|on) §
silenced: when is web-1 being worked on / what is silenced / is db-1 silenced? / any maintenance planned for tonight / why is db-1 muted and until when
  ^when (?:is|are|will) .{0,40}\b(?:being )?(?:worked on|in maintenance|serviced)\b|^(?:what|what's|what is|anything|is anything|is there anything)\b.{0,12}\b(?:planned|scheduled|upcoming)\b|\b(?:silenc(?:ed?|es|ing)|muted?|mutes|muting|suppress(?:ed|ions?|ing)?|snoozed?)\b|\b(?:in|under|any|a|planned|scheduled|have|list|show|what|which) (?:\w{1,12} ){0,2}(?:maintenances?|downtimes?)\b(?! (?:mode )?(?:changes|of cis))|\binto (?:a )?maintenance\b|\bmaintenances? (?:windows? |mode )?(?:now|today|tonight|tomorrow|planned|scheduled|¤)
rollback: should we roll it back? / was it rolled back? / should we revert that / why was the web-1 release rolled back
  ^(?:why|when|who)\b.{0,60}\b(?:roll(?:ed)? ?back|revert(?:ed)?|undone)\b|\b(?:should|shall|must|do|would|could|can) (?:we|i|you)\b.{0,20}\b(?:roll (?:it|this|that|them|the \S{1,20}(?: \S{1,20})?) back|roll ?back (?:it|this|that|the (?:release|deployment|change|deploy))|revert|undo)\b|^(?:roll ?back|revert|undo)[ ?]*$|^(?:is|was|has|have|did|were)\b.{0,60}\b(?:roll(?:ed)? ?back|roll (?:it|this|that|them|§) back|revert(?:ed)?|undone|undo|backed out)(?: yet| already)?[ ?]*$
safe: can I restart ora-rac-2? / is it safe to reboot core-sw-1 tonight / how risky is an upgrade of db-1?
  \b(?:safe|risky|risks?|dangerous|ok(?:ay)?|fine|can (?:i|we)|may (?:i|we)|could (?:i|we)|should (?:i|we)|is it possible|planning|plan|want to|going to|allowed)\b.*\b{change}|\bhow risky\b|\brisk (?:of|if|when|for)\b|\b{change}(?:ing)?\b.*\b(?:safe|risky|ok|dangerous|tonight|tomorrow)\b
events: what does cms-01 recommend
  \bwhat (?:does|do|did) §.{0,40}\b(?:recommend|say|report|tell|suggest|advise|want)\b
sure: are you sure / how confident are you / who says so
  \bwho (?:says|said|claims) (?:so|that|this|it)\b|\bsays who\b|\b(?:are you|how|really) (?:sure|certain|confident|positive)\b|^(?:really|sure|seriously)\b|\bhow (?:sure|confident|certain)\b|\bconfidence\b|\bwhat makes you\b|\bhow do you know\b|\bevidence\b|\bprove\b
sure: what else could it be / other possible causes? / could it be something else?
  \b(?:what|anything) else (?:could|might|may|can)\b|\b(?:could|might|can|may) (?:something|anything) else\b|\b(?:could|might|can|may|is|was) (?:it|this|that) (?:also |maybe |perhaps |be )*(?:something|anything|someone|somebody) else\b|\b(?:other|another) (?:possible |likely |potential )?(?:causes?|explanations?|reasons?|suspects?|candidates?)\b|\b(?:alternative|rival|second|next) (?:causes?|explanations?|candidates?|suspects?|hypothes[ie]s)\b|\balternatives?\b|\bif not\b.*\bwhat\b|\bsuspects\b
proposals: which relationships are missing? / what is proposed?
  \b(?:missing|proposed|suggested|undocumented|unknown|new) (?:relationships?|dependenc(?:y|ies)|links?)\b|\b(?:relationships?|dependenc(?:y|ies)|links?) (?:are |is |do we |should )?.{0,20}\b(?:missing|proposed|pending|undocumented|add)\b|\bproposals?\b|\bwhat is proposed\b
left: db-1 is down, why didn't it come back with the others / why has db-1 not recovered?
  \bwhy\b.{0,60}\b(?:didn'?t|did not|doesn'?t|does not|hasn'?t|has not|wasn'?t|not|never)\b.{0,40}\b(?:back|recover\w*|return(?:ed|s)?|heal\w*|clear(?:ed|s)?)\b
members: anything of that still broken / which events of it are still open / what is left of it / is anything from that still broken? / is anything still open from the web-1 incident?
  ^(?:and )?(?:is |are )?(?:anything|something|any|what|which|how much|how many)(?: \S+){0,3} (?:of|from) (?:it|that|this|them|those|these)\b.{0,20}\b(?:still|open|broken|down|left)\b|\b(?:which|what|how many|list|show|name)\b.{0,50}\b(?:of|in|from) (?:it|that|this|the (?:group|incident|outage))\b.{0,20}\b(?:open|active|down|left|unresolved|resolved|recovered)\b|\bwhat(?:'?s| is) (?:still )?(?:left|open) of\b|^what(?:'s| is| has| are)? (?:still )?(?:not|n't) (?:yet )?(?:recovered|back|up|fixed|resolved|ok)\b|^what(?:'s| is) still (?:down|broken|open|failing|affected)\b|\bevents? (?:of|in) +(?:are |is )?(?:still )?(?:open|active|left)\b|^(?:is|are) (?:any|anything|something|some)\b.{0,12}\b(?:of|from|in) (?:it|that|this|them|those|these)\b.{0,30}\b(?:still|open|active|down|broken|left)\b|^(?:is|are) (?:any|anything|something|some)\b.{0,20}\b(?:open|active|down|broken|left)\b.{0,12}\b(?:of|from|in) (?:it|this|that|(?:the )?§ (?:incident|outage|group))\b
toll: how many things did it take down / how many hosts are affected by that / how many hosts were hit
  \bhow many\b(?! (?:minutes|hours)).{0,30}\b(?:did|has|have|is|are|was|were) (?:it|this|that|§|the \S{1,20}) (?:\S{1,10} )?(?:take|took|taken|hit|affect(?:ed)?|kill(?:ed)?|bring|brought|break|broken?|drag|impact(?:ed)?)\b|\bhow many\b.{0,40}\b(?:affected|hit|impacted|down|broken|failed) (?:by|because of|due to|with) (?:it|this|that|(?:the )?§)|^(?:and |so )?how many \S{1,20} (?:\S{1,20} )?(?:was|were|is|are|got|have been) (?:also )?(?:hit|affected|impacted|involved|touched|hurt)[ ?]*$|\bhow (?:big|large|widespread) (?:is|was) (?:it|this|that|the (?:outage|incident))\b
advice: what should I do / how do we fix it / next steps?
  \bwhat (?:should|can|could|must|do|would) (?:i|we|you) (?:do|try|check|look|start)\b|\bwhat (?:to|now|next)\b|\bwhere (?:do|should) (?:i|we) (?:start|begin|look)\b|\b(?:which|what) .{0,20}\b(?:should|do|must|shall) (?:i|we) (?:look|start|check|fix|handle|work|take|tackle|prioriti[sz]e)\b|\bnext steps?\b|\bhow (?:do|can|should|could) (?:i|we) (?:fix|solve|resolve|repair|mend|recover|stop|get|handle)\b|\bhow to (?:fix|solve|resolve|repair|recover)\b|\b(?:recommend(?:ation)?s?|advice|advise|runbooks?|action items?|to-?do|playbook)\b|\bhow (?:is|are|does) (?:it|this|that|§) (?:usually |normally )?(?:fixed|solved|resolved)\b
over: is it over? / web-1 ok again / is the carrier link fixed / is db-1 still down? / is db-1 up again / still open? / did the carrier certificate get renewed?
  ^(?:the )?§ (?:back|(?:up|ok|okay|fine|good|healthy|working|alive|green) (?:again|yet|already))[ ?.!]*$|^(?:is|are|was|were|has|have|did) (?!any|there|everything|all\b).{0,80}\b(?:over|fixed|solved|resolved|repaired|mended|renewed|gone|cleared|finished|recover(?:ed)?(?: completely| fully)?|back(?: up| online| to normal)?|(?:up|ok|okay|fine|online|running|healthy|well|normal|reachable|available|responding|responsive|green|stable|alive|working) again)(?: now| already| yet| again)?[ ?.!]*$|^(?:is|are|has|have|does|do) (?!any|there).{0,80}\bstill\b.{0,20}\b(?:open|down|broken|failing|slow|degraded|critical|unhealthy|affected|going|on|active|ongoing|happening|sick|unreachable|there|wrong|(?:an? )?(?:issue|problem|thing))\b|^still (?:open|down|broken|failing|going|on|an issue|a problem)\b
fixed: how was the carrier link fixed / what was done about it
  \bhow (?:was|were|did|has|have|had)\b.*\b(?:fix|fixed|solve|solved|resolve|resolved|repair|repaired|mended|end|ended|recover|recovered|restored|over|go away|cleared)\b|\bwhat (?:fixed|solved|resolved|ended|helped|was done|did (?:we|they|you) do)\b|\b(?:resolution|solution|fix) (?:of|for|was|notes?)\b|\bhow did (?:we|they|someone)\b
forecast: will the rebuild on db-1 be done by ¤
  \bwill\b.{0,60}\bbe (?:done|finished|completed?|ready|fixed|resolved|over|back) (?:by|before|until|in|at)\b
events: how old is the oldest alert
  \bhow (?:old|long) (?:is|are|has|was) the (?:oldest|newest|latest|longest)\b
changes: when was the web-1 deployment
  \bwhen (?:was|were|did|is|has)\b.{0,60}\b(?:deploy\w*|releas\w*|roll(?:ed)? ?outs?|upgrad\w*|patch\w*|chang(?:e|ed|es))\b
duration: since when is it ok again
  \bsince when\b
repeats: what flapped today / which checks keep coming back?
  {repeats}
why: why is it down again / web-1 is slow again!!
  \b(?:why|how come)\b.{0,120}\bagain\b|^(?:the )?§ (?:is|are) [^,.;:!?]{0,40}\bagain\b[ !.]*$
why: what drags it down
  ^(?:and )?what(?:'s| is)? (?:drags?|dragging|hurts?|hurting|slows?|slowing|pulls?|pulling|breaks|breaking) (?:it|this|that|them|§)\b
changes: did anyone deploy something to web-1 before that / did anybody fiddle with web-1
  ^(?:did|has|have) (?:any(?:one|body)|some(?:one|body)) (?:already |recently |just )?(?!look|work|see|check|notic|handl|tak|pick|ack|respond|react|investigat|call|tell|wr[io]t|leave|left|say|said|comment|note|on |at |assign|resolv|clos|fix)\w{3,12} (?:with |around |about )?(?:the )?§|\b(?:did|has|have) (?:any(?:one|body)|some(?:one|body)|we|they|you|he|she|@) (?:just |recently )?(?:chang|deploy|releas|roll(?:ed)? ?out|patch|modif|upgrad|updat|touch|push|ship)\w*
spof: single points of failure? / what is the most fragile thing we have / is there a single point of failure in card payments?
  \bsingle points? of failure\b|\b(?:have|is there|are there|any|enough) (?:any )?redundancy\b|\bredundant\b|\bspofs?\b|\b(?:no|without|lacks?|lacking|missing) (?:a |any )?(?:redundancy|backup|spare|failover|standby|second)\b|\b(?:not|non)[- ]redundant\b|\bweak(?:est)? (?:points?|spots?|links?)\b|\b(?:most )?(?:fragile|brittle)\b
blame: is it the database again / web-1 is slow again! is it the database? / web-1 is slow, the database again?
  \b(?:is|was|could|might|isn'?t) (?:it|this|that) (?:be |maybe |perhaps |just |really |probably |not )*(?:the |a |an |our )?§.{0,30}\bagain\b|\bagain\b.{0,40}\b(?:is|could|might) (?:it|this|that) (?:be )?(?:the |a |an |our )?§|§[^§]{1,60}[,.;:!?-]+ ?(?:the |our )?§ (?:problem |issue |thing )?again\b|§[^§]{1,40}\bagain\b ?[,.;:!?-]+.{0,20}(?:§|\b(?:deploy|release|change|rollout|update)\w*)
path: how are web-1 and db-1 related
  ^how (?:is|are|does|do) (?:the )?§ (?:and|to|with) (?:the )?§ (?:related|connected|linked|talk)
shared: are web-1 and web-2 on separate hardware / do web-1 and web-2 run on the same host / what do web-1 and web-2 have in common / what do these two share / is there a common factor
  \bin common\b|\bcommon (?:factor|denominator|link)\b|\bcommon (?:cause|to|between)\b.{0,40}\band\b|\b(?:these|those|they|two|both|them)\b.{0,20}\bshare\b|§.{0,80}\b(?:same|separate|different) (?:physical |underlying )?(?:§|hosts?|machines?|rack|box|hardware|power|switch)(?! (?:problem|issue|alert))|^are (?:they|those|these|the two|both).{0,20}\bsame (?:§|hosts?|machines?|rack|box|hardware|switch)|§.{0,60}§.{0,30}\bshare\b|\bshared (?:by|between) .{0,20}§.{0,40}§
together: are the web-1 problem and the db-1 alert the same thing? / is this the same problem as web-1
  §.{0,80}§.{0,60}\bsame\b|§.{0,60}\bsame .{0,30}\bas .{0,30}§|\b(?:are|is) (?:they|these|those|it|this|that|the two|both).{0,12} (?:the )?(?:same .{0,30}\bas .{0,30}§|(?:same (?:thing|problem|issue|incident|outage|cause)|related|connected|linked)(?! to (?:the )?(?:§|a|last)))
past: has this happened before? / anything similar in the past / how often does that happen
  \b(?:happen|happened|seen|saw|occurr?(?:ed)?|had|have|been|broken?|failed?|down)\b.{0,40}\b(?:before\b(?! (?:that|it|the|this))|previously|earlier|already|in the past|ever|again)|(?<!day |week |hour |month |night |¤ )\bbefore\?|\bsimilar\b|\brecurr|\bhow often\b|\bhow many times\b|\bhistory\b|\b(?:first|last) time\b|\bin the past\b|\bagain\b|\bis (?:it|this|that) (?:new|usual|normal|common)\b|\bsame (?:thing|problem|issue|as)\b|\bused to\b|\brepeat
occurred: did we see disk errors today / anything weird with certificates
  ^(?:did|do(?! we have any \w+[ ?]*$)|have|had) (?:we|you|they)\b.{0,12}\b(?:see|seen|have|had|get|got|notice\w*|experienc\w*|suffer\w*)\b(?!.{0,40}\b(?:incidents?|outages?|chang\w*|deploy\w*|releas\w*|services?|silenc\w*|maintenance|redundan\w*|notes?)\b)|^(?:is |was |are |were )?(?:there )?(?:any(?:thing)?|something) (?:weird|odd|strange|funny|unusual|suspicious|off) (?:with|about|on|in|at|around)\b
why: what broke first last night / what was the trigger / where did it start
  \b(?:what|which|who)(?:'s)? .{0,30}\bfirst\b|^(?:the )?(?:very )?first (?:alert|event|alarm|sign|symptom|problem)s?\b|\b(?:broke|failed|started|went down|began) first\b|\bwhere did it (?:start|begin)\b|\bhow did it (?:start|begin)\b|\bwhat started it\b|^(?:and )?what(?:'s| is| was) the (?:trigger|chain(?: of (?:events|cause\w*))?|domino\w*)\b|\b(?:timeline|chronolog|sequence|order of events)\b
duration: how long was the ldap outage / since when / when did it start
  \bhow (?:many (?:minutes|hours)|much (?:time|downtime))\b.{0,40}\b(?:was|were|is|are|did|down|affected|impacted|out)\b|\bhow long (?:was|were|is|has|have|did|does(?! it take)|had)\b|\bsince when\b|\bwhen (?:did|was|were|has|have)\b|\bduration of\b|\bwhat time did\b|^(?:did|has|have) .{0,20}§ .{0,12}\b(?:come back|recover|return)|\bhow old\b|\bhow long(?: already| now| so far)?[ ?]*$|\buntil when\b|\bsince what time\b|\bfor how long\b|\bat what time\b
compare: is that more than the day before? / compare db-1 with web-1 / was the night quieter before or after ¤
  \b(?:compare[ds]?|comparison|versus|vs|difference between)\b|§ against (?:the )?§|\b(?:more|less|fewer|higher|lower|worse|better|noisier|quieter|harder|calmer|busier|louder)\b.{0,30}\bthan\b(?! (?:once|twice|one|an?|\d))|\bgetting (?:worse|better)\b|\bthan (?:usual|normal|average)\b|\b(?:usual|normal|typical) (?:number|amount|level|volume|rate)\b|\bis (?:it|that|this) (?:a lot|much|normal|usual|more)\b|\b(?:more|fewer|less|worse|busier|noisier|quieter|calmer|better) .{0,60}\bor\b|\bor\b.{1,40}\bwhich (?:is|are|was|has|had|one)\b.{0,20}\b(?:more|most|worse|worst|noisier|busier|quieter|better|less|fewer)
notes: any notes on db-1? / did anybody leave a note today / did he write anything / what did she say / what did he find out
  \b(?:any|the|what|show|list|read|did|have|has|are|is|leave|left) (?:\S{1,20} ){0,5}(?:notes?|comments?)\b|\bcommented\b|^(?:notes?|comments?)\b|\b(?:notes?|comments?) ?[?.]*$|\b(?:did|has|have|had) (?:he|she|they|@|(?:any|some)(?:one|body)) (?:\w{1,12} ){0,2}(?:write|written|wrote|say|said|noted?|leave|left|comment\w*|add|added|mention\w*)\b|\bwhat (?:did|has|have|had) (?:he|she|they|@|(?:any|some)(?:one|body)) (?:\w{1,12} ){0,2}(?:write|written|say|said|note|noted|comment\w*|mention\w*|find|found|figured?|learn\w*)\b|^what (?:he|she|they|@) (?:wrote|said|found)\b
notes: what has been acked today
  \b(?:what|which|anything|any|everything|all|list|show)\b.{0,30}\b(?:has|have|was|were|been|got|did)\b.{0,20}\back(?:ed|nowledged?)?\b(?!.{0,20}\b(?:un|not)\b)
who: was it acked / did anyone ack it
  ^(?:is|was|has|were|are|did|have) (?:it|this|that|they|these|those|(?:any|some)(?:one|body))\b.{0,20}\back
who: who is on it / who deployed netbank / is anyone looking at db-1 / is anyone on the db-1 problem
  \bwho(?:'?s| is| was| has| had| did| can| should| do| does|m)?\b(?! (?:uses|needs|depends|talks))|(?<!\b(?:came|come|coming|got|get|go|going|am|i'm|just|back|started|starting) )\bon[- ](?:call|duty|shift)\b|\bassign(?:ed|ee)\b|\b(?:any|some)(?:one|body) (?:already |still |now |actually )?(?:on|at) |\b(?:any|some)(?:one|body) .{0,12}\b(?:work|handl|got |picked |look|on it|handl|assigned|own|tak|deal)|\bwhich team\b|\bowner of\b
impact: what does db-1 take down with it
  ^what (?:else )?(?:does|do|will|would|did) (?:§|it|this|that) (?:take|affect|hit|bring|drag|pull|kill|break)\b|\b(?:would|will) (?:anything|something|everything|services?)\b.{0,20}\b(?:go down|break|fail|die|be affected)\b
together: why are core-sw-2 and batch-01 in one group? / why were they lumped together
  \b(?:lumped|bundled|bunched|merged|thrown|put|filed) (?:together|into one|in one)\b|\b(?:same|one|a) (?:group|incident|problem)\b|\b(?:grouped|together|correlated|related|connected to each other|belong)\b|\bapart\b|\bwhy (?:are|is|were) .* (?:group|grouped)
blame: was that power or network / any chance this is db-1
  ^(?:any|is there a|what) chance\b.{0,12}\b(?:it|this|that)(?:'s| is| was)\b|^(?:is|was) (?:it|this|that) (?:an? |the )?[\w§]{1,20} or (?:an? |the )?[\w§]+
blame: did the release cause the errors on netbank yesterday? / is it the database? / is db-1 down because of web-1? / was the web-1 mess caused by the release? / did one of them break something?
  \b(?:did|does|do|has|have|could|can|might) .{0,60}\b(?:cause|caused|causing|break|broke|broken|lead to|trigger|triggered|responsible|take down|took down|have to do with|anything to do with)\b|\b(?:is|was|are|were|could|isn'?t) (?:it|this|that) (?:be |maybe |perhaps |just |really )?(?:the |a |an |our |because |due |caused |related |§)|^(?:is|was|were) there (?:a |an |any )?(?:change|deploy\w*|release|rollout)s?\b.{0,20}\bbefore\b|^did (?:the )?.{0,60}\b(?:start|begin|happen|appear|come)\b.{0,20}\b(?:after|with|because of|due to) .{0,30}(?:deploy|releas|change|rollout)|\b(?:to blame|the culprit|at fault|responsible|behind (?:it|this|that)|is §.{0,12} the (?:cause|problem|reason|root))\b|\bdue to (?:the|a|§)|\b(?:caused by|because of) (?:the |a |an |our )?(?:deploy|releas|change|rollout|update|upgrade|patch)|§ .{0,30}\b(?:because of|caused by) (?:the |a |an )?§|\bnetwork (?:or|issue|problem)\b.*\?
path: how is web-1 connected to db-1
  \b(?:path|route|way|connection|link) (?:from|between)\b|\bhow (?:is|are|does) §.{0,30} (?:connected|linked|related|reach|get to|talk)|\bbetween § and §
impact: What happens if db-1 fails? / what is down because of core-sw-2 / what if core-sw-1 dies
  \b(?:what|who|which|anything|everything|systems?|services?|hosts?|cis?)\b.{0,30}\b(?:impact(?:ed)?|affect(?:ed|s)?|hit|down|fail(?:s|ing|ed)?|broken?|suffer(?:s|ing)?|at risk|lost|dead|out)\b.{0,20}\b(?:because of|by|due to|with|from|behind|if)\b|\bwhat (?:if|happens|would happen|will happen|fails|breaks|else (?:fails|breaks|is down))\b|\bblast radius\b|\bconsequences?\b|\bimpact\b|\bif §.{0,60}\b(?:fail|die|go|is|stop|restart|break|lose|lost|crash|were)|\b(?:lose|losing) §|\b§ (?:dies|fails|goes down|breaks|crashes)\b|\bwould (?:break|fail|go down|be affected)\b|\b(?:who|what) (?:suffers|is affected|is impacted)\b
changes: what changed in the last 24 hours / was anything changed before that
  \bwas (?:anything|something) (?:changed|deployed|released|patched)\b|\b(?:what|which|any|anything|something|list|show|recent|latest|last|who|were|was|have|has)\b.{0,30}\b(?:chang(?:e|es|ed|ing)|deploy(?:ed|s|ments?|ing)?|releas(?:e|es|ed)|roll(?:ed)? ?outs?|patched|patches|modified|maintenance|upgrades?)\b(?!.*\bhow many\b)|^(?:changes|deployments|releases)\b|\bwhat.?s new\b
summary: whats going on right now? / what happened last night / summarize the last 24 hours for the handover
  \bsummar|\bhand ?over\b|\boverview\b|\bbrief(?:ing)?\b|\bwhat(?:'?s| is| was| has)? (?:been )?(?:happen(?:ed|ing|s)?|going on|up|new|wrong|broken|the (?:situation|matter|problem|status|state))\b(?!.*§)|\bwhat (?:happened|broke|failed|went (?:wrong|down))\b(?!.*§)|\bsituation\b|\brecap\b|\bcatch me up\b|\bhow are (?:things|we|we doing)\b|\bstatus (?:report|update)\b|\banything (?:wrong|broken|burning|on fire|red|i should know|going on|important|urgent|else)\b|\bwhat(?:'s| is) (?:on fire|burning)\b|\b(?:worst|biggest|most (?:urgent|serious|severe|critical|important)|main) (?:open |active |current )?(?:problem|issue|incident|outage|group|fault|thing)s?\b|\brundown\b|\btl;?dr\b|\bdigest\b|\b(?:list|show|which|what|open|active|current|all|any) .{0,12}\bincidents\b|^incidents\b|\bwhat do i need to know\b
why: why / what's the story with web-1 / whose fault is it / whats wrong with oracle rac / why did card payments fail on tuesday
  \bwhy\b|\bwhose fault\b|\broot[- ]causes?\b|\bcaus(?:e|es|ed|ing)\b|\breasons?\b|\bwhat (?:happened|broke|failed|went wrong|is behind|made|killed)\b|\bwhat'?s? (?:is |was )?(?:wrong|broken|the (?:problem|matter|issue)|up)\b|\bwrong with\b|\bwhat(?:'?s| is| was)? the story (?:with|on|of|behind|about)\b|\bexplain\b|\bproblem with\b|\bmatter with\b|\bhow come\b|\binvestigate\b|\bwhat took\b
services: which services are degraded / worst service right now / which service got hit hardest today / Which services are affected?
  \b(?:which|what|list|show|are|any|how many|health of|state of|status of|all|worst|our)\b.{0,20}\b(?:business )?(?:services|applications|apps)\b(?!.{0,20}\bdepend)|^(?:business )?services\b|\b(?:worst|sickest|unhealthiest) (?:biz |business )?(?:service|application|app)\b|\b(?:which|what) (?:biz |business )?(?:service|application|app)\b.{0,20}\b(?:worst|hit|hurt\w*|suffer\w*|affected|impacted|degraded|down|unhealthy|sick|bad|red)\b
depends: what depends on db-1? / what is plugged into db-1 / which servers run on esx-05
  \b(?:depend(?:s|ing|ency|encies|ents?)?|upstream|downstream|relies|rely|neighbou?rs?|runs? on|runs? there|running on|hosted (?:on|by)|hosts §|sits? on|hangs? (?:on|off)|(?:attached|connect(?:ed|s)?|linked|cabled|plugged|wired) (?:in )?(?:to|into)|talks? to|resolves? (?:through|via|with)|uses?|needs?(?! (?:an? )?(?:re-?start|re-?boot|patch|update|attention|help|fix))|requires?|behind|powers|powered by|consumers?|relationships?)\b
query: which server alerts most / top 5 noisiest hosts this week / how many events yesterday
  \b(?:how many|how much|number of|count|total|mttr|mtta|mean time|average|avg|median|percentage|share of|ratio|top \d+|most|least|noisiest|busiest|trend|per (?:day|hour|week|service|host|source)|by (?:severity|source|service|host|ci|day|hour|type)|alerts? most|loudest|worst|highest|noisy|how long does it take)\b
healthy: is everything healthy? / can I go back to bed? / can we leave for a coffee / all good?
  \b(?:is|are) (?:everything|all|we|it all|things|the (?:estate|infrastructure|system|systems|network|datacenter|environment))\b.{0,20}\b(?:ok|okay|fine|good|healthy|green|up|running|normal|alright|well|working)\b|\ball.?(?:good|ok|clear|green|quiet)\b|\b(?:go|get) (?:back )?to (?:bed|sleep)\b|\bcoast (?:is )?clear\b|\bcan (?:i|we) (?:sleep|relax|log off|stand down|(?:go|leave|head)(?: (?:for|to|out|home|off|and|now|¤|a|an|some|break|coffee|lunch|dinner|walk))*[ ?.!]*$)|\bhow healthy (?:is|are) (?:everything|we)\b|^(?:everything|all) (?:ok|good|fine)
events: open criticals / show me events from zabbix
  \b(?:events?|alerts?|alarms?|warnings?|criticals?|majors?|problems?|issues?|complaints?|outages?|incidents?|open)\b
find: list all servers
  \b(?:list|show|find|search|which|give me|get|all(?! right\b)|look up|where is)\b
status: db-1 status / What is the status of db-1? / is db-1 all right
  \b(?:status|state|health|healthy|how is|how are|how'?s|doing|details?|about|info|information|describe|ok|okay|fine|all ?right|alright|alive|up|down|slow|what is|what'?s|whats|is|what)\b
`;
const NAMES = wordsIn(
  'steps noise foreign language order help meaning summary services tally status impact components healthy uncaused blame ignore customers unrecorded unmeasured listed ranked worst occurred forecast back window silenced rollback safe sure proposals left members toll advice over fixed events changes duration repeats why spof path shared together past compare notes who depends query find attribute assigned',
);
/** Each has one function that answers it; fields and people that a message names decide on two of them. */
export type Intent = (typeof NAMES)[number];
/** Intents that an id of an incident can be asked with. */
export const OF_INCIDENT: readonly Intent[] = wordsIn(
  'why over left members toll rollback sure past fixed advice duration who back blame together order notes',
);

const rowOf = ([, intent, examples = '', said = '']: readonly string[]) => ({
  intent: intent as Intent,
  examples: examples.split(' / '),
  said: new RegExp(
    said
      .replaceAll('{change}', CHANGE)
      .replaceAll('{terms}', `(?:${TERMS.source})`)
      .replace('{repeats}', REPEATS.source),
  ),
});
export const INTENTS = [...TABLE.matchAll(/^(\w+): (.+)\n {2}(.+)$/gm)].map(rowOf);

/** Words of the table, and parts of them, which are no typing errors of others. */
export const INTENT_PARTS: ReadonlySet<string> = new Set(
  INTENTS.flatMap(({ said }) => said.source.replaceAll(/\\[a-z]/g, ' ').match(/[a-z]{4,}\??/g) ?? []).flatMap((part) =>
    part.endsWith('?') ? [part.slice(0, -1), part.slice(0, -2)] : [part],
  ),
);

/** The intent of a message by its words; null: none. */
export const intentOf = (shape: string): Intent | null => INTENTS.find(({ said }) => said.test(shape))?.intent ?? null;

/** Words that refer to the subject of the conversation. */
export const POINTS_BACK =
  /\b(?:it|its|itself|this(?! (?:morning|afternoon|evening|night|weekend|week|month|quarter|year|hour|minute))|that|(?<!\b(?:is|are|was|were) )there|they|them|these|those|here)\b|\bthe (?:two|other|same|first|second|latter|former|incident|outage|problem|issue)\b/;
