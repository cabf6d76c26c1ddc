/** How fast files of CIs and relationships are taken in, over HTTP, into a tenant that has many already. */
import { TENANT } from './cmdb-infrastructure.ts';
import type { Row } from './report.ts';
import { TOKEN } from './token.ts';

const CIS = 50_000;
const RELATIONSHIPS_PER_CI = 3;

const ciFile = (cis: number): string => {
  const lines = ['external_key,name,type,description,attributes.hostname,attributes.ip_address,attributes.cpu_cores'];
  for (let n = 0; n < cis; n++) {
    const address = `10.${200 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
    lines.push(`file-${n},file-${n}.example.net,server,Server ${n},file-${n}.example.net,${address},8`);
  }
  return lines.join('\n');
};

const relationshipFile = (cis: number): string => {
  const lines = ['type,source_ci,target_ci,attributes.port'];
  for (let n = 0; n < cis; n++)
    for (let k = 1; k <= RELATIONSHIPS_PER_CI; k++)
      lines.push(`depends_on,file-${n},file-${(n * 7 + k * 13 + 1) % cis},5432`);
  return lines.join('\n');
};

interface Report {
  readonly total: number;
  readonly created: number;
}

const taken = async (url: string, kind: string, body: string): Promise<Row> => {
  const began = performance.now();
  const response = await fetch(`${url}/v1/cmdb/import/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'x-tenant-id': TENANT, 'content-type': 'text/csv' },
    body,
  });
  const { total, created } = (await response.json()) as Report;
  const seconds = (performance.now() - began) / 1_000;
  if (response.status !== 200 || created < total * 0.9)
    throw new Error(`the import of ${kind} answered ${response.status}: ${created} of ${total} rows created`);
  return {
    what: `import of ${kind === 'ci' ? 'CIs' : kind}`,
    value: total / seconds,
    unit: 'rows/s',
    note: `${total.toLocaleString('en')} rows`,
  };
};

export const importRates = async (url: string, scale: number): Promise<Row[]> => {
  const cis = CIS * scale;
  return [await taken(url, 'ci', ciFile(cis)), await taken(url, 'relationships', relationshipFile(cis))];
};
