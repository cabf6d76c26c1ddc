import type { Ground } from '#features/demo/rules/scene/ground.ts';
import type { Random } from '#features/demo/rules/scene/random.ts';
import { type DemoIncident, play, type Script } from '#features/demo/rules/scene/scene.ts';
import { blockedQueue, busyCloudDatabase, fullDisk, stoppedCloudMachine } from './data.ts';
import { crashedHypervisor, leakingMemory, lostPower, noisyNeighbour, slowStorage } from './metal.ts';
import { failingDns, failingSwitch, flappingLink, silentFirewallChange } from './network.ts';
import { badDeployment, expiredCertificate, failingProvider } from './software.ts';

/** All incidents, in the order of their start. */
const SCRIPTS: readonly (readonly [id: string, script: Script])[] = [
  ['switch', failingSwitch('fra1', 2)],
  ['disk', fullDisk('orders')],
  ['flapping', flappingLink('ams2', 3)],
  ['deployment', badDeployment('pricing', '4.17.0')],
  ['hypervisor', crashedHypervisor('dub3-esx-05')],
  ['provider', failingProvider('payments')],
  ['dns', failingDns('ams2')],
  ['rds', busyCloudDatabase('reporting-db')],
  ['memory', leakingMemory('search')],
  ['queue', blockedQueue('fra1')],
  ['certificate', expiredCertificate('identity')],
  ['power', lostPower('ams2', 'b')],
  ['firewall', silentFirewallChange('dub3')],
  ['azure', stoppedCloudMachine('az-bi-01')],
  ['storage', slowStorage('dub3')],
  ['neighbour', noisyNeighbour('fra1-esx-08')],
];

export interface Span {
  /** ms since the story began. */
  readonly from: number;
  readonly to: number;
}

/** One incident after the other, each somewhere in its share of the span; the end of one often meets the start of the next. */
export const incidentsIn = (ground: Ground, { from, to }: Span, random: Random): DemoIncident[] => {
  const share = (to - from) / SCRIPTS.length;
  return SCRIPTS.map(([id, script], n) => {
    const own = random.fork(`incident/${id}`);
    const at = Math.round(from + (n + own.between(0.05, 0.7)) * share);
    return play(id, at, script({ ground, random: own }), own);
  });
};
