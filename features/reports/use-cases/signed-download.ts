import type { Ports } from '#domain/ports/ports.ts';
import { goneAt, type Report } from '#features/reports/rules/report.ts';

/** Kind of the signed link to a file, and how long it opens it; ms. */
export const DOWNLOAD_PAGE = 'report';
const LINK_MS = 24 * 3_600_000;
const SECOND_MS = 1_000;

export interface SignedDownload {
  readonly url: string;
  readonly expiresAt: number;
}

/** A link that opens the file without any other credential, for a day or until the file is gone. `prefix`: of the style, `/v1`. */
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
