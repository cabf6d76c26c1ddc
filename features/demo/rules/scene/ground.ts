import type { DemoCi, DemoInfrastructure } from './infrastructure.ts';

/** True dependencies of the infrastructure, recorded in the CMDB or not: faults spread along them. */
export interface Ground {
  named(name: string): DemoCi;
  ofType(type: string, site?: string): readonly DemoCi[];
  /** Returns names that depend on `target` directly, over links of these types. */
  on(target: string, ...types: readonly string[]): readonly string[];
  /** Returns names that `source` depends on directly, over links of these types. */
  under(source: string, ...types: readonly string[]): readonly string[];
}

export const groundOf = ({ cis, links }: DemoInfrastructure): Ground => {
  const byName = new Map(cis.map((ci) => [ci.name, ci]));
  return {
    named(name) {
      const ci = byName.get(name);
      if (!ci) throw new RangeError(`unknown CI ${name}`);
      return ci;
    },
    ofType: (type, site) => cis.filter((ci) => ci.type === type && (site === undefined || ci.site === site)),
    on: (target, ...types) =>
      links.filter((link) => link.target === target && types.includes(link.type)).map(({ source }) => source),
    under: (source, ...types) =>
      links.filter((link) => link.source === source && types.includes(link.type)).map(({ target }) => target),
  };
};

const CARRIES = ['runs_on', 'hosted_on'];

export const machinesOn = (ground: Ground, hypervisor: string): readonly string[] => ground.on(hypervisor, 'hosted_on');

/** Applications and databases that run on any of these machines. */
export const carriedBy = (ground: Ground, machines: readonly string[], type: string): readonly string[] => [
  ...new Set(
    machines.flatMap((machine) => ground.on(machine, ...CARRIES)).filter((name) => ground.named(name).type === type),
  ),
];

/** Applications that call, read from or write to the thing. */
export const usersOf = (ground: Ground, name: string): readonly string[] => [
  ...new Set(
    ground
      .on(name, 'depends_on', 'database_connection', 'uses')
      .filter((user) => ground.named(user).type === 'application'),
  ),
];

/** Databases of applications that run on these machines are slow or gone with them. */
export const hypervisorsBehind = (ground: Ground, access: string): readonly string[] =>
  ground.on(access, 'network_connection').filter((name) => ground.named(name).type === 'hypervisor');
