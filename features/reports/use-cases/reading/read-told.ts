import { aiUsage } from '#features/reports/rules/templates/ai-usage.ts';
import type { TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import { changeRisk } from '#features/reports/rules/templates/change-risk.ts';
import { ciInventory } from '#features/reports/rules/templates/ci-inventory.ts';
import { correlationQuality } from '#features/reports/rules/templates/correlation-quality.ts';
import { eventSummary } from '#features/reports/rules/templates/event-summary.ts';
import { incidentReview } from '#features/reports/rules/templates/incident-review.ts';
import { serviceHealth } from '#features/reports/rules/templates/service-health.ts';
import type { ReportBody, Template } from '#features/reports/rules/templates/template.ts';
import { readChangeRisk } from './read-changes.ts';
import { readEventSummary } from './read-events.ts';
import { readIncidentReview } from './read-incidents.ts';
import { readCiInventory } from './read-inventory.ts';
import { readCorrelationQuality } from './read-quality.ts';
import { readServiceHealth } from './read-services.ts';
import { readAiUsage } from './read-usage-report.ts';
import type { ReportReading } from './reading.ts';

type Make = (reading: ReportReading) => Promise<ReportBody>;

const making =
  <Read>(read: (reading: ReportReading) => Promise<Read>, template: Template<Read>): Make =>
  async (reading) =>
    template(await read(reading), reading.chosen);

/** The reads of each template, and its report. */
const MADE: Readonly<Record<TemplateId, Make>> = {
  'ci-inventory': making(readCiInventory, ciInventory),
  'event-summary': making(readEventSummary, eventSummary),
  'incident-review': making(readIncidentReview, incidentReview),
  'service-health': making(readServiceHealth, serviceHealth),
  'correlation-quality': making(readCorrelationQuality, correlationQuality),
  'change-risk': making(readChangeRisk, changeRisk),
  'ai-usage': making(readAiUsage, aiUsage),
};

export const readTold = (template: TemplateId, reading: ReportReading): Promise<ReportBody> => MADE[template](reading);
