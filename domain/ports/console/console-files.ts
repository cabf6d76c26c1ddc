/** One file of the console, whole and compressed. */
export interface ConsoleFile {
  /** Media type. */
  readonly type: string;
  readonly content: Uint8Array;
  /** Files by content coding; only existing ones. */
  readonly coded: Readonly<Partial<Record<ContentCoding, Uint8Array>>>;
}

/** The best first. */
export const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** The console as it was built. */
export interface ConsoleFiles {
  /** HTML that still lacks its base and its nonce. */
  readonly page: string;
  /** Assets by name, which depends on the content: another content has another name. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}
