import { firstItem } from '#domain/assert.ts';
import {
  appAlert,
  hostBehind,
  hostDown,
  nagiosCheck,
  probeSlow,
  slowReplies,
  zabbixTrigger,
} from '#features/demo/rules/scene/check-problems.ts';
import { hypervisorsBehind, machinesOn, usersOf } from '#features/demo/rules/scene/ground.ts';
import { appTrouble, machinesGone, unique } from '#features/demo/rules/scene/ripple.ts';
import { type Script, sees } from '#features/demo/rules/scene/scene.ts';

const accessSwitch = (site: string, rack: number) => `${site}-acc-${String(rack).padStart(2, '0')}`;

/** A top-of-rack switch dies; everything in the rack is cut off. */
export const failingSwitch =
  (site: string, rack: number): Script =>
  (scene) => {
    const { ground } = scene;
    const access = accessSwitch(site, rack);
    const behind = hypervisorsBehind(ground, access);
    const cores = ground.under(access, 'network_connection');
    return {
      title: `access switch ${access} fails`,
      cause: sees(hostDown(access), 20, 70),
      symptoms: [
        ...cores.map((core) =>
          sees(
            nagiosCheck(core, `Port-channel${rack}`, `CRITICAL - Interface Port-channel${rack} is down`, 'critical'),
            5,
            60,
          ),
        ),
        ...behind.map((hypervisor) => sees(hostBehind(hypervisor), 40, 180)),
        ...machinesGone(
          scene,
          behind.flatMap((hypervisor) => machinesOn(ground, hypervisor)),
        ),
      ],
      minutes: 24,
    };
  };

/** A bad transceiver: the link of a rack fails and recovers repeatedly, packets are lost in between. */
export const flappingLink =
  (site: string, rack: number): Script =>
  ({ ground, random }) => {
    const access = accessSwitch(site, rack);
    const behind = hypervisorsBehind(ground, access);
    const machines = random.some(
      behind.flatMap((hypervisor) => machinesOn(ground, hypervisor)),
      5,
    );
    const flapping = {
      ...nagiosCheck(access, 'Te1/1/1 uplink', 'Interface Te1/1/1 is flapping', 'major'),
      labels: { flapping: 'yes' },
    };
    return {
      title: `uplink of ${access} is flapping`,
      cause: { ...sees(flapping, 10, 60), flaps: 4 },
      symptoms: [
        ...behind.map((hypervisor) => ({
          ...sees(
            nagiosCheck(hypervisor, 'PING', 'PING WARNING - Packet loss = 40%, RTA = 84.11 ms', 'warning'),
            30,
            150,
          ),
          flaps: 2,
        })),
        ...machines.map((machine) => sees(zabbixTrigger(machine, 'High ICMP ping loss', 'warning'), 60, 300)),
      ],
      minutes: 26,
    };
  };

/** The resolver of a site stops answering; many see it before the monitor of the resolver does. */
export const failingDns =
  (site: string): Script =>
  (scene) => {
    const { ground, random } = scene;
    const resolver = `dns-${site}`;
    const machine = firstItem(ground.under(resolver, 'runs_on'));
    const apps = random.some(usersOf(ground, resolver), 6);
    return {
      title: `DNS of ${site} does not answer`,
      cause: sees(zabbixTrigger(machine, 'DNS service is not responding', 'major'), 60, 140),
      symptoms: unique(
        apps.flatMap((app, at) => [
          sees(appAlert(app, 'UpstreamLookupFailed', `${app} could not resolve upstream host names`, 'major'), 15, 120),
          ...(at < 3 ? appTrouble(scene, app, { fails: at < 2, after: 50, reach: 1 }) : []),
        ]),
      ),
      minutes: 18,
    };
  };

/** A rule was changed manually; no monitor watches rules. */
export const silentFirewallChange =
  (site: string): Script =>
  ({ ground }) => {
    const apps = ground.ofType('application', site).map(({ name }) => name);
    const abroad = apps.filter((app) =>
      ground.under(app, 'depends_on').some((callee) => ground.named(callee).site !== site),
    );
    return {
      title: `firewall of ${site} drops traffic to other sites (unannounced)`,
      cause: null,
      symptoms: abroad.flatMap((app) => [
        sees(appAlert(app, 'UpstreamTimeouts', `Requests of ${app} to upstream services time out`, 'major'), 20, 120),
        sees(slowReplies(app), 40, 180),
        ...ground
          .on(app, 'depends_on')
          .filter((name) => ground.named(name).type === 'business_service')
          .map((name) => sees(probeSlow(name), 60, 240)),
      ]),
      minutes: 22,
    };
  };
