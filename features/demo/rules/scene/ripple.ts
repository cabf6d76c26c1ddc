import { agentGone, errorRate, hostDown, instanceDown, probeFails, probeSlow, slowReplies } from './check-problems.ts';
import { carriedBy, machinesOn, usersOf } from './ground.ts';
import { type FaultSighting, type Scene, sees } from './scene.ts';

/* Spread of faults through the company. */

/** An application fails or is slow; its callers notice, then theirs, fewer at each step. */
export const appTrouble = (
  scene: Scene,
  app: string,
  { fails, after = 40, reach = 2 }: { readonly fails: boolean; readonly after?: number; readonly reach?: number },
): FaultSighting[] => {
  const { ground, random } = scene;
  const seen = [sees(fails ? errorRate(app) : slowReplies(app), after, after + 60)];
  if (fails && random.chance(0.6)) seen.push(sees(slowReplies(app), after + 10, after + 90));
  if (reach === 0) return seen;
  for (const caller of usersOf(ground, app)) {
    if (!random.chance(0.85)) continue;
    const worse = fails && random.chance(0.5);
    seen.push(...appTrouble(scene, caller, { fails: worse, after: after + random.between(15, 60), reach: reach - 1 }));
  }
  for (const business of ground.on(app, 'depends_on').filter((name) => ground.named(name).type === 'business_service'))
    seen.push(sees(fails ? probeFails(business) : probeSlow(business), after + 30, after + 150));
  return unique(seen);
};

/** Returns the first sighting of each problem. */
export const unique = (seen: readonly FaultSighting[]): FaultSighting[] => {
  const kept = new Map<string, FaultSighting>();
  for (const one of seen) {
    const { monitor, host, check, labels } = one.complaint;
    const key = [monitor, host, check, labels?.service].join('|');
    if (!kept.has(key)) kept.set(key, one);
  }
  return [...kept.values()];
};

/** Adds problems of unreachable machines, and of the software on them. */
export const machinesGone = (scene: Scene, machines: readonly string[], after = 0): FaultSighting[] => {
  const { ground, random } = scene;
  const seen = machines.map((machine) => sees(agentGone(machine), after + 60, after + 240));
  for (const machine of machines) {
    const [app] = carriedBy(ground, [machine], 'application');
    if (app !== undefined) seen.push(sees(instanceDown(machine, app), after + 30, after + 120));
  }
  for (const app of carriedBy(ground, machines, 'application')) {
    const left = ground.under(app, 'runs_on').filter((machine) => !machines.includes(machine)).length;
    if (left === 0 || random.chance(0.6))
      seen.push(...appTrouble(scene, app, { fails: left === 0 || random.chance(0.4), after: after + 45, reach: 1 }));
  }
  for (const database of carriedBy(ground, machines, 'database').filter((name) => name.endsWith('-primary')))
    for (const app of usersOf(ground, database))
      seen.push(...appTrouble(scene, app, { fails: true, after: after + 30, reach: 1 }));
  return unique(seen);
};

/** A hypervisor without power or a heart: its machines go with it. */
export const hypervisorGone = (scene: Scene, hypervisor: string, after = 0): FaultSighting[] => [
  sees(hostDown(hypervisor), after + 30, after + 100),
  ...machinesGone(scene, machinesOn(scene.ground, hypervisor), after),
];
