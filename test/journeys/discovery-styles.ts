import { type Style, speaking } from '#test/journeys/cmdb-styles.ts';
import { START, type TestApp } from '#test/setup/test-app.ts';

/** A tenant of its own with this style, with helpers for scanners. */
export const scanning = async (app: TestApp, style: Style, role?: string) => {
  const it = await speaking(app, style, role);
  /** Submits a scan without waiting for it. */
  const submit = (hosts: readonly unknown[], more: object = {}, headers: Readonly<Record<string, string>> = {}) => {
    const said = { scan_type: 'network', scanner_id: 'nmap-1', timestamp: START, ...more };
    return it.send('POST', '/discovery/scan-data', { ...said, data: { discovered_hosts: hosts } }, headers);
  };
  /** Returns the scan with the outcome of its hosts. */
  const scan = async (hosts: readonly unknown[], more?: object) => {
    const given = await submit(hosts, more);
    if (given.status !== 202) throw new Error(`${given.status} ${JSON.stringify(given.body)}`);
    await app.app.idle();
    return (await it.send('GET', `/discovery/scans/${given.data.scan_id}`)).data;
  };
  return { ...it, submit, scan };
};
export type Scanning = Awaited<ReturnType<typeof scanning>>;
