import { words } from '#domain/event/identity/known-patterns.ts';

/** Chance that a change of this kind fails, before anything else is known. */
export const PRIORS = {
  restart: 0.05,
  patch: 0.1,
  config: 0.12,
  hardware: 0.15,
  other: 0.15,
  upgrade: 0.18,
  network: 0.2,
  database: 0.22,
  decommission: 0.25,
} as const;
export type ChangeType = keyof typeof PRIORS;
export const CHANGE_TYPES = Object.keys(PRIORS) as readonly ChangeType[];

/** Words of each type, riskier types first, so that a database upgrade counts as a database change. */
const WORDS: readonly (readonly [ChangeType, RegExp])[] = [
  [
    'decommission',
    words('decommission(?:ing)?', 'retire(?:ment)?', 'remov(?:e|al)', 'shut ?down', 'delet(?:e|ion)', 'sunset'),
  ],
  ['database', words('database', 'db', 'schema', 'sql', 'index', 'table ?space', 'data migration')],
  ['network', words('network|switch|router|routing|vlan|firewall|dns|bgp|cabl(?:e|ing)|load ?balancer')],
  ['hardware', words('hardware', 'disks?', 'memory', 'cpu', 'replac(?:e|ement)', 'swap', 'firmware', 'bios')],
  ['restart', words('restart', 'reboot', 'bounce', 'recycle', 'failover')],
  ['patch', words('patch(?:es|ing)?', 'hot ?fix', 'bug ?fix', 'security update')],
  ['config', words('config(?:uration)?', 'settings?', 'parameters?', 'tuning', 'certificates?', 'rules?')],
  [
    'upgrade',
    words('upgrade', 'update', 'version', 'release', 'deploy(?:ment)?', 'roll ?out', 'migration', 'install(?:ation)?'),
  ],
];

const MAX_TEXT = 200;
const plain = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** It is the name of a type, and no free words. */
export const isTypeName = (text: string): boolean => Object.hasOwn(PRIORS, plain(text));

/** The kind that free words name; null when they name none that is known. */
export function changeTypeOf(text: string): ChangeType | null {
  const said = plain(text);
  if (isTypeName(text)) return said as ChangeType;
  return WORDS.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}
