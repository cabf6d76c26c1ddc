export type Part = Readonly<Record<string, unknown>>;

/** Who else is told of what. */
export interface AsyncapiParts {
  readonly channels: Part;
  readonly operations: Part;
  readonly messages: Part;
  readonly schemas: Part;
}
