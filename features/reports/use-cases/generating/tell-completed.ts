import { known } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { goneAt, type Report } from '#features/reports/rules/report.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';
import { signedDownload } from '#features/reports/use-cases/signed-download.ts';
import { outgoingRecord } from '#features/webhooks/use-cases/sources/outgoing-records.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { iso } from '#schemas/http/time.ts';

interface Told {
  readonly outcome: Report['delivery']['outcome'];
  /** To be kept along with the report. */
  readonly told: readonly SideRecord[];
}

/** The link is for those only to whom the report is to be delivered. */
async function toldData(ports: Ports, tenant: string, report: Report, publicUrl: string) {
  const { id, template, format, delivery, completedAt, by, file, category } = report;
  const link = delivery.method === 'webhook' ? await signedDownload(ports, tenant, report, `${publicUrl}/v1`) : null;
  return {
    report: {
      report_id: id,
      template,
      name: TEMPLATES[template].name,
      status: 'completed',
      format,
      category,
      completed_at: iso(known(completedAt, 'end of the report')),
      expires_at: iso(goneAt(report)),
      size_bytes: file?.bytes ?? 0,
      requested_by: by.name,
      recipients: delivery.recipients,
      status_url: `${publicUrl}/v1/reports/${id}/status`,
      ...(link && { download_url: link.url, link_expires_at: iso(link.expiresAt) }),
    },
  };
}

/** The result of the delivery, and a happening for webhooks: every completed report. */
export async function tellCompleted(ports: Ports, tenant: string, report: Report, publicUrl: string): Promise<Told> {
  const { id, delivery, completedAt } = report;
  const wanted = await isWanted(ports, tenant, 'report.completed');
  const data = wanted ? await toldData(ports, tenant, report, publicUrl) : null;
  const about = {
    kind: 'report.completed',
    resource: { kind: 'report', id },
    sequence: 1,
    at: known(completedAt, 'end of the report'),
  } as const;
  const told = data === null ? [] : [outgoingRecord(ports, tenant, [{ ...about, data }])];
  if (delivery.method === 'webhook') return { outcome: wanted ? 'queued' : 'no_subscriber', told };
  return { outcome: delivery.method === 'email' ? 'not_configured' : 'ready', told };
}
