import type { StoredTaskTurn } from '#application/tasks/task.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { assertDefined } from '#domain/assert.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { QueryAsking } from '#features/questions/use-cases/queries/asking.ts';
import type { ReportDocument } from '#features/reports/rules/document/document.ts';
import { goneAt, type Report, type ReportFile } from '#features/reports/rules/report.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';
import { scopeOf } from '#features/reports/rules/templates/said.ts';
import { readTold } from '#features/reports/use-cases/reading/read-told.ts';
import { dropFile, storeFile } from '#features/reports/use-cases/report-file.ts';
import { putReport } from '#features/reports/use-cases/report-records.ts';
import { signedDownload } from '#features/reports/use-cases/signed-download.ts';
import type { DeliveredReportFormat } from '#features/webhooks/schemas/delivery-bodies.ts';
import { DELIVER } from '#features/webhooks/use-cases/delivery/records.ts';
import { outgoingRecord } from '#features/webhooks/use-cases/sources/outgoing-records.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { iso } from '#schemas/http/time.ts';

/** Acts as the requesting user, with the permissions of the report, which were checked at the request. */
const askingFor = (ports: Ports, tenant: string, { by, template, chosen, requestedAt }: Report): QueryAsking => ({
  tenant,
  ports,
  receivedAt: requestedAt,
  zone: chosen.zone,
  caller: {
    ...by,
    tenant,
    kind: 'api_key',
    role: null,
    credentialId: `report ${by.id}`,
    // Names in filters were checked against the permissions of the requesting user.
    permissions: new Set([...TEMPLATES[template].needs, 'events.read', 'cmdb.read', 'services.read']),
    limits: { tenant: {}, token: {} },
  },
});

async function tenantTitle(ports: Ports, tenant: string): Promise<string> {
  const name = (await ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant))?.body.name;
  return name === undefined || name === tenant ? tenant : `${name} (${tenant})`;
}

/** Reads the data of a report. Throws Fault `unavailable` if `signal` is aborted. */
async function makeDocument(
  ports: Ports,
  tenant: string,
  report: Report,
  signal: AbortSignal,
): Promise<ReportDocument> {
  const { template, chosen, by } = report;
  const told = await readTold(template, { asking: askingFor(ports, tenant, report), chosen, signal });
  return {
    template,
    title: TEMPLATES[template].name,
    cover: {
      tenant: await tenantTitle(ports, tenant),
      scope: scopeOf(chosen),
      range: chosen.range,
      madeAt: ports.clock.now(),
      by: by.name,
      zone: chosen.zone,
    },
    ...told,
  };
}

interface Notices {
  readonly outcome: Report['delivery']['outcome'];
  /** Records stored with the report. */
  readonly told: readonly SideRecord[];
}

interface WrittenReport extends Pick<ReportDocument, 'summary'> {
  readonly bytes: Uint8Array;
}

/** Maximum size of inline content: delivery bodies have at most 20 KB. */
const MAX_CONTENT = 12_000;
const contentOf = ({ format }: Report, { bytes }: WrittenReport) =>
  format === 'md' && bytes.length <= MAX_CONTENT ? { content: Buffer.from(bytes).toString('utf8') } : {};

/** Includes link and content only if the report is delivered by webhook. */
async function toldData(ports: Ports, tenant: string, report: Report, publicUrl: string, written: WrittenReport) {
  const { id, template, format, delivery, completedAt, by, file, category } = report;
  const link = delivery.method === 'webhook' ? await signedDownload(ports, tenant, report, `${publicUrl}/v1`) : null;
  return {
    report: {
      report_id: id,
      template,
      name: TEMPLATES[template].name,
      status: 'completed',
      format: format satisfies DeliveredReportFormat,
      category,
      completed_at: iso(assertDefined(completedAt, 'end of the report')),
      expires_at: iso(goneAt(report)),
      size_bytes: file?.bytes ?? 0,
      requested_by: by.name,
      recipients: delivery.recipients,
      status_url: `${publicUrl}/v1/reports/${id}/status`,
      ...(link && {
        download_url: link.url,
        link_expires_at: iso(link.expiresAt),
        summary: [...written.summary],
        ...contentOf(report, written),
      }),
    },
  };
}

/** Mails the link to every recipient, each on its own; one that is refused leaves the others alone. */
async function mailReport(
  ports: Ports,
  tenant: string,
  report: Report,
  publicUrl: string,
  { summary }: WrittenReport,
): Promise<Notices['outcome']> {
  if (!ports.mailer.isOn) return 'not_configured';
  const link = await signedDownload(ports, tenant, report, `${publicUrl}/v1`);
  const { name } = TEMPLATES[report.template];
  const where = `Download (${report.format}, until ${iso(link.expiresAt)}):\n${link.url}`;
  const mail = { subject: `[Faultline] ${name}`, text: [...summary, where].join('\n\n') };
  const sent = await Promise.allSettled(report.delivery.recipients.map((to) => ports.mailer.send({ to, ...mail })));
  return sent.every(({ status }) => status === 'fulfilled') ? 'sent' : 'not_sent';
}

/** Returns the delivery outcome, and the notification of webhooks about every completed report. */
async function tellCompleted(
  ports: Ports,
  tenant: string,
  report: Report,
  publicUrl: string,
  written: WrittenReport,
): Promise<Notices> {
  const { id, delivery, completedAt } = report;
  const wanted = await isWanted(ports, tenant, 'report.completed');
  const data = wanted ? await toldData(ports, tenant, report, publicUrl, written) : null;
  const about = {
    kind: 'report.completed',
    resource: { kind: 'report', id },
    sequence: 1,
    at: assertDefined(completedAt, 'end of the report'),
  } as const;
  const told = data === null ? [] : [outgoingRecord(ports, tenant, [{ ...about, data }])];
  if (delivery.method === 'webhook') return { outcome: wanted ? 'queued' : 'no_subscriber', told };
  if (delivery.method === 'email')
    return { outcome: await mailReport(ports, tenant, report, publicUrl, written), told };
  return { outcome: 'ready', told };
}

/** Rejects as soon as the signal is aborted, without waiting for the work. */
const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp));
};

class ReportRun {
  readonly #turn: StoredTaskTurn<Report>;
  #report: Report;
  #revision: number;
  /** A save that begins before the one before it has ended would have an outdated revision. */
  #saved: Promise<void> = Promise.resolve();

  constructor(turn: StoredTaskTurn<Report>) {
    this.#turn = turn;
    this.#report = turn.thing.body;
    this.#revision = turn.thing.revision;
  }

  async make(signal: AbortSignal): Promise<void> {
    const { ports, task } = this.#turn;
    const document = await makeDocument(ports, task.tenant, this.#report, signal);
    // The report may have been canceled in the meantime.
    signal.throwIfAborted();
    await this.save({ step: 'writing' });
    const bytes = await ports.documents.render(document, this.#report.format, signal);
    const kept = { report: this.#report, turn: task.tries ?? 1, bytes, signal };
    const file = await storeFile(ports, task.tenant, kept);
    signal.throwIfAborted();
    await this.#complete(file, { summary: document.summary, bytes });
  }

  async #complete(file: ReportFile, written: WrittenReport): Promise<void> {
    const { ports, task, publicUrl } = this.#turn;
    const completed: Report = {
      ...this.#report,
      status: 'completed',
      step: null,
      file,
      completedAt: ports.clock.now(),
    };
    const { outcome, told } = await tellCompleted(ports, task.tenant, completed, publicUrl, written);
    const delivery = { ...completed.delivery, outcome };
    try {
      await this.save({ ...completed, delivery }, told);
    } catch (error) {
      if (isOvertaken(error)) await dropFile(ports.records, task.tenant, completed, file);
      throw error;
    }
    if (told.length > 0) ports.background.ring(DELIVER);
  }

  save(change: Partial<Report>, sideRecords: readonly SideRecord[] = []): Promise<void> {
    this.#saved = this.#saved.catch(() => undefined).then(() => this.#save(change, sideRecords));
    return this.#saved;
  }

  async #save(change: Partial<Report>, sideRecords: readonly SideRecord[]): Promise<void> {
    const { ports, task } = this.#turn;
    const report = { ...this.#report, ...change };
    this.#revision = await putReport(ports.records, task.tenant, report, { expected: this.#revision, sideRecords });
    this.#report = report;
  }
}

/** Resolves when the report is completed or deleted. */
export async function runReport(turn: StoredTaskTurn<Report>, mostMs: number): Promise<void> {
  const run = new ReportRun(turn);
  const late = AbortSignal.timeout(mostMs);
  const signal = AbortSignal.any([turn.signal, late]);
  try {
    await run.save({ step: 'reading' });
    await within(run.make(signal), signal);
  } catch (error) {
    // The report was deleted, or another process runs it.
    if (isOvertaken(error)) return;
    if (turn.signal.aborted) {
      await run.save({ step: 'waiting' }).catch(() => undefined);
      throw turn.signal.reason;
    }
    if (late.aborted)
      throw new Fault('unprocessable', `Exceeded ${Math.round(mostMs / 1_000)}s. Reduce the time range or the scope`);
    if (error instanceof Fault && error.kind !== 'unavailable') throw new Fault('unprocessable', error.message);
    throw error;
  }
}
