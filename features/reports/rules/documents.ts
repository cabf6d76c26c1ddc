import type { DocumentFormat, ReportDocument } from '#features/reports/rules/document/document.ts';

/** Writes reports as files. */
export interface Documents {
  /**
   * The whole file. Other requests are not held up meanwhile. Throws Fault `unavailable` when `signal` is aborted before it is done, and
   * Fault `unprocessable` when the document cannot be written in this format.
   */
  render(document: ReportDocument, format: DocumentFormat, signal: AbortSignal): Promise<Uint8Array>;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly documents: Documents;
  }
}
