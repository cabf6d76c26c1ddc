/** Ends the thread when nothing is left to do. */
export const END = 'end';

/** The result of one document. */
export type PdfResult = { readonly file: Uint8Array<ArrayBuffer> } | { readonly error: string };
