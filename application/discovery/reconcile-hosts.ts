import type { Host } from '#domain/discovery/host.ts';
import { apart, machineKeys } from '#domain/discovery/machine.ts';
import { decide, type KnownCis, type MatchDecision } from '#domain/discovery/match.ts';
import type { Authority } from '#domain/discovery/provenance.ts';
import { found, type HostSighting, reconcile } from '#domain/discovery/reconcile.ts';
import type { HostOutcome, Scan } from '#domain/discovery/scan.ts';
import { Fault, isConflict, isOvertaken } from '#domain/fault.ts';
import { fitsJsonLimit } from '#domain/json-size.ts';
import { itemAt } from '#domain/known.ts';
import { paired } from '#domain/paired.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { MATCH_KEYS, type MachineKeys } from '#domain/topology/match.ts';
import { apply, type PlannedCi } from './apply.ts';
import { standingOf } from './records.ts';
import { askReview, readReview, reviewIdOf } from './review-records.ts';

export interface PlacedHost {
  readonly index: number;
  readonly host: Host;
}
interface Met extends PlacedHost {
  readonly machine: MachineKeys;
}

export interface Reconciling {
  readonly ports: Ports;
  readonly tenant: string;
  readonly scan: Scan;
  readonly authority: Authority;
}

/** Somebody else changes the same CIs: so often they are read again. */
const ATTEMPTS = 3;

const outcome = ({ index, host }: PlacedHost, parts: Partial<HostOutcome>): HostOutcome => ({
  index,
  hostname: host.hostname ?? null,
  ipAddress: host.ipAddress ?? null,
  ...{ action: 'failed', ci: null, by: null, reason: null, review: null },
  ...parts,
});

/** The CI that a person has chosen for a machine that scans cannot tell for sure, else the question. */
async function asked(
  { ports, tenant, scan }: Reconciling,
  met: Met,
  decision: Extract<MatchDecision, { kind: 'unsure' }>,
): Promise<string | HostOutcome> {
  const id = reviewIdOf(ports, met.machine);
  const known = (await readReview(ports, tenant, id))?.body ?? null;
  const chosen = known?.status === 'resolved' ? known.resolution?.ci : null;
  if (chosen && (await ports.topology.getCis(tenant, [chosen])).length > 0) return chosen;
  const { by, reason } = decision;
  if (known?.status === 'dismissed')
    return outcome(met, { action: 'ambiguous', by, reason: `${reason}; dismissed`, review: id });
  await askReview(ports, tenant, { id, decision, host: met.host, scan }, known);
  return outcome(met, { action: 'ambiguous', by, reason, review: id });
}

/** `id`: the CI that the machine is, null for a new one. */
export async function plan(work: Reconciling, met: PlacedHost, id: string | null, cis: KnownCis): Promise<PlannedCi> {
  const { ports, tenant, scan, authority } = work;
  const { scannerId: scanner, seenAt, actor, address, department } = scan;
  const sighting: HostSighting = { host: met.host, scanner, seenAt, at: ports.clock.now() };
  const common = { sighting, place: { scan: scan.id, index: met.index }, asker: { actor, address, department } };
  if (id === null) {
    const result = found(tenant, ports.ids.ulid(), sighting, authority);
    return { ...common, before: null, known: {}, stored: null, result };
  }
  const before = cis.get(id) ?? (await ports.topology.getCis(tenant, [id]))[0];
  if (before === undefined) throw new Fault('conflict', `CI ${id} has gone`);
  const { stored, standing } = await standingOf(ports, before);
  return { ...common, before, known: standing.claims, stored, result: reconcile(standing, sighting, authority) };
}

/** Of a chunk that was begun before a crash: what became of the host then. */
function actionOf({ result, stored, place }: PlannedCi): HostOutcome['action'] {
  const last = stored?.last;
  const isDone = result.action === 'unchanged' && last?.scan === place.scan && last.index === place.index;
  return isDone ? last.action : result.action;
}

const isTooLarge = ({ result }: PlannedCi): boolean =>
  result.action !== 'unchanged' && !fitsJsonLimit(result.ci.attributes);

interface Step {
  readonly met: Met;
  readonly by: HostOutcome['by'];
  readonly planned: PlannedCi;
}

const outcomeOf = ({ met, by, planned }: Step): HostOutcome => {
  const action = actionOf(planned);
  return outcome(met, { action, ci: planned.result.ci.id, by: action === 'created' ? null : by });
};

interface Identity {
  /** Null: nobody knows it. */
  readonly id: string | null;
  readonly by: HostOutcome['by'];
}

/** Which CI it is, or the outcome when that has to be asked. */
async function identify(work: Reconciling, met: Met, decision: MatchDecision): Promise<Identity | HostOutcome> {
  if (decision.kind === 'known') return { id: decision.ci, by: decision.by };
  if (decision.kind === 'new') return { id: null, by: null };
  if (decision.kind === 'unknowable') return outcome(met, { reason: decision.reason });
  const chosen = await asked(work, met, decision);
  return typeof chosen === 'string' ? { id: chosen, by: 'review' } : chosen;
}

async function lookUp({ ports, tenant }: Reconciling, hosts: readonly Met[]) {
  const machines = hosts.map(({ machine }) => machine);
  const matched = await ports.matcher.match(tenant, machines);
  const ids = new Set(matched.flatMap((one) => MATCH_KEYS.flatMap((key) => one[key])));
  const cis: KnownCis = new Map((await ports.topology.getCis(tenant, [...ids])).map((ci) => [ci.id, ci]));
  return { cis, decisions: paired(machines, matched).map(([machine, found]) => decide(machine, found, cis)) };
}

const TOO_LARGE = 'the attributes of the CI would be larger than 64 KiB';

async function execute({ ports, tenant }: Reconciling, steps: readonly Step[]): Promise<HostOutcome[]> {
  const fitting = steps.filter(({ planned }) => !isTooLarge(planned));
  await apply(
    ports,
    tenant,
    fitting.map(({ planned }) => planned),
  );
  return steps.map((step) => (isTooLarge(step.planned) ? outcome(step.met, { reason: TOO_LARGE }) : outcomeOf(step)));
}

/** Machines that share no text. Two that turn out to be one CI all the same are done one after the other. */
async function reconcileApart(work: Reconciling, hosts: readonly Met[]): Promise<HostOutcome[]> {
  const { cis, decisions } = await lookUp(work, hosts);
  const outcomes: HostOutcome[] = [];
  const steps: Step[] = [];
  const later: Met[] = [];
  const taken = new Set<string>();
  for (const [i, met] of hosts.entries()) {
    const identity = await identify(work, met, itemAt(decisions, i));
    if ('action' in identity) outcomes.push(identity);
    else if (identity.id !== null && taken.has(identity.id)) later.push(met);
    else {
      if (identity.id !== null) taken.add(identity.id);
      steps.push({ met, by: identity.by, planned: await plan(work, met, identity.id, cis) });
    }
  }
  outcomes.push(...(await execute(work, steps)));
  return later.length === 0 ? outcomes : [...outcomes, ...(await reconcileApart(work, later))];
}

/** Somebody else changed a CI meanwhile: each host alone, read anew, so that one that goes on failing fails by itself. */
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

/** The result of each host, in the order of the scan. */
export async function reconcileHosts(work: Reconciling, hosts: readonly PlacedHost[]): Promise<HostOutcome[]> {
  const met = hosts.map((one) => ({ ...one, machine: machineKeys(one.host) }));
  const outcomes: HostOutcome[] = [];
  for (const part of apart(met.map(({ machine }) => machine)))
    outcomes.push(
      ...(await reconcileStubbornly(
        work,
        part.map((place) => itemAt(met, place)),
      )),
    );
  return outcomes.sort((a, b) => a.index - b.index);
}
