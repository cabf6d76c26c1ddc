/** Returns the address in a sender's text, or null: only http and https are ever followed. */
export const linkOf = (text: string): string | null => {
  if (!/^https?:\/\/\S+$/i.test(text)) return null;
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  } catch {
    return null;
  }
};
