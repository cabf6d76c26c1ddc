import { statSync } from 'node:fs';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import { openProgress } from '#cli/terminal/progress.ts';
import { clip, count, type Screen, tableOf } from '#cli/terminal/screen.ts';
import { slices } from '#domain/slices.ts';
import type { ScanDetail, ScanSummary } from '#features/discovery/schemas/discovery-view.ts';
import { pause } from '#infra/wait.ts';
import { ansibleHosts } from './scans/ansible.ts';
import { nmapHosts } from './scans/nmap.ts';
import type { ScannedHost, ScannedHosts } from './scans/scanned-host.ts';

/** Files of scanners, and how their hosts are read. */
export const SCANNERS = ['nmap', 'ansible'] as const;
export type Scanner = (typeof SCANNERS)[number];

type ScanReply = ReplyOf<typeof ScanSummary>;

const READ: Readonly<Record<Scanner, (path: string) => Promise<ScannedHosts>>> = {
  nmap: nmapHosts,
  ansible: async (path) => ansibleHosts(path),
};
const SCAN_TYPES: Readonly<Record<Scanner, string>> = { nmap: 'network', ansible: 'facts' };

/** Hosts per request: each is a scan of its own, well below the bound of a body. */
const PART_HOSTS = 5_000;
/** Left-out files and hosts of a dry run shown to a person. */
const SHOWN = 20;
const POLL_MS = 500;
const MAX_POLLS = 600;

export interface ScanOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly scanner?: string;
}

/** The scans of one file together. */
interface Total {
  readonly dry_run: boolean;
  readonly hosts: number;
  readonly scans: readonly ScanReply[];
  readonly skipped: readonly string[];
  /** Content of a dry run. */
  readonly would_send: readonly ScannedHost[];
}

/** Waits until the server has processed the scan; returns after some minutes at the latest. */
async function finished(client: Client, scan: ScanReply): Promise<ScanReply> {
  let now = scan;
  for (let polls = 0; now.status === 'running' && polls < MAX_POLLS; polls++) {
    await pause(POLL_MS);
    now = await client.get<ReplyOf<typeof ScanDetail>>(`/v1/discovery/scans/${scan.scan_id}?limit=1`);
  }
  return now;
}

async function submitted(
  client: Client,
  screen: Screen,
  { hosts, timestamp }: ScannedHosts,
  { scan_type, scanner_id }: { readonly scan_type: string; readonly scanner_id: string },
): Promise<ScanReply[]> {
  const progress = openProgress(screen, 'hosts sent', hosts.length);
  const scans: ScanReply[] = [];
  try {
    for (const discovered_hosts of slices(hosts, PART_HOSTS)) {
      const body = { scan_type, scanner_id, ...(timestamp && { timestamp }), data: { discovered_hosts } };
      scans.push(await client.post<ScanReply>('/v1/discovery/scan-data', body));
      progress.step(discovered_hosts.length);
    }
  } finally {
    progress.done();
  }
  const ended: ScanReply[] = [];
  for (const scan of scans) ended.push(await finished(client, scan));
  return ended;
}

const ACTIONS = ['created', 'updated', 'unchanged', 'ambiguous', 'failed'] as const;

const skippedText = (skipped: readonly string[]): string[] =>
  skipped.slice(0, SHOWN).map((text) => `Skipped: ${clip(text, 160)}`);

const totalText = ({ dry_run, hosts, scans, skipped, would_send }: Total): string => {
  if (dry_run) {
    const rows = would_send
      .slice(0, SHOWN)
      .map(({ hostname, fqdn, ip_address, open_ports = [] }) => [
        clip(hostname ?? fqdn ?? '', 60),
        ip_address ?? '',
        clip(open_ports.join(' '), 60),
      ]);
    const table = tableOf(['host', 'IP address', 'open ports'], rows);
    return [`${count(hosts)} hosts would be sent.`, table, ...skippedText(skipped)].join('\n');
  }
  const sum = (action: (typeof ACTIONS)[number]): number => scans.reduce((n, scan) => n + scan[action], 0);
  const counts = tableOf(
    ['result', { title: 'hosts', right: true }],
    ACTIONS.map((action) => [action, count(sum(action))]),
  );
  const running = scans.filter(({ status }) => status === 'running').length;
  const ids = scans.map(({ scan_id }) => scan_id).join(', ');
  const more = running > 0 ? [`${running} scans are still being processed.`] : [];
  const where = `Result per host: GET /v1/discovery/scans/{scan_id} (${clip(ids, 120)})`;
  return [counts, ...more, where, ...skippedText(skipped)].join('\n');
};

const requireReadable = (path: string): void => {
  try {
    statSync(path);
  } catch {
    throw new CliError(`${path} can't be read`);
  }
};

/** Converts the file on this side; the server gets scan data and reconciles it as that of any scanner. */
export async function importScan(screen: Screen, kind: Scanner, path: string, options: ScanOptions): Promise<void> {
  requireReadable(path);
  const found = await READ[kind](path);
  if (found.hosts.length === 0) throw new CliError(`${path} has no hosts that are up`);
  const quiet: Screen = options.json ? { print: () => {}, isTerminal: false } : screen;
  const about = { scan_type: SCAN_TYPES[kind], scanner_id: options.scanner ?? kind };
  const dryRun = options.dryRun ?? false;
  const scans = dryRun ? [] : await submitted(clientOf(options), quiet, found, about);
  const total: Total = {
    dry_run: dryRun,
    hosts: found.hosts.length,
    scans,
    skipped: found.skipped,
    would_send: dryRun ? found.hosts : [],
  };
  show(screen, options, total, totalText);
}
