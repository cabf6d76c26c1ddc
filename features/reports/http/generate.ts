import { onBothLinked } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import type { Report } from '#features/reports/rules/report.ts';
import { deliveryBody, GenerateReport, ReportStarted, statusUrl } from '#features/reports/schemas/reports.ts';
import { estimatedAt } from '#features/reports/use-cases/generating/estimate.ts';
import { type ReportAsked, startReport } from '#features/reports/use-cases/generating/start-report.ts';
import { iso } from '#schemas/http/time.ts';
import { prefixOf, reporting } from './common.ts';

interface Started {
  readonly report: Report;
  readonly estimatedAt: number;
}

const present =
  (style: '/v1' | '/api') =>
  ({ report, estimatedAt: at }: Started, context: Context) => ({
    status: 202,
    headers: { Location: statusUrl(style, report) },
    body: {
      report_id: report.id,
      status: report.status,
      estimated_completion: iso(at),
      status_url: statusUrl(prefixOf(style, context), report),
      delivery: deliveryBody(report),
    },
  });

export const generateReport = endpoint<ReportAsked, Started>({
  ...reporting,
  id: 'reports.generate',
  summary: 'Generate a report',
  description:
    'Generated in the background. GET /reports/templates lists templates, parameters and required permissions. Up to 100 queued and 500 stored reports per tenant; stored for 7 days.',
  permission: 'reports.write',
  alsoFaults: ['rate-limited'],
  mounts: onBothLinked.post(
    '/reports/generate',
    ReportStarted,
    {
      body: GenerateReport,
      status: 202,
      replyHeaders: ['Location'],
      read: ({ body }): ReportAsked => ({
        template: body.template_id,
        parameters: body.parameters,
        format: body.format,
        delivery: body.delivery,
        shared: body.shared,
        category: body.category ?? null,
      }),
    },
    present,
  ),
  async handle(input, context) {
    const report = await startReport(context, input);
    return { report, estimatedAt: await estimatedAt(context, report) };
  },
});
