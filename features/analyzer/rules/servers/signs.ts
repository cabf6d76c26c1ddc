import { firstItem } from '#domain/known.ts';
import { softwareNamed, softwareSeen } from '#features/analyzer/rules/catalogue/look-up.ts';
import { ROLES, roleWords, type ServerRole, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import type { Software } from '#features/analyzer/rules/catalogue/software.ts';
import { roleWordsIn } from './role-words.ts';
import type { RunningProcess, Server } from './server.ts';
import { rolesOnPort, type Traffic } from './traffic.ts';

/** Something that speaks for a role, or against it; `weight` in units of log-odds. */
export interface Sign {
  readonly role: ServerRole;
  readonly weight: number;
  readonly reason: string;
}

/** The largest weight of a sign of each kind; of several of one kind for the same role the heaviest counts. */
const WEIGHTS = { process: 2, runtime: 1, port: 1, installed: 1, word: 1, type: 1, traffic: 1 } as const;

/** Signs of software, shared out among the roles that it may have. */
function signsOf(found: readonly Software[], weight: number, reason: string): Sign[] {
  const roles = found.flatMap(({ role }) => (role === 'agent' ? [] : [role]));
  return [...new Set(roles)].map((role) => {
    const share = roles.filter((one) => one === role).length / found.length;
    const isRuntime = role === 'runtime';
    const most = isRuntime ? Math.min(weight, WEIGHTS.runtime) : weight;
    return { role: isRuntime ? 'application-server' : role, weight: most * share, reason };
  });
}

function processSigns({ name, port }: RunningProcess): Sign[] {
  const { found, isByPort } = softwareSeen({ process: name, port });
  const [only] = found.length === 1 ? found : [];
  const what = only === undefined ? '' : ` (${only.name})`;
  const where = port === null ? '' : ` on port ${port}`;
  const reason = name === null ? `listens${where}${what}` : `runs ${name}${where}${what}`;
  return signsOf(found, isByPort ? WEIGHTS.port : WEIGHTS.process, reason);
}

const softwareSigns = (name: string): Sign[] => {
  const software = softwareNamed(name);
  return software === null ? [] : signsOf([software], WEIGHTS.installed, `has ${software.name} installed`);
};

const wordSigns = (text: string, weight: number, where: string): Sign[] => {
  const found = roleWordsIn(text);
  return found.map(({ role, word }) => ({ role, weight: weight / found.length, reason: `${where} has “${word}”` }));
};

/** The host name without its domain; an address has no words. */
const ownName = (hostname: string): string => (/^[\d.:]+$/.test(hostname) ? '' : firstItem(hostname.split('.')));

/** So many machines that one server asks the same agent on are an estate. */
const MANY = 5;
/** Use by the callers of an agent. */
const CALLERS: Readonly<Record<string, ServerRole>> = {
  'node-exporter': 'monitoring',
  'zabbix-agent': 'monitoring',
  nrpe: 'monitoring',
  'snmp-agent': 'monitoring',
  'bacula-client': 'backup',
  openssh: 'delivery',
  winrm: 'delivery',
};

function agentSigns({ agents }: Traffic): Sign[] {
  return [...agents].flatMap(([agent, targets]) => {
    const role = CALLERS[agent];
    if (role === undefined || targets < MANY) return [];
    return [{ role, weight: WEIGHTS.traffic, reason: `connects to agents on ${targets} machines` }];
  });
}

function callSigns({ calls, calledOn, isCalledFromOutsideOnly }: Traffic): Sign[] {
  const signs: Sign[] = [];
  const reason = (tier: Tier): string => `connects to ports of the ${tier} tier`;
  if (calls.has('data')) signs.push({ role: 'application-server', weight: WEIGHTS.traffic, reason: reason('data') });
  if (calls.has('application') && !calls.has('data'))
    signs.push({ role: 'web-server', weight: WEIGHTS.traffic, reason: reason('application') });
  if (isCalledFromOutsideOnly && (calledOn.has(443) || calledOn.has(80)))
    signs.push({
      role: 'web-server',
      weight: WEIGHTS.traffic,
      reason: 'is called from outside only, on a port of the web',
    });
  return signs;
}

function calledSigns({ calledOn }: Traffic): Sign[] {
  return [...calledOn].flatMap(([port, callers]) => {
    const by = callers === 1 ? 'one machine connects' : `${callers} machines connect`;
    return [...rolesOnPort(port)].map(([role, share]) => ({
      role,
      weight: WEIGHTS.traffic * share,
      reason: `${by} to it on port ${port}`,
    }));
  });
}

const isData = (role: ServerRole): boolean => ROLES[role] === 'data';

/** A server that asks for data and is asked for none holds a store for itself at most. */
function againstData(traffic: Traffic, signs: readonly Sign[]): Sign[] {
  if (!traffic.calls.has('data')) return [];
  if ([...traffic.calledOn.keys()].some((port) => [...rolesOnPort(port).keys()].some(isData))) return [];
  const roles = new Set(signs.map(({ role }) => role).filter(isData));
  return [...roles].map((role) => ({
    role,
    weight: -WEIGHTS.traffic,
    reason: `connects to stores of others, and no other connects to its ${roleWords(role)}`,
  }));
}

/** The weightiest for each role. */
function strongest(signs: readonly Sign[]): Sign[] {
  const best = new Map<ServerRole, Sign>();
  for (const sign of signs) if (sign.weight > (best.get(sign.role)?.weight ?? 0)) best.set(sign.role, sign);
  return [...best.values()];
}

/** All that speaks for and against roles of a server: one sign of each kind and role. */
export function signsFor({ hostname, type, software, processes }: Server, traffic: Traffic): Sign[] {
  const signs = [
    ...strongest([...processes.flatMap(processSigns), ...software.flatMap(softwareSigns)]),
    ...strongest(wordSigns(ownName(hostname), WEIGHTS.word, 'its name')),
    ...strongest(type === null ? [] : wordSigns(type, WEIGHTS.type, 'its type')),
    ...strongest([...callSigns(traffic), ...calledSigns(traffic), ...agentSigns(traffic)]),
  ];
  return [...signs, ...againstData(traffic, signs)];
}
