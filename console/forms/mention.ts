/** A name behind `@` that is being typed; `from`: its place in the text. */
export interface TypedMention {
  readonly from: number;
  readonly name: string;
}

const MAX_NAME = 100;

/** The mention before the caret; null: none. */
export const mentionAt = (text: string, caret: number): TypedMention | null => {
  const before = text.slice(0, caret);
  const at = before.lastIndexOf('@');
  const name = before.slice(at + 1);
  const isName = at >= 0 && name.length <= MAX_NAME && /^[\p{L}\p{N}._-]*$/u.test(name);
  return isName && !/[\p{L}\p{N}]$/u.test(before.slice(0, at)) ? { from: at + 1, name } : null;
};

/** The text with the mentioned user in place of the typed part. */
export const withMention = (text: string, { from, name }: TypedMention, username: string): string =>
  `${text.slice(0, from)}${username} ${text.slice(from + name.length).trimStart()}`;
