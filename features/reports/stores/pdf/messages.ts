/** Ends the thread once it has nothing left to do. */
export const END = 'end';

/** The result of one document. */
export type PdfResult = { readonly file: Uint8Array<ArrayBuffer> } | { readonly error: string };
