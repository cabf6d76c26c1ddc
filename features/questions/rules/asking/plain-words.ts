/** Words of the language that are never names, in the singular and the plural. */
export const PLAIN: ReadonlySet<string> = new Set(
  `help alerting alerted firing suspicious chance chain trigger hi hello hey thanks thank compare compared comparison versus vs difference than impact
  impacted blast radius consequence consequences affect affected affects risk risky safe break breaks broke broken happen happens happened happening
  fail fails failed failing failure failures else why root cause causes caused causing reason reasons wrong depend depends depending dependency
  dependencies dependent dependents upstream downstream relies rely connected relationship relationships related neighbor neighbors neighbour
  neighbours uses use used run runs running talks talk needs need change changes changed changing deploy deploys deployed deployment deployments
  release releases released rollout patch patches patched upgrade upgrades update updates modified edited new many much number count counts total mean
  average percentage share ratio status state states health healthy unhealthy doing detail details about info information describe ok okay fine alive
  up down slow list show find search which give get all look looks tell going on if goes dies die died stops stop stopped stuck restarts restart
  reboot lost lose please can could would should shall may might must you your do does did done know me us now still again right anything something
  everything nothing thing things it its this that these those there here same host hosts server servers machine machines box one ones two both other
  others and or then so what whats who whos how when where is are was were be been being has have had any some explain see want like with from for the
  a an of in to by at as i im we they them their he she directly indirectly between current currently latest recent recently last first next before
  after since until during crashed crash crashing dead dying offline unavailable degraded outage outages incident incidents event events alert alerts
  alarm alarms problem problems issue issues complaint complaints error errors warning warnings critical criticals major majors minor open closed
  resolved acknowledged time times long longer often ever never today yesterday tonight tomorrow night morning evening afternoon week weeks day days
  hour hours minute minutes month months year monday tuesday wednesday thursday friday saturday sunday past ago fix fixed fixes fixing solve solved
  repair repaired recover recovered recovery restore restored back work works working couldnt couldn cant can't dont don't didnt isnt wont customers
  customer users user people team teams assigned owner responsible blame culprit fault faults sure certain confident really similar history story handover
  summary summarize overview report brief ip address firmware version os model serial manufacturer vendor location memory cpu cores environment
  department engine software criticality name type types site sites service services application applications app apps cluster clusters group groups
  together missing proposed single point points spof noisiest noisy most least top more less fewer higher lower worst best big bigger biggest urgent
  severe serious important link links path way cost costs ai say says recommend recommends recommendation advice runbook note notes only just also too
  not no yes wait exactly maybe perhaps possible possibly likely everyone anyone someone through into over under out off because due cannot my our his
  her ours mine s t re ve ll d go gone come came start starts started begin began begins end ends ended stay stays stayed take takes took make makes
  made put keep hit hits suffer suffers behind near around per each every few lot bit kind sort hold seem seems looking check checks checked try tried
  let lets means meant think thought said ask asked question answer lasting lasted ongoing without old older oldest young younger hang hangs hanging
  weird odd strange funny shout shouts shouting loud fire fires fired commented commenting everybody picked pick stuff trouble attached plate queue
  busy ending expire expires expiring coming ahead soon guys folks mate quick quickly actually basically roughly overall whole entire rest another
  either neither mostly enough dropped drop drops shape form condition shift told shown lists seen saw hear heard notice noticed reported reports
  already yet even later earlier lately meanwhile healthier sicker calmer assignee assignees complain complains complained handle handles handling
  handled deal deals dealing remark remarks starting once twice several repeatedly returned returning hows wheres whens whys worse sudden troubles bad
  hurt hurting hardest suffered biz anybody somebody planned scheduled silenced silence silences silencing muted mute suppressed snoozed bouncing
  bounced bounces flap flapped flapping flaps keeps kept repeated repeating recurring unassigned unacked unacknowledged unowned acked ack quieter
  quiet louder noisier busier sick vs. owns leave left comment comments whom nobody respond responding set sets wrote written decided verdict
  confirmed judged touched reach reached able newest added created deleted situation red amber yellow green looked ran fill filled mess isn't aren't
  wasn't weren't doesn't didn't hasn't haven't hadn't couldn't shouldn't wouldn't won't isn aren wasn reachable responsive available stable repeat
  repeats drag drags dragging hurts slows slowing pulls pulling escalate duty anywhere consist consists manager managers boss bosses ceo cto director
  exec execs leadership stakeholder stakeholders colleague colleagues rundown tldr digest worry worried concerned usual usually normal normally
  getting expected belong belongs belonging redundancy redundant unusual sit sits sitting stand stands live lives alarmed rolled rollouts touching
  fiddle fiddled gets cried cry cries booted locked worked pager paged ring ringing badly thingy metal kit premises altogether half third quarter
  majority bunch chunk burning standup management harder safely sentence sentences paragraph blurb extent such lumped
  marked flagged bundled bunched merged thrown center centre datacenter located dark loses losing bed weren doesn didn hasn haven hadn shouldn wouldn won don everywhere
    reverted reverting eta taking carry carrying`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Something in it is no letter, and it is no number or time. */
const LOOKS_LIKE_NAME = /[\d._:-]/;
const NO_NAME =
  /^(?:[\d.,:]{1,8}|\d{1,6}[a-z]{1,3}|\d{4}-\d{2}-\d{2}.{0,30}|COR-\d+-\w+|EVT-\w+|24\/7|[a-z]-[a-z]+|(?:sev|prio|p|q)-?\d|on-call|top-\d+|re-\w+|non-\w+|err-\w+)$/i;
const PHRASE = /^[a-z]+(?:-[a-z]+)+$/i;

/** True for a word that looks like a name; an answer mentions it if nothing has that name. */
export const isNameLike = (word: string): boolean =>
  (LOOKS_LIKE_NAME.test(word) && !NO_NAME.test(word) && !PHRASE.test(word) && /\p{L}/u.test(word)) ||
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(word);
