/** Host names that many machines have: from a pool of addresses, or as a vendor sets them. */
import { firstItem } from '#domain/assert.ts';

/** Names that devices and installers begin with. */
const DEFAULTS: ReadonlySet<string> = new Set(
  [
    'alpine amnesiac archlinux buildroot centos changeme ciscoasa clone coreos desktop diskstation edgerouter fedora',
    'firewall freebsd freenas gateway host hostname hp kali laptop mikrotik modem my-pc mypc nas new-host newhost',
    'no-name noname openwrt opensuse opnsense oracle pc pfsense printer procurve rhel rocky router server suse switch',
    'synology template truenas ubnt unassigned unifi unnamed unused user user-pc vagrant vm vyos windows workstation',
  ]
    .join(' ')
    .split(' '),
);
/** Routers number the second device of this type: `iphone-2`. */
const DEVICES =
  /^(?:android|espressif|galaxy|ipad|iphone|macbook(?:-?(?:air|pro))?|raspberry(?:pi)?|sonos|tasmota)(?:-\d{1,2})?$/;
/** Domains that every small network has. */
const LOCAL = /\.(?:local|lan|home|home\.arpa|localdomain|internal|intranet|private|fritz\.box|box|workgroup)$/;
/** Labels of a pool, without a number of their own. */
const POOL =
  /^(?:adsl|cable|cust|customer|dhcp|dialup|dsl|dyn|dynamic|guest|no-?ptr|no-?rdns|pool|ppp|rev|reverse|unassigned)$/;
/** The same with the last parts of the address behind them: `dhcp-5`, `pool0-5`. */
const NUMBERED =
  /^(?:adsl|cable|client|cust|customer|dhcp|dialup|dsl|dyn|dynamic|guest|pool|ppp|rev|static|wifi)[-_]?(\d{1,3}(?:[-_]\d{1,3}){0,2})$/;

/** The four numbers of an address in either order, as names write them. */
const decimals = (address: string): string[] => {
  const parts = address.split('.');
  if (parts.length !== 4) return [];
  return [parts, parts.toReversed()].flatMap((order) => {
    const padded = order.map((part) => part.padStart(3, '0'));
    return [order.join('-'), order.join('.'), order.join('_'), padded.join('-'), padded.join('')];
  });
};
const hexadecimals = (address: string): string[] => {
  if (address.includes(':')) return [address.replaceAll(':', '-')];
  return [
    address
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join(''),
  ];
};

/** True if the name contains the text as a whole part. */
const stands = (name: string, text: string, inside: RegExp): boolean => {
  const at = name.indexOf(text);
  return at >= 0 && !inside.test(name[at - 1] ?? '') && !inside.test(name[at + text.length] ?? '');
};

/** True if the name only repeats an address: `dhcp-10-0-0-5.example.net`, `ip-10-0-0-5`, `pool5` of 10.0.0.5. */
export const isNameOfAddress = (name: string, addresses: readonly string[]): boolean => {
  const label = firstItem(name.split('.', 1));
  if (POOL.test(label)) return true;
  const tail = NUMBERED.exec(label)?.[1]?.replaceAll('_', '-');
  return addresses.some(
    (address) =>
      (tail !== undefined && `-${address.replaceAll('.', '-')}`.endsWith(`-${tail}`)) ||
      decimals(address).some((text) => stands(name, text, /\d/)) ||
      hexadecimals(address).some((text) => stands(name, text, /[\da-f]/)),
  );
};

/** True for a factory default name; with its own domain it is a real one. */
export const isDefaultName = (name: string): boolean => {
  const label = firstItem(name.split('.', 1));
  return (DEFAULTS.has(label) || DEVICES.test(label)) && (!name.includes('.') || LOCAL.test(name));
};

/** Names that every machine may have. */
const NO_NAME =
  /^(localhost\d?(\..*)?|ip6-(localhost|loopback)|broadcasthost|localdomain|unknown|none|n\/a|null|\(none\)|-|undefined|default|linux|ubuntu|debian)$/;
export const isNameOfAll = (name: string): boolean => NO_NAME.test(name);
