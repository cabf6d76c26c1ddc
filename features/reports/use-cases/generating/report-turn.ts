import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Report, ReportFile } from '#features/reports/rules/report.ts';
import { dropFile, keepFile } from '#features/reports/use-cases/report-file.ts';
import { putReport, type StoredReport } from '#features/reports/use-cases/report-records.ts';
import { DELIVER } from '#features/webhooks/use-cases/delivery/records.ts';
import { makeDocument } from './make-report.ts';
import { tellCompleted } from './tell-completed.ts';

/** The process stops, or another one works on it: it is begun again. */
export class ReportInterrupted extends Error {}

/** A report that was begun so often and never ended would be begun for ever. */
const MOST_TURNS = 3;

export interface ReportTurnOptions {
  readonly ports: Ports;
  readonly tenant: string;
  readonly stored: StoredReport;
  readonly mostMs: number;
  readonly publicUrl: string;
  /** Aborted when this process is to let go. */
  readonly letGo: AbortSignal;
  readonly failed: (error: unknown) => void;
}

/** Fails as soon as the signal says so, whatever the work waits for. */
const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp));
};

/** One report at work. */
export class ReportTurn {
  readonly #options: ReportTurnOptions;
  #report: Report;
  #revision: number;

  constructor(options: ReportTurnOptions) {
    this.#options = options;
    this.#report = options.stored.body;
    this.#revision = options.stored.revision;
  }

  /** Resolves when the report is completed, has failed or is gone. Throws `Interrupted`, and what a later turn may mend. */
  async run(): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      // It was deleted, or another process has it.
      if (!isOvertaken(error)) throw error;
    }
  }

  async #run(): Promise<void> {
    const { letGo, mostMs, failed } = this.#options;
    if (this.#report.turns >= MOST_TURNS) {
      await this.#fail(`It was begun ${MOST_TURNS} times, and never came to an end`);
      return;
    }
    await this.#save({ step: 'reading', turns: this.#report.turns + 1 });
    const late = AbortSignal.timeout(mostMs);
    try {
      const signal = AbortSignal.any([letGo, late]);
      await within(this.#make(signal), signal);
    } catch (error) {
      if (isOvertaken(error)) throw error;
      if (letGo.aborted) return this.#takeBack();
      if (late.aborted) return this.#fail(`It took longer than ${Math.round(mostMs / 1_000)} s: ask for less`);
      if (error instanceof Fault && error.kind !== 'unavailable') return this.#fail(error.message);
      if (this.#report.turns < MOST_TURNS) throw error;
      failed(error);
      await this.#fail(error instanceof Fault ? error.message : 'An internal error, which the log has');
    }
  }

  async #make(signal: AbortSignal): Promise<void> {
    const { ports, tenant } = this.#options;
    const document = await makeDocument(ports, tenant, this.#report, signal);
    // It may have been given up while something was waited for.
    signal.throwIfAborted();
    await this.#save({ step: 'writing' });
    const bytes = await ports.documents.render(document, this.#report.format, signal);
    const file = await keepFile(ports, tenant, { report: this.#report, bytes, signal });
    signal.throwIfAborted();
    await this.#complete(file);
  }

  async #complete(file: ReportFile): Promise<void> {
    const { ports, tenant, publicUrl } = this.#options;
    const completed: Report = {
      ...this.#report,
      status: 'completed',
      step: null,
      file,
      completedAt: ports.clock.now(),
    };
    const { outcome, told } = await tellCompleted(ports, tenant, completed, publicUrl);
    const delivery = { ...completed.delivery, outcome };
    try {
      await this.#save({ ...completed, delivery }, told);
    } catch (error) {
      if (isOvertaken(error)) await dropFile(ports.records, tenant, completed, file);
      throw error;
    }
    if (told.length > 0) ports.background.ring(DELIVER);
  }

  async #fail(error: string): Promise<void> {
    await this.#save({ status: 'failed', step: null, completedAt: this.#options.ports.clock.now(), error });
  }

  /** A process that stops has not tried. */
  async #takeBack(): Promise<never> {
    await this.#save({ step: 'waiting', turns: this.#report.turns - 1 }).catch(() => undefined);
    throw new ReportInterrupted();
  }

  async #save(change: Partial<Report>, sideRecords: readonly SideRecord[] = []): Promise<void> {
    const { ports, tenant } = this.#options;
    const report = { ...this.#report, ...change };
    this.#revision = await putReport(ports.records, tenant, report, { expected: this.#revision, sideRecords });
    this.#report = report;
  }
}
