import { assertDefined, itemAt } from '#domain/assert.ts';
import { Fault, isConflict, isOvertaken } from '#domain/fault.ts';
import { fitsJsonLimit } from '#domain/json-size.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { MATCH_KEYS, type MachineKeys, type MatchedCis } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import type { Host } from '#features/discovery/rules/host.ts';
import { type JoinedMachine, joinMachines, withoutSharedNames } from '#features/discovery/rules/join.ts';
import { withoutAddress } from '#features/discovery/rules/lost-address.ts';
import { apart, machineKeys } from '#features/discovery/rules/machine.ts';
import {
  decide,
  formerHolders,
  hasOneOf,
  isElsewhere,
  type KnownCis,
  type MatchDecision,
  type MatchQuestion,
} from '#features/discovery/rules/match.ts';
import { type Authority, claimOf } from '#features/discovery/rules/provenance.ts';
import { found, type HostSighting, reconcile } from '#features/discovery/rules/reconcile.ts';
import type { HostOutcome, Scan } from '#features/discovery/rules/scan.ts';
import { apply, type PlannedCi } from './apply.ts';
import { standingOf } from './records.ts';
import { askReview, readReview, reviewIdOf } from './review-records.ts';

export interface PlacedHost {
  readonly index: number;
  readonly host: Host;
}
interface HostRecord extends PlacedHost {
  readonly machine: MachineKeys;
}
interface Met extends HostRecord {
  /** Addresses of other machines that the scan calls the same. */
  readonly namesakes: readonly string[];
}
/** CIs that keys have found, and the decision. */
interface HostMatch {
  readonly met: Met;
  readonly matched: MatchedCis;
  readonly decision: MatchDecision;
}

export interface Reconciling {
  readonly ports: Ports;
  readonly tenant: string;
  readonly scan: Scan;
  readonly authority: Authority;
}

/** Number of attempts after concurrent changes of the same CIs. */
const ATTEMPTS = 3;

const outcome = ({ index, host }: PlacedHost, parts: Partial<HostOutcome>): HostOutcome => ({
  index,
  hostname: host.hostname ?? null,
  ipAddress: host.ipAddress ?? null,
  action: 'failed',
  ci: null,
  by: null,
  reason: null,
  review: null,
  ...parts,
});

/** Returns the CI that a user has selected for an ambiguous machine, else the question. */
async function asked(
  { ports, tenant, scan }: Reconciling,
  met: Met,
  decision: MatchQuestion,
  addresses: readonly string[] = [],
): Promise<string | HostOutcome> {
  const id = reviewIdOf(ports, met.machine, addresses);
  const before = (await readReview(ports, tenant, id))?.body ?? null;
  const chosen = before?.status === 'resolved' ? before.resolution?.ci : null;
  if (chosen && (await ports.topology.getCis(tenant, [chosen])).length > 0) return chosen;
  const { by, reason } = decision;
  if (before?.status === 'dismissed')
    return outcome(met, { action: 'ambiguous', by, reason: `${reason}; dismissed`, review: id });
  await askReview(ports, tenant, { id, decision, host: met.host, scan }, before);
  return outcome(met, { action: 'ambiguous', by, reason, review: id });
}

const sightingOf = ({ ports, scan }: Reconciling, { host }: PlacedHost): HostSighting => ({
  host,
  scanner: scan.scannerId,
  seenAt: scan.seenAt,
  at: ports.clock.now(),
});
const placing = ({ scan }: Reconciling, { index }: PlacedHost): Pick<PlannedCi, 'place' | 'asker'> => ({
  place: { scan: scan.id, index },
  asker: { actor: scan.actor, address: scan.address, department: scan.department },
});

/** `id`: the CI that the machine is, null for a new one. */
export async function plan(work: Reconciling, met: PlacedHost, id: string | null, cis: KnownCis): Promise<PlannedCi> {
  const { ports, tenant, authority } = work;
  const sighting = sightingOf(work, met);
  const common = { ...placing(work, met), sighting, isSeen: true };
  if (id === null) {
    const result = found(tenant, ports.ids.ulid(), sighting, authority);
    return { ...common, before: null, known: {}, stored: null, result };
  }
  const before = cis.get(id) ?? (await ports.topology.getCis(tenant, [id]))[0];
  if (before === undefined) throw new Fault('conflict', `CI ${id} was deleted`);
  const { stored, standing } = await standingOf(ports, before);
  return { ...common, before, known: standing.claims, stored, result: reconcile(standing, sighting, authority) };
}

/** Returns the earlier outcome of a host, for a chunk that a crash interrupted. */
function actionOf({ result, stored, place }: PlannedCi): HostOutcome['action'] {
  const last = stored?.last;
  const isDone = result.action === 'unchanged' && last?.scan === place.scan && last.index === place.index;
  return isDone ? last.action : result.action;
}

const isTooLarge = ({ result }: PlannedCi): boolean =>
  result.action !== 'unchanged' && !fitsJsonLimit(result.ci.attributes);

interface HostStep {
  readonly met: Met;
  readonly by: HostOutcome['by'];
  readonly planned: PlannedCi;
  /** CIs that have lost their address to the machine. */
  readonly losers: readonly PlannedCi[];
}

const outcomeOf = ({ met, by, planned }: HostStep): HostOutcome => {
  const action = actionOf(planned);
  return outcome(met, { action, ci: planned.result.ci.id, by: action === 'created' ? null : by });
};

interface Identity {
  /** Null: unknown machine. */
  readonly id: string | null;
  readonly by: HostOutcome['by'];
}

/** The CIs without the main address of the machine, those only that have lost it for certain. */
async function losing(work: Reconciling, met: Met, ids: readonly string[], cis: KnownCis): Promise<PlannedCi[]> {
  const sighting = sightingOf(work, met);
  const losers: PlannedCi[] = [];
  for (const before of ids.flatMap((id) => cis.get(id) ?? [])) {
    const { stored, standing } = await standingOf(work.ports, before);
    const result = withoutAddress(standing, sighting, work.authority);
    if (result !== null)
      losers.push({ ...placing(work, met), sighting, isSeen: false, before, known: standing.claims, stored, result });
  }
  return losers;
}

/** True if the scanner has found the same name at another address in the same scan: two machines may have it. */
async function isTwice({ ports, scan }: Reconciling, met: Met, ci: Ci): Promise<boolean> {
  if (!isElsewhere(met, ci)) return false;
  if (hasOneOf(ci, met.namesakes)) return true;
  const { standing } = await standingOf(ports, ci);
  return claimOf(standing.claims, 'ip_address', scan.scannerId)?.seenAt === scan.seenAt;
}

const isName = (by: HostOutcome['by']): by is 'fqdn' | 'hostname' => by === 'fqdn' || by === 'hostname';

/** The question that claims put where keys alone are content, else the decision. */
async function doubted(work: Reconciling, { met, decision }: HostMatch, cis: KnownCis): Promise<MatchDecision> {
  if (decision.kind === 'taken') {
    const losers = await losing(work, met, decision.candidates, cis);
    return losers.length === decision.candidates.length ? { kind: 'new' } : { ...decision, kind: 'unsure' };
  }
  if (decision.kind !== 'known' || !isName(decision.by)) return decision;
  const { ci, by } = decision;
  const known = cis.get(ci);
  if (known === undefined || !(await isTwice(work, met, known))) return decision;
  return { kind: 'unsure', by, candidates: [ci], reason: `the scan contains this ${by} at another address` };
}

/** Returns the CI of a host, or the outcome of an ambiguous one. */
async function identify(work: Reconciling, one: HostMatch, cis: KnownCis): Promise<Identity | HostOutcome> {
  const { met } = one;
  const decision = await doubted(work, one, cis);
  if (decision.kind === 'known') return { id: decision.ci, by: decision.by };
  if (decision.kind === 'new') return { id: null, by: null };
  if (decision.kind === 'unknowable') return outcome(met, { reason: decision.reason });
  // A name alone is no mark of one machine when it is on several.
  const addresses = one.decision.kind === 'known' ? met.machine.ip_address : [];
  const chosen = await asked(work, met, decision, addresses);
  return typeof chosen === 'string' ? { id: chosen, by: 'review' } : chosen;
}

async function lookUp({ ports, tenant }: Reconciling, hosts: readonly Met[]) {
  const found = await ports.matcher.match(
    tenant,
    hosts.map(({ machine }) => machine),
  );
  const ids = new Set(found.flatMap((one) => MATCH_KEYS.flatMap((key) => one[key])));
  const cis: KnownCis = new Map((await ports.topology.getCis(tenant, [...ids])).map((ci) => [ci.id, ci]));
  const all = zip(hosts, found).map(
    ([met, matched]): HostMatch => ({ met, matched, decision: decide(met, matched, cis) }),
  );
  return { cis, all };
}

const TOO_LARGE = 'the attributes of the CI would be larger than 64 KiB';

async function execute({ ports, tenant }: Reconciling, steps: readonly HostStep[]): Promise<HostOutcome[]> {
  const fitting = steps.filter(({ planned }) => !isTooLarge(planned));
  await apply(
    ports,
    tenant,
    fitting.flatMap(({ planned, losers }) => [planned, ...losers]),
  );
  return steps.map((step) => (isTooLarge(step.planned) ? outcome(step.met, { reason: TOO_LARGE }) : outcomeOf(step)));
}

/** Keys of hardware and of clouds identify the owner of an address with certainty. */
const isCertain = ({ id, by }: Identity): boolean =>
  id === null || by === 'external_key' || by === 'serial_number' || by === 'mac_address';

async function step(work: Reconciling, one: HostMatch, identity: Identity, cis: KnownCis): Promise<HostStep> {
  const { met, matched } = one;
  const former = isCertain(identity) ? formerHolders(met, matched, cis).filter((id) => id !== identity.id) : [];
  const losers = await losing(work, met, former, cis);
  return { met, by: identity.by, planned: await plan(work, met, identity.id, cis), losers };
}

/** Machines that share no text. Two that turn out to be one CI all the same are done one after the other. */
async function reconcileApart(work: Reconciling, hosts: readonly Met[]): Promise<HostOutcome[]> {
  const { cis, all } = await lookUp(work, hosts);
  const outcomes: HostOutcome[] = [];
  const steps: HostStep[] = [];
  const later: Met[] = [];
  const taken = new Set<string>();
  for (const one of all) {
    const identity = await identify(work, one, cis);
    if ('action' in identity) {
      outcomes.push(identity);
      continue;
    }
    const next = await step(work, one, identity, cis);
    const touched = [identity.id, ...next.losers.map(({ result }) => result.ci.id)].filter((id) => id !== null);
    if (touched.some((id) => taken.has(id))) later.push(one.met);
    else {
      for (const id of touched) taken.add(id);
      steps.push(next);
    }
  }
  outcomes.push(...(await execute(work, steps)));
  return later.length === 0 ? outcomes : [...outcomes, ...(await reconcileApart(work, later))];
}

/** Repeats hosts one by one after a concurrent change, with new data, so that a failing host fails alone. */
async function reconcileStubbornly(work: Reconciling, hosts: readonly Met[], attempt = 1): Promise<HostOutcome[]> {
  try {
    return await reconcileApart(work, hosts);
  } catch (error) {
    if (!isConflict(error) && !isOvertaken(error)) throw error;
    const [only] = hosts;
    if (hosts.length === 1 && only && attempt >= ATTEMPTS) return [outcome(only, { reason: error.message })];
    const outcomes: HostOutcome[] = [];
    for (const host of hosts) outcomes.push(...(await reconcileStubbornly(work, [host], attempt + 1)));
    return outcomes;
  }
}

/** Gives each record of a machine the outcome of the machine. */
const outcomesOf = ({ items }: JoinedMachine<HostRecord>, whole: HostOutcome): HostOutcome[] =>
  items.map((one, i) => {
    const isDone = whole.action === 'created' || whole.action === 'updated';
    const action = i > 0 && isDone ? 'unchanged' : whole.action;
    const said = i > 0 && isDone ? { reason: `added to host ${whole.index} of the scan` } : {};
    return outcome(one, { ...whole, ...said, action, index: one.index, ...namesOf(one) });
  });
const namesOf = ({ host }: PlacedHost): Pick<HostOutcome, 'hostname' | 'ipAddress'> => ({
  hostname: host.hostname ?? null,
  ipAddress: host.ipAddress ?? null,
});

const metOf = (machines: readonly JoinedMachine<HostRecord>[]): Met[] => {
  const byName = Map.groupBy(
    machines.flatMap((one) => one.machine.hostname.map((name) => ({ name, one }))),
    ({ name }) => name,
  );
  return machines.map((one) => {
    const { items, host, machine } = one;
    const same = machine.hostname.flatMap((name) => byName.get(name) ?? []).filter((other) => other.one !== one);
    const namesakes = same.flatMap((other) => other.one.machine.ip_address);
    return { index: items[0].index, host, machine, namesakes };
  });
};

/** The result of each host, in the order of the scan. */
export async function reconcileHosts(work: Reconciling, hosts: readonly PlacedHost[]): Promise<HostOutcome[]> {
  const records = hosts.map((one): HostRecord => ({ ...one, machine: machineKeys(one.host) }));
  const machines = withoutSharedNames(joinMachines(records));
  const met = metOf(machines);
  const outcomes: HostOutcome[] = [];
  for (const part of apart(met.map(({ machine }) => machine)))
    outcomes.push(
      ...(await reconcileStubbornly(
        work,
        part.map((place) => itemAt(met, place)),
      )),
    );
  const byIndex = new Map(outcomes.map((one) => [one.index, one]));
  return machines
    .flatMap((machine) => outcomesOf(machine, assertDefined(byIndex.get(machine.items[0].index), 'outcome')))
    .sort((a, b) => a.index - b.index);
}
