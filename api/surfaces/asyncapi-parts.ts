export type AsyncapiPart = Readonly<Record<string, unknown>>;

/** Part of a document by a feature. */
export interface AsyncapiParts {
  readonly channels: AsyncapiPart;
  readonly operations: AsyncapiPart;
  readonly messages: AsyncapiPart;
  readonly schemas: AsyncapiPart;
}
