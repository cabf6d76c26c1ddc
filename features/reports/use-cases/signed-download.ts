import type { Ports } from '#domain/ports/ports.ts';
import { goneAt, type Report } from '#features/reports/rules/report.ts';

/** Kind of signed links to files, and their validity; ms. */
export const DOWNLOAD_PAGE = 'report';
const LINK_MS = 24 * 3_600_000;
const SECOND_MS = 1_000;

export interface SignedDownload {
  readonly url: string;
  readonly expiresAt: number;
}

/**
 * Returns a link that opens the file without credentials, for a day or until the file is deleted. `prefix`: public URL
 * and path style, such as `/v1`.
 */
export async function signedDownload(
  { keys, clock }: Pick<Ports, 'keys' | 'clock'>,
  tenant: string,
  report: Report,
  prefix: string,
): Promise<SignedDownload> {
  const now = clock.now();
  const seconds = Math.max(1, Math.floor(Math.min(LINK_MS, goneAt(report) - now) / SECOND_MS));
  const link = await keys.signLink({ page: DOWNLOAD_PAGE, tenant, sub: report.id }, seconds);
  return { url: `${prefix}/reports/${report.id}/download?link=${link}`, expiresAt: now + seconds * SECOND_MS };
}
