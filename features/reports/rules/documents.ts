import type { DocumentFormat, ReportDocument } from '#features/reports/rules/document/document.ts';

export interface Documents {
  /**
   * Returns the whole file without blocking other requests. Throws Fault `unavailable` if `signal` is aborted first,
   * and Fault `unprocessable` if the document cannot be written in this format.
   */
  render(document: ReportDocument, format: DocumentFormat, signal: AbortSignal): Promise<Uint8Array>;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly documents: Documents;
  }
}
