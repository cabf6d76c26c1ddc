import { parentPort, workerData } from 'node:worker_threads';
import pdfmake from 'pdfmake';
import { errorMessage } from '#domain/fault.ts';
import type { ReportDocument } from '#features/reports/rules/document/document.ts';
import { letOthersGoFirst } from '#infra/thread-priority.ts';
import { openFonts } from './fonts.ts';
import { END, type PdfResult } from './messages.ts';
import { pdfDocument } from './pdf-document.ts';

const { otherFonts } = workerData as { otherFonts: readonly string[] };

letOthersGoFirst();
pdfmake.setUrlAccessPolicy(() => false);

const write = async (document: ReportDocument): Promise<Uint8Array<ArrayBuffer>> => {
  const fonts = openFonts(otherFonts);
  pdfmake.setFonts(fonts.dictionary);
  pdfmake.setLocalAccessPolicy(fonts.isFont);
  const file = await pdfmake.createPdf(pdfDocument(document, fonts)).getBuffer();
  return new Uint8Array(file);
};

const answer = async (document: ReportDocument): Promise<PdfResult> => {
  try {
    return { file: await write(document) };
  } catch (error) {
    return { error: errorMessage(error) };
  }
};

parentPort?.on('message', async (message: ReportDocument | typeof END) => {
  if (message === END) return parentPort?.close();
  const written = await answer(message);
  parentPort?.postMessage(written, 'file' in written ? [written.file.buffer] : []);
});
