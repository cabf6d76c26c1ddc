export const isOneOf = <T extends string>(known: readonly T[], text: string | undefined): text is T =>
  (known as readonly (string | undefined)[]).includes(text);
